import { ToolSearchError } from '@tool-search/core';
import { codeOf } from './error-code.js';

/** For how long statements wait together for a lock of another connection, from the first one that found it. */
const MAX_BUSY_MS = 5_000;
/** A lock that nobody met for this long counts as a new one. */
const FORGET_MS = 1_000;
const MAX_PAUSE_MS = 50;

/**
 * Waits until another connection releases its lock on the SQLite file. The driver itself would wait without letting the
 * event loop run, so a transaction of another connection in the same process could never end. Statements share one
 * period of waiting: after it each is tried once, so that a lock that stays does not hold up one call after another.
 */
export class BusyFile {
  #busy: { readonly since: number; seen: number } | undefined;

  constructor(private readonly maxBusyMs = MAX_BUSY_MS) {}

  /**
   * @param takesLock whether `work` has held the lock for writing once it has succeeded. A read succeeds whoever holds it,
   *   and shows nothing of it
   * @throws ToolSearchError `STORE_UNAVAILABLE` if the lock stays; what `work` throws
   */
  async patiently<T>(work: () => Promise<T>, takesLock: () => boolean): Promise<T> {
    for (let pause = 1; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        const result = await work();
        if (this.#busy && takesLock()) this.#busy = undefined;
        return result;
      } catch (error) {
        if (codeOf(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
        if (this.#meet() >= this.maxBusyMs) throw this.#kept(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Milliseconds for which statements have met the lock. */
  #meet(): number {
    const now = performance.now();
    if (!this.#busy || now - this.#busy.seen > FORGET_MS) this.#busy = { since: now, seen: now };
    this.#busy.seen = now;
    return now - this.#busy.since;
  }

  #kept(cause: unknown): ToolSearchError {
    const seconds = this.maxBusyMs / 1000;
    return new ToolSearchError(
      'STORE_UNAVAILABLE',
      `Another connection has kept the SQLite file locked for more than ${seconds} s.`,
      {
        hint: 'The file is for ToolSearch alone: give the application a file of its own, and end other programs that write to this one.',
        cause,
      },
    );
  }
}
