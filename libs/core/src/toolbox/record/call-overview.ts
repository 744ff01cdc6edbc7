import { setImmediate, setTimeout } from 'node:timers/promises';
import { type CallFigures, CallSums, isAdmitted } from './call-figures.js';
import type { CallGroup } from './call-groups.js';
import type { CallFilter, CallRecord } from './call-record.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Longer periods are shown by the hour. */
const BY_MINUTE_MS = 2 * HOUR_MS;
/** A record may be written so long after its call began, or later if the store was down. */
const SETTLED_MS = 15 * MINUTE_MS;
/** After so long an hour is read again: records may have been erased by another instance, or have come late. */
const KEPT_MS = HOUR_MS;
/** How long an hour is kept that may still change. */
const KEPT_OPEN_MS = 5000;
/** How many hours are kept, of all tenants that were asked for. */
const MAX_KEPT_HOURS = 2000;
/** Tenants and parts of the catalog that are kept of an hour: those with most calls. Others count in its total only. */
const MAX_KEPT_NAMES = 100;
const MAX_NAMED = 50;

/** What an overview is about. */
export interface OverviewQuestion {
  /** Epoch milliseconds, inclusive; rounded down to a whole step. */
  readonly since: number;
  /** Epoch milliseconds, exclusive. */
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
  /** Whether all spans are added up; the others are read meanwhile, so ask again. */
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

  constructor(readonly readAt = 0) {}

  add(group: CallGroup): void {
    this.total.add(group);
    sumsOf(this.prefixes, group.prefix).add(group);
    sumsOf(this.tenants, group.tenantId).add(group);
    if (!isAdmitted(group)) this.layers.set(group.layer, (this.layers.get(group.layer) ?? 0) + group.calls);
  }

  /** Drops what is beyond the bounds of an hour that is kept. */
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

/** The hours that were read for one tenant, or for all. */
interface Scope {
  readonly hours: Map<number, Span>;
  reading: Promise<void> | undefined;
}

/**
 * Adds up how the calls of a period went. An hour that is over does not change, so its sums stay in memory: a week of a million
 * calls is read once, hour by hour, and an answer never waits for all of it.
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

  /** @throws what the store throws */
  async of({ since, until, tenantId }: OverviewQuestion): Promise<CallOverviewAnswer> {
    const stepMs = until - since <= BY_MINUTE_MS ? MINUTE_MS : HOUR_MS;
    const first = since - (since % stepMs);
    if (stepMs === MINUTE_MS) {
      const spans = spansOf(await this.read(filterOf(first, until, tenantId), stepMs), stepMs, this.now());
      return answerOf({ since: first, until, stepMs, isComplete: true }, spans);
    }
    const scope = this.#scope(tenantId);
    const wanted = hoursOf(first, until);
    if (this.#missing(scope, wanted).length > 0) {
      const late = setTimeout(this.answerWithinMs, undefined, { ref: false });
      await Promise.race([this.#reading(scope, wanted, tenantId), late]);
    }
    const missing = this.#missing(scope, wanted);
    // Somebody who asked before may have read a shorter period.
    if (missing.length > 0) void this.#reading(scope, wanted, tenantId);
    const known = new Map(wanted.flatMap((hour) => entryOf(scope.hours, hour)));
    return answerOf({ since: first, until, stepMs, isComplete: missing.length === 0 }, known);
  }

  /** Forgets everything, because records were erased. */
  clear(): void {
    this.#scopes.clear();
  }

  /** Reads what is missing, unless that is being done. Whoever waits is told why it fails; the next question reads again. */
  #reading(scope: Scope, wanted: readonly number[], tenantId: string | undefined): Promise<void> {
    if (scope.reading) return scope.reading;
    const reading = this.#fill(scope, wanted, tenantId).finally(() => (scope.reading = undefined));
    // Nobody may be waiting any more.
    reading.catch(() => undefined);
    scope.reading = reading;
    return reading;
  }

  /** Reads hours that are not known, the newest first. */
  async #fill(scope: Scope, wanted: readonly number[], tenantId: string | undefined): Promise<void> {
    for (;;) {
      const [hour] = this.#missing(scope, wanted);
      if (hour === undefined) return;
      // An hour at a time, and then whatever else waits: on SQLite a statement blocks this process.
      const groups = await this.read(filterOf(hour, hour + HOUR_MS, tenantId), HOUR_MS);
      const span = spansOf(groups, HOUR_MS, this.now()).get(hour) ?? new Span(this.now());
      scope.hours.set(hour, span.bounded());
      await setImmediate();
    }
  }

  #missing(scope: Scope, wanted: readonly number[]): readonly number[] {
    const now = this.now();
    return wanted.filter((hour) => {
      const readAt = scope.hours.get(hour)?.readAt;
      const keptMs = hour + HOUR_MS + SETTLED_MS <= (readAt ?? 0) ? KEPT_MS : KEPT_OPEN_MS;
      return readAt === undefined || now - readAt >= keptMs;
    });
  }

  #scope(tenantId: string | undefined): Scope {
    const key = JSON.stringify(tenantId ?? null);
    const scope = this.#scopes.get(key) ?? { hours: new Map(), reading: undefined };
    // The one that was asked for last is the last one to go.
    this.#scopes.delete(key);
    this.#scopes.set(key, scope);
    let kept = 0;
    for (const [each, { hours }] of [...this.#scopes].toReversed()) {
      for (const [hour, { readAt }] of hours) if (this.now() - readAt >= 2 * KEPT_MS) hours.delete(hour);
      kept += hours.size;
      if (kept > MAX_KEPT_HOURS && each !== key) this.#scopes.delete(each);
    }
    return scope;
  }
}

/** The hours of a period, the newest first. */
function hoursOf(first: number, until: number): readonly number[] {
  const length = Math.max(0, Math.ceil((until - first) / HOUR_MS));
  return Array.from({ length }, (_, index) => first + (length - 1 - index) * HOUR_MS);
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

function entryOf(hours: ReadonlyMap<number, Span>, hour: number): readonly (readonly [number, Span])[] {
  const span = hours.get(hour);
  return span ? [[hour, span]] : [];
}

function sumsOf(all: Map<string, CallSums>, name: string): CallSums {
  const sums = all.get(name) ?? new CallSums();
  all.set(name, sums);
  return sums;
}

function answerOf(
  period: Pick<CallOverviewAnswer, 'since' | 'until' | 'stepMs' | 'isComplete'>,
  spans: ReadonlyMap<number, Span>,
): CallOverviewAnswer {
  const all = new Span();
  for (const span of spans.values()) all.addAll(span);
  return {
    ...period,
    total: all.total.figures(),
    spans: [...spans]
      .map(([from, { total }]) => ({ from, ...total.figures() }))
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
