import { type CallFigures, CallSums } from '../call-figures.js';
import type { CallRecord } from '../call-record.js';
import { mostOf, Span } from './overview-span.js';

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

export function answerOf(
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
