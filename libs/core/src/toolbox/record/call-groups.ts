import type { CallRecord } from './call-record.js';

/** Upper bounds of the classes of speed, in milliseconds. A slower call is in one more class behind them. */
export const SPEED_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const;

/** Calls of a span of time that are alike. */
export interface CallGroup {
  /** Start of the span, in epoch milliseconds. */
  readonly from: number;
  readonly tenantId: string;
  /** The name of the tool up to its first dot. */
  readonly prefix: string;
  readonly layer: CallRecord['layer'];
  readonly decision: CallRecord['decision'];
  readonly outcome: CallRecord['outcome'];
  /** Index of the first of {@link SPEED_BOUNDS_MS} that they did not exceed; their number where they exceeded all. */
  readonly speed: number;
  readonly calls: number;
}

/** The class of speed of a call. */
export function speedOf(ms: number): number {
  const index = SPEED_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return index === -1 ? SPEED_BOUNDS_MS.length : index;
}

/** Groups records of calls in this process. */
export class CallGrouping {
  readonly #groups = new Map<string, CallGroup>();

  /** @param spanMs length of a span in milliseconds */
  constructor(private readonly spanMs: number) {}

  add({ at, tenantId, tool, layer, decision, outcome, ms }: CallRecord): void {
    const [prefix = ''] = tool.split('.', 1);
    const alike = { from: at - (at % this.spanMs), tenantId, prefix, layer, decision, outcome, speed: speedOf(ms) };
    const key = JSON.stringify(Object.values(alike));
    this.#groups.set(key, { ...alike, calls: (this.#groups.get(key)?.calls ?? 0) + 1 });
  }

  /** The groups, those of the oldest span first. */
  groups(): readonly CallGroup[] {
    return [...this.#groups.values()].sort((left, right) => left.from - right.from);
  }
}
