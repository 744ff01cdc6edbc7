import { openSync, readSync } from 'node:fs';

const EVERY_MS = 5;

/** One period in which the event loop was blocked. */
export interface Block {
  readonly ms: number;
  /** Without the time in which the thread waited for a CPU core. On Linux only; elsewhere equal to `ms`. */
  readonly ownMs: number;
}

/** Measures blocks of the main thread's event loop. */
export class EventLoopClock {
  readonly #schedule = scheduleFile();
  #last = performance.now();
  #waited = this.#waitedMs();
  #longest: Block = { ms: 0, ownMs: 0 };

  start(): void {
    setTimeout(() => {
      this.#tick();
      this.start();
    }, EVERY_MS).unref();
  }

  /** The longest block since the previous call. */
  longest(): Block {
    const { ms, ownMs } = this.#longest;
    this.#longest = { ms: 0, ownMs: 0 };
    return { ms, ownMs };
  }

  #tick(): void {
    const [now, waited] = [performance.now(), this.#waitedMs()];
    const ms = Math.max(0, now - this.#last - EVERY_MS);
    const ownMs = Math.max(0, ms - (waited - this.#waited));
    const longest = this.#longest;
    this.#longest = { ms: Math.max(longest.ms, ms), ownMs: Math.max(longest.ownMs, ownMs) };
    [this.#last, this.#waited] = [now, waited];
  }

  #waitedMs(): number {
    if (this.#schedule === undefined) return 0;
    const text = Buffer.alloc(64);
    const length = readSync(this.#schedule, text, 0, text.length, 0);
    const [, waitedNs = 0] = text.toString('latin1', 0, length).split(' ').map(Number);
    return waitedNs / 1e6;
  }
}

function scheduleFile(): number | undefined {
  try {
    return openSync('/proc/self/schedstat', 'r');
  } catch {
    return undefined;
  }
}
