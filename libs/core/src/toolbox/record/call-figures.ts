import { type CallGroup, SPEED_BOUNDS_MS } from './call-groups.js';

/** How many calls ran, were refused and failed, and how long those took that ran. */
export interface CallFigures {
  /** All of them. */
  readonly calls: number;
  /** Those that a check refused, and those that wait for an approval. */
  readonly refused: number;
  /** Those that ran and did not end well. */
  readonly failed: number;
  /** Milliseconds within which half of those that ran ended, about; absent where none ran. */
  readonly p50Ms?: number;
  /** The same of 95 of 100. */
  readonly p95Ms?: number;
}

/** Adds groups of calls up. */
export class CallSums {
  #calls = 0;
  #refused = 0;
  #failed = 0;
  readonly #speeds = new Uint32Array(SPEED_BOUNDS_MS.length + 1);

  /** How many calls were added. */
  get calls(): number {
    return this.#calls;
  }

  add(group: CallGroup): void {
    this.#calls += group.calls;
    if (!isAdmitted(group)) {
      this.#refused += group.calls;
      return;
    }
    if (group.outcome !== 'ok') this.#failed += group.calls;
    this.#speeds[group.speed] = (this.#speeds[group.speed] ?? 0) + group.calls;
  }

  addAll(other: CallSums): void {
    this.#calls += other.#calls;
    this.#refused += other.#refused;
    this.#failed += other.#failed;
    for (const [index, calls] of other.#speeds.entries()) this.#speeds[index] = (this.#speeds[index] ?? 0) + calls;
  }

  figures(): CallFigures {
    const [p50Ms, p95Ms] = [this.#percentile(0.5), this.#percentile(0.95)];
    return {
      calls: this.#calls,
      refused: this.#refused,
      failed: this.#failed,
      ...(p50Ms !== undefined && { p50Ms }),
      ...(p95Ms !== undefined && { p95Ms }),
    };
  }

  // Between the bounds of its class, calls are taken to be spread evenly.
  #percentile(share: number): number | undefined {
    const ran = this.#speeds.reduce((sum, calls) => sum + calls, 0);
    if (ran === 0) return undefined;
    let before = 0;
    for (const [index, calls] of this.#speeds.entries()) {
      const wanted = ran * share - before;
      if (calls > 0 && wanted <= calls) {
        const lower = SPEED_BOUNDS_MS[index - 1] ?? 0;
        const upper = SPEED_BOUNDS_MS[index] ?? lower;
        return lower + ((upper - lower) * wanted) / calls;
      }
      before += calls;
    }
    return SPEED_BOUNDS_MS.at(-1);
  }
}

/** Whether calls ran: those that wait for an approval have a decision that would let them run with one. */
export function isAdmitted({ decision, outcome }: Pick<CallGroup, 'decision' | 'outcome'>): boolean {
  const isWaiting = outcome.startsWith('APPROVAL_') || outcome === 'SESSION_REQUIRED';
  return decision === 'allow' || (decision === 'approve' && !isWaiting);
}
