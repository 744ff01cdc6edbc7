import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { CounterChange } from '@tool-search/core/stores';
import type { StoredCounter } from '@tool-search/core/internal';

/** One update that waits for its transaction. */
export interface WaitingUpdate {
  readonly ids: readonly string[];
  readonly change: CounterChange<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Updates of one transaction. */
const MAX_GROUP = 100;

/**
 * Groups the updates of concurrent calls: those that arrive while a transaction runs share the next one. A transaction of
 * SQLite costs more than what a call counts in it, and only one runs at a time.
 */
export class GroupedUpdates {
  readonly #waiting: WaitingUpdate[] = [];
  // The work of a group belongs to none of its callers, one of which may be inside a transaction of its own.
  readonly #resource = new AsyncResource('GroupedUpdates');
  #isWorking = false;

  /** @param commit applies a group in one transaction, and returns what answers its updates after the commit */
  constructor(private readonly commit: (group: readonly WaitingUpdate[]) => Promise<readonly (() => void)[]>) {}

  add<T>(ids: readonly string[], change: CounterChange<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ ids, change, resolve: resolve as (answer: unknown) => void, reject });
      if (!this.#isWorking) this.#resource.runInAsyncScope(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.length > 0) {
      // Calls of the same turn of the event loop join.
      await setImmediate();
      const group = this.#waiting.splice(0, MAX_GROUP);
      try {
        for (const answer of await this.commit(group)) answer();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isWorking = false;
  }
}

/**
 * Applies the updates of a group one after the other, each to what those before it left. An update that throws changes
 * nothing and fails alone.
 *
 * @param read the stored counters by id
 * @returns the counters to write, and what answers the updates after the commit
 */
export function applied(
  group: readonly WaitingUpdate[],
  read: ReadonlyMap<string, StoredCounter>,
  now: number,
): { readonly written: readonly (readonly [string, StoredCounter])[]; readonly answers: readonly (() => void)[] } {
  const written = new Map<string, StoredCounter>();
  const stateOf = (id: string) => {
    const counter = written.get(id) ?? read.get(id);
    return counter && counter.expiresAt > now && counter.state.length > 0 ? counter.state : undefined;
  };
  const answers = group.map(({ ids, change, resolve, reject }) => {
    try {
      const { answer, writes = [] } = change(ids.map(stateOf), now);
      for (const [index, write] of writes.entries()) {
        const id = ids[index];
        if (write && id !== undefined) written.set(id, write);
      }
      return () => resolve(answer);
    } catch (error) {
      return () => reject(error);
    }
  });
  return { written: [...written], answers };
}
