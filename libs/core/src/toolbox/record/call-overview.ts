import { setImmediate, setTimeout } from 'node:timers/promises';
import { type CallFigures, CallSums, isAdmitted } from './call-figures.js';
import type { CallGroup } from './call-groups.js';
import type { CallFilter, CallRecord } from './call-record.js';
import { MAX_GROUPS } from './tool-call-store.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Longer periods are shown by the hour. */
const BY_MINUTE_MS = 2 * HOUR_MS;
/** A record may be written so long after its call began, or later if the store was down. */
const SETTLED_MS = 15 * MINUTE_MS;
/** After so long at most a part is read again: records may have been erased by another instance, or have come late. */
const KEPT_MS = HOUR_MS;
/** How long a part is kept at least. */
const KEPT_OPEN_MS = 5000;
/** How many parts are kept, of all tenants that were asked for. */
const MAX_KEPT_PARTS = 2000;
/** Minutes are read together as long as that is so quick. */
const QUICK_MS = 10;
const MAX_AT_ONCE = 60;
/** Tenants and parts of the catalog that are kept of a part: those with most calls. Others count in its total only. */
const MAX_KEPT_NAMES = 100;
const MAX_NAMED = 50;

/** What an overview is about. */
export interface OverviewQuestion {
  /** Epoch milliseconds, inclusive; rounded down to a whole step. */
  readonly since: number;
  /** Epoch milliseconds, exclusive; rounded up to a whole step. */
  readonly until: number;
  /** @default all tenants */
  readonly tenantId?: string;
}

/** How the calls of a period went. */
export interface CallOverviewAnswer {
  readonly since: number;
  readonly until: number;
  /** Length of a span in milliseconds: a minute, or an hour in a period of more than two hours. */
  readonly stepMs: number;
  /**
   * Whether all calls are added up. If not, the others are read meanwhile, so ask again; or a part of the period has more
   * than 100,000 groups of calls, and the answer is about these.
   */
  readonly isComplete: boolean;
  readonly total: CallFigures;
  /** The spans with calls, the oldest first. */
  readonly spans: readonly (CallFigures & { readonly from: number })[];
  /** How many calls each layer refused, the most first. */
  readonly refusals: readonly { readonly layer: CallRecord['layer']; readonly calls: number }[];
  /** By the names of tools up to their first dot, at most 50, those with most calls first. */
  readonly prefixes: readonly (CallFigures & { readonly prefix: string })[];
  /** At most 50, those with most calls first. */
  readonly tenants: readonly (CallFigures & { readonly tenantId: string })[];
}

type ReadGroups = (filter: CallFilter, spanMs: number) => Promise<readonly CallGroup[]>;

/** The sums of one span of time. */
class Span {
  readonly total = new CallSums();
  readonly layers = new Map<CallRecord['layer'], number>();
  readonly prefixes = new Map<string, CallSums>();
  readonly tenants = new Map<string, CallSums>();

  /** Whether it has more calls than were read. */
  isCut = false;

  constructor(readonly readAt = 0) {}

  add(group: CallGroup): void {
    this.total.add(group);
    sumsOf(this.prefixes, group.prefix).add(group);
    sumsOf(this.tenants, group.tenantId).add(group);
    if (!isAdmitted(group)) this.layers.set(group.layer, (this.layers.get(group.layer) ?? 0) + group.calls);
  }

  /** Drops what is beyond the bounds of a part that is kept. */
  bounded(): this {
    for (const names of [this.prefixes, this.tenants]) {
      if (names.size <= MAX_KEPT_NAMES) continue;
      const kept = mostOf(names, MAX_KEPT_NAMES);
      names.clear();
      for (const [name, sums] of kept) names.set(name, sums);
    }
    return this;
  }

  addAll(other: Span): void {
    this.total.addAll(other.total);
    for (const [layer, calls] of other.layers) this.layers.set(layer, (this.layers.get(layer) ?? 0) + calls);
    for (const [prefix, sums] of other.prefixes) sumsOf(this.prefixes, prefix).addAll(sums);
    for (const [tenantId, sums] of other.tenants) sumsOf(this.tenants, tenantId).addAll(sums);
  }
}

/** An hour or a minute that is read and kept by itself. */
interface Part {
  readonly from: number;
  readonly ms: number;
}

/** What was read for one tenant, or for all. */
interface Scope {
  readonly parts: Map<string, Span>;
  reading: Promise<void> | undefined;
  /** Why the last reading failed; undefined after one has read something. */
  failure: { readonly error: unknown } | undefined;
}

/**
 * Adds up how the calls of a period went. A part of it that is over does not change, so its sums stay in memory: a week of a
 * million calls is read once, and an answer never waits for all of it. What is long over is read by the hour, the rest by the
 * minute, because only minutes of the last hours are read again.
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
    const stepMs = until - since <= BY_MINUTE_MS ? MINUTE_MS : HOUR_MS;
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

/** The parts of a period, the newest first. */
function partsOf(first: number, end: number, stepMs: number, now: number): readonly Part[] {
  const parts: Part[] = [];
  const isWhole = (hour: number) => stepMs === HOUR_MS && hour + HOUR_MS + SETTLED_MS <= now;
  for (let to = Math.ceil(end / MINUTE_MS) * MINUTE_MS; to > first;) {
    const hour = Math.ceil(to / HOUR_MS) * HOUR_MS - HOUR_MS;
    const part = isWhole(hour) ? { from: hour, ms: HOUR_MS } : { from: to - MINUTE_MS, ms: MINUTE_MS };
    parts.push(part);
    to = part.from;
  }
  return parts;
}

/** Minutes one after the other from an index on, or one hour. */
function adjoining(parts: readonly Part[], from: number, most: number): readonly Part[] {
  let end = from + 1;
  while (
    end < from + most &&
    parts[end]?.ms === MINUTE_MS &&
    parts[end - 1]?.from === (parts[end]?.from ?? 0) + MINUTE_MS
  )
    end++;
  return parts.slice(from, end);
}

function keyOf({ from, ms }: Part): string {
  return `${ms} ${from}`;
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

function spansOf(groups: readonly CallGroup[], stepMs: number, readAt: number): Map<number, Span> {
  const spans = new Map<number, Span>();
  for (const group of groups) {
    const from = group.from - (group.from % stepMs);
    const span = spans.get(from) ?? new Span(readAt);
    span.add(group);
    spans.set(from, span);
  }
  return spans;
}

function entryOf(parts: ReadonlyMap<string, Span>, part: Part, stepMs: number): readonly (readonly [number, Span])[] {
  const span = parts.get(keyOf(part));
  return span ? [[part.from - (part.from % stepMs), span]] : [];
}

function sumsOf(all: Map<string, CallSums>, name: string): CallSums {
  const sums = all.get(name) ?? new CallSums();
  all.set(name, sums);
  return sums;
}

function answerOf(
  period: Pick<CallOverviewAnswer, 'since' | 'until' | 'stepMs' | 'isComplete'>,
  known: readonly (readonly [number, Span])[],
): CallOverviewAnswer {
  const all = new Span();
  const steps = new Map<number, CallSums>();
  for (const [from, span] of known) {
    all.addAll(span);
    const sums = steps.get(from) ?? new CallSums();
    sums.addAll(span.total);
    steps.set(from, sums);
  }
  return {
    ...period,
    total: all.total.figures(),
    spans: [...steps]
      .map(([from, sums]) => ({ from, ...sums.figures() }))
      .filter(({ calls }) => calls > 0)
      .sort((left, right) => left.from - right.from),
    refusals: [...all.layers]
      .map(([layer, calls]) => ({ layer, calls }))
      .sort((left, right) => right.calls - left.calls),
    prefixes: mostOf(all.prefixes, MAX_NAMED).map(([prefix, sums]) => ({ prefix, ...sums.figures() })),
    tenants: mostOf(all.tenants, MAX_NAMED).map(([tenantId, sums]) => ({ tenantId, ...sums.figures() })),
  };
}

function mostOf(all: ReadonlyMap<string, CallSums>, most: number): readonly (readonly [string, CallSums])[] {
  return [...all].sort(([, left], [, right]) => right.calls - left.calls).slice(0, most);
}
