import { CallSums, isAdmitted } from '../call-figures.js';
import type { CallGroup } from '../call-groups.js';
import type { CallRecord } from '../call-record.js';

/** Tenants and parts of the catalog that are kept of a part: those with most calls. Others count in its total only. */
const MAX_KEPT_NAMES = 100;

/** The sums of one span of time. */
export class Span {
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

/** The sums of groups of calls by the span in which they began. */
export function spansOf(groups: readonly CallGroup[], stepMs: number, readAt: number): Map<number, Span> {
  const spans = new Map<number, Span>();
  for (const group of groups) {
    const from = group.from - (group.from % stepMs);
    const span = spans.get(from) ?? new Span(readAt);
    span.add(group);
    spans.set(from, span);
  }
  return spans;
}

function sumsOf(all: Map<string, CallSums>, name: string): CallSums {
  const sums = all.get(name) ?? new CallSums();
  all.set(name, sums);
  return sums;
}

/** The names with most calls, the most first. */
export function mostOf(all: ReadonlyMap<string, CallSums>, most: number): readonly (readonly [string, CallSums])[] {
  return [...all].sort(([, left], [, right]) => right.calls - left.calls).slice(0, most);
}
