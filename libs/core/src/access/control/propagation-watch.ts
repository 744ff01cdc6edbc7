import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlInstance } from './control-store.js';

export interface Propagation {
  readonly instances: readonly ControlInstance[];
  /** Ids of live instances that have not applied the revision. */
  readonly pending: readonly string[];
}

const FIRST_LOOK_MS = 25;
const SLOWEST_LOOK_MS = 250;

/** Waits until all instances have applied a revision. All waiting callers of this process share one query at a time. */
export class PropagationWatch {
  #next: Promise<readonly ControlInstance[]> | undefined;
  #intervalMs = FIRST_LOOK_MS;

  constructor(
    private readonly look: () => Promise<readonly ControlInstance[]>,
    private readonly clock: () => number,
  ) {}

  /** Queries the instances until none is pending or `waitMs` milliseconds have passed. */
  async until(revision: number, waitMs: number): Promise<Propagation> {
    const end = this.clock() + waitMs;
    const over = sleep(waitMs, undefined, { ref: false });
    // A new caller resets the interval to its minimum; it doubles up to 250 ms while no other caller arrives.
    this.#intervalMs = FIRST_LOOK_MS;
    let instances = await this.look();
    for (;;) {
      const pending = instances.filter(({ appliedRevision }) => appliedRevision < revision).map(({ id }) => id);
      if (pending.length === 0 || this.clock() >= end) return { instances, pending };
      const seen = await Promise.race([this.#shared(), over]);
      if (!seen) return { instances, pending };
      instances = seen;
    }
  }

  #shared(): Promise<readonly ControlInstance[]> {
    this.#next ??= this.#nextLook().finally(() => (this.#next = undefined));
    return this.#next;
  }

  async #nextLook(): Promise<readonly ControlInstance[]> {
    await sleep(this.#intervalMs);
    this.#intervalMs = Math.min(this.#intervalMs * 2, SLOWEST_LOOK_MS);
    return this.look();
  }
}
