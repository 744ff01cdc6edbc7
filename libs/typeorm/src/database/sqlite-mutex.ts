import { AsyncLocalStorage } from 'node:async_hooks';
import { ToolSearchError } from '@tool-search/core';
import type { SqliteFile } from './sqlite-file.js';

/** A FIFO mutex: one holder at a time. */
export class SqliteMutex {
  readonly #inside = new AsyncLocalStorage<object | undefined>();
  readonly #waiting: (() => void)[] = [];
  #within = 0;
  #holder: object | undefined;

  constructor(
    readonly file: SqliteFile,
    private readonly maxWaitMs: number,
  ) {}

  isHeldBy(holder: object): boolean {
    return this.#holder === holder;
  }

  /**
   * Waits for the mutex. @throws ToolSearchError `INTERNAL` if called, also indirectly, from the current holder: a
   * deadlock; `STORE_UNAVAILABLE` after `maxWaitMs`
   */
  async enter(holder: object): Promise<void> {
    this.assertOutside();
    if (this.#holder === undefined) this.#holder = holder;
    else await this.#wait(holder);
  }

  /** @throws ToolSearchError `INTERNAL` if called, also indirectly, from the current holder */
  assertOutside(hint = "Inside a transaction use its own EntityManager, not the DataSource's."): void {
    const outer = this.#inside.getStore();
    if (!outer || this.#holder !== outer) return;
    throw new ToolSearchError('INTERNAL', 'A statement would wait for the SQLite transaction it is called from.', {
      hint,
    });
  }

  #wait(holder: object): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const granted = (): void => {
        clearTimeout(timer);
        this.#holder = holder;
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(granted), 1);
        reject(
          new ToolSearchError('STORE_UNAVAILABLE', `SQLite was busy for ${this.maxWaitMs} ms.`, {
            hint: 'A transaction of the application is open for too long: end it, or do its slow work outside it.',
          }),
        );
      }, this.maxWaitMs);
      this.#waiting.push(granted);
    });
  }

  /** Passes the mutex to the caller that has waited longest. No effect unless `holder` holds it. */
  leave(holder: object): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#waiting.shift()?.();
  }

  /** Runs work on behalf of a holder. */
  async within<T>(holder: object | undefined, work: () => Promise<T>): Promise<T> {
    this.#within += 1;
    try {
      return await this.#inside.run(holder, work);
    } finally {
      this.#within -= 1;
      // An enabled AsyncLocalStorage slows every promise of the process; it is needed only during transactions.
      if (this.#within === 0) this.#inside.disable();
    }
  }
}
