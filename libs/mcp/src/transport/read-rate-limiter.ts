import { setTimeout } from 'node:timers/promises';

/** Sustained rate at which the messages of one connection are read. */
const MESSAGES_PER_SECOND = 1_000;
/** Messages that are read at once without a wait. */
const BURST = 100;
/** Longest wait in milliseconds. While waiting, a transport does not notice that its peer has ended. */
const MAX_WAIT_MS = 1_000;

/**
 * Limits how fast the messages of one connection are read. Node delivers megabytes at once and every message is parsed,
 * so a flooding server would block all other work. Backpressure slows the sender down.
 */
export class ReadRateLimiter {
  #due = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Milliseconds to wait after this many messages before reading on; at most 1,000. */
  waitAfter(messages: number): number {
    const now = this.now();
    const burstMs = (BURST * 1_000) / MESSAGES_PER_SECOND;
    const due = Math.max(this.#due, now) + (messages * 1_000) / MESSAGES_PER_SECOND;
    this.#due = Math.min(due, now + burstMs + MAX_WAIT_MS);
    return Math.max(0, this.#due - now - burstMs);
  }

  /** Waits as long as {@link waitAfter} returns. */
  async keep(messages: number): Promise<void> {
    const ms = this.waitAfter(messages);
    if (ms > 0) await setTimeout(ms, undefined, { ref: false });
  }
}
