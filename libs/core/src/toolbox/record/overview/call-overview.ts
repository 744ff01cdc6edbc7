import { setImmediate, setTimeout } from 'node:timers/promises';
import type { CallGroup } from '../call-groups.js';
import type { CallFilter } from '../call-record.js';
import { MAX_GROUPS } from '../tool-call-store.js';
import { answerOf, type CallOverviewAnswer, type OverviewQuestion } from './overview-answer.js';
import { adjoining, HOUR_MS, keyOf, type Part, partsOf, stepOf } from './overview-period.js';
import { Span, spansOf } from './overview-span.js';

/** After so long at most a part is read again: records may have been erased by another instance, or have come late. */
const KEPT_MS = HOUR_MS;
/** How long a part is kept at least. */
const KEPT_OPEN_MS = 5000;
/** How many parts are kept, of all tenants that were asked for. */
const MAX_KEPT_PARTS = 2000;
/** Minutes are read together as long as that is so quick. */
const QUICK_MS = 10;
const MAX_AT_ONCE = 60;

type ReadGroups = (filter: CallFilter, spanMs: number) => Promise<readonly CallGroup[]>;

/** What was read for one tenant, or for all. */
interface Scope {
  readonly parts: Map<string, Span>;
  reading: Promise<void> | undefined;
  /** Why the last reading failed; undefined after one has read something. */
  failure: { readonly error: unknown } | undefined;
}

/**
 * Adds up how the calls of a period went. A part of it that is over does not change, so its sums stay in memory: a week of a
 * million calls is read once, and an answer never waits for all of it.
 */
export class CallOverview {
  readonly #scopes = new Map<string, Scope>();

  /**
   * @param now epoch milliseconds
   * @param answerWithinMs after so long, an answer says what is known, and the rest is read in the background
   */
  constructor(
    private readonly read: ReadGroups,
    private readonly now: () => number,
    private readonly answerWithinMs = 100,
  ) {}

  /** @throws what the store throws, also what it threw after the last answer */
  async of({ since, until, tenantId }: OverviewQuestion): Promise<CallOverviewAnswer> {
    const stepMs = stepOf(until - since);
    const first = since - (since % stepMs);
    const now = this.now();
    // The last step counts as a whole, as far as it is over.
    const end = Math.max(until, Math.min(Math.ceil(until / stepMs) * stepMs, now));
    const scope = this.#scope(tenantId);
    const wanted = partsOf(first, Math.min(end, now + 1), stepMs, now);
    if (this.#missing(scope, wanted).length > 0) {
      const late = setTimeout(this.answerWithinMs, undefined, { ref: false });
      await Promise.race([this.#reading(scope, wanted, tenantId), late]);
    }
    const missing = this.#missing(scope, wanted);
    if (missing.length > 0) {
      // An earlier request may have read a shorter period.
      void this.#reading(scope, wanted, tenantId);
      if (scope.failure) throw scope.failure.error;
    }
    const known = wanted.flatMap((part) => entryOf(scope.parts, part, stepMs));
    const isComplete = missing.length === 0 && !known.some(([, { isCut }]) => isCut);
    dropBeyond(scope, wanted);
    return answerOf({ since: first, until: end, stepMs, isComplete }, known);
  }

  /** Forgets everything, because records were erased. */
  clear(): void {
    this.#scopes.clear();
  }

  /** Reads what is missing, unless that is being done. A failure reaches the requests that wait, or else the next one. */
  #reading(scope: Scope, wanted: readonly Part[], tenantId: string | undefined): Promise<void> {
    if (scope.reading) return scope.reading;
    const reading = this.#fill(scope, this.#missing(scope, wanted), tenantId).finally(
      () => (scope.reading = undefined),
    );
    reading.catch((error: unknown) => (scope.failure = { error }));
    scope.reading = reading;
    return reading;
  }

  /**
   * Reads parts in their order. Each once, although it may be too old again when the last one is read: the rest of a long
   * period would never be read otherwise.
   */
  async #fill(scope: Scope, missing: readonly Part[], tenantId: string | undefined): Promise<void> {
    let atOnce = 1;
    for (let index = 0; index < missing.length;) {
      const together = adjoining(missing, index, atOnce);
      index += together.length;
      const started = performance.now();
      await this.#readParts(scope, together, tenantId);
      // On SQLite a statement blocks this process, so it is short, and then comes whatever else waits.
      atOnce = performance.now() - started <= QUICK_MS ? Math.min(2 * atOnce, MAX_AT_ONCE) : 1;
      await setImmediate();
    }
  }

  /** @param parts of the same length, each just before the last one */
  async #readParts(scope: Scope, parts: readonly Part[], tenantId: string | undefined): Promise<void> {
    const [newest, oldest] = [parts[0], parts.at(-1)];
    if (!newest || !oldest) return;
    const groups = await this.read(filterOf(oldest.from, newest.from + newest.ms, tenantId), newest.ms);
    scope.failure = undefined;
    const spans = spansOf(groups.slice(0, MAX_GROUPS), newest.ms, this.now());
    for (const part of parts) {
      const span = spans.get(part.from) ?? new Span(this.now());
      span.isCut = groups.length > MAX_GROUPS;
      scope.parts.set(keyOf(part), span.bounded());
    }
  }

  /** What was not read, or too long ago: the longer a part is over, the longer it is kept. */
  #missing(scope: Scope, wanted: readonly Part[]): readonly Part[] {
    const now = this.now();
    return wanted.filter((part) => {
      const readAt = scope.parts.get(keyOf(part))?.readAt;
      if (readAt === undefined) return true;
      const overFor = readAt - part.from - part.ms;
      return now - readAt >= Math.min(Math.max(overFor, KEPT_OPEN_MS), KEPT_MS);
    });
  }

  #scope(tenantId: string | undefined): Scope {
    const key = JSON.stringify(tenantId ?? null);
    const scope = this.#scopes.get(key) ?? { parts: new Map(), reading: undefined, failure: undefined };
    // The one that was asked for last is the last one to go.
    this.#scopes.delete(key);
    this.#scopes.set(key, scope);
    let kept = 0;
    for (const [each, { parts, reading }] of [...this.#scopes].toReversed()) {
      for (const [part, { readAt }] of parts) if (this.now() - readAt >= 2 * KEPT_MS) parts.delete(part);
      kept += parts.size;
      const isIdle = parts.size === 0 && !reading;
      if (each !== key && (kept > MAX_KEPT_PARTS || isIdle)) this.#scopes.delete(each);
    }
    return scope;
  }
}

/** Requests for many periods make one scope large. */
function dropBeyond({ parts }: Scope, wanted: readonly Part[]): void {
  if (parts.size <= MAX_KEPT_PARTS) return;
  const kept = new Set(wanted.map(keyOf));
  for (const key of parts.keys()) if (!kept.has(key)) parts.delete(key);
}

function filterOf(since: number, until: number, tenantId: string | undefined): CallFilter {
  return { kind: 'call', since, until, ...(tenantId !== undefined && { tenantId }) };
}

function entryOf(parts: ReadonlyMap<string, Span>, part: Part, stepMs: number): readonly (readonly [number, Span])[] {
  const span = parts.get(keyOf(part));
  return span ? [[part.from - (part.from % stepMs), span]] : [];
}
