import type { ControlInstanceRepository } from './control-instance.repository.js';

/** Instances get a new id at each start, so an id that was silent for a day is never used again. */
const FORGET_AFTER_MS = 86_400_000;

/** The instances of this process: their heartbeats, until they leave. */
export class ControlInstances {
  #hasForgotten = false;
  /** Ids of the instances that sent a heartbeat through this store. */
  readonly #present = new Set<string>();
  readonly #beating = new Set<Promise<number>>();
  #isStopped = false;

  constructor(private readonly instances: ControlInstanceRepository) {}

  async beat(id: string, appliedRevision: number): Promise<number> {
    if (this.#isStopped) return Date.now();
    const beating = this.#beat(id, appliedRevision);
    this.#beating.add(beating);
    return beating.finally(() => this.#beating.delete(beating));
  }

  async leave(id: string): Promise<void> {
    await this.instances.delete({ id });
  }

  /** Removes the instances of this process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // A heartbeat that ends after the removal would register the instance again.
    await Promise.allSettled(this.#beating);
    await Promise.allSettled(Array.from(this.#present, (id) => this.leave(id)));
  }

  async #beat(id: string, appliedRevision: number): Promise<number> {
    this.#present.add(id);
    const seenAt = await this.instances.beat(id, appliedRevision);
    if (!this.#hasForgotten) await this.instances.forgetSilent(FORGET_AFTER_MS);
    this.#hasForgotten = true;
    return seenAt;
  }
}
