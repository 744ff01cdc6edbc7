import { setTimeout } from 'node:timers/promises';

/** Messages a second that are read of one connection in the long run. */
const MESSAGES_PER_SECOND = 1_000;
/** Messages that may come at once without anybody waiting. */
const BURST = 100;
/** Longest wait in milliseconds: whoever waits still has to notice that its peer has ended. */
const MAX_WAIT_MS = 1_000;

/**
 * How fast the messages of one connection are read. Node reads what has arrived in one go, megabytes of it, and every message is
 * parsed: a server that floods us would hold up everybody else. Who reads slowly is sent slowly.
 */
export class Pace {
  #due = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Milliseconds to wait after so many messages, before the next are read; 1,000 at most. */
  waitAfter(messages: number): number {
    const now = this.now();
    const burstMs = (BURST * 1_000) / MESSAGES_PER_SECOND;
    const due = Math.max(this.#due, now) + (messages * 1_000) / MESSAGES_PER_SECOND;
    this.#due = Math.min(due, now + burstMs + MAX_WAIT_MS);
    return Math.max(0, this.#due - now - burstMs);
  }

  /** Waits as long as {@link waitAfter} says. */
  async keep(messages: number): Promise<void> {
    const ms = this.waitAfter(messages);
    if (ms > 0) await setTimeout(ms, undefined, { ref: false });
  }
}
