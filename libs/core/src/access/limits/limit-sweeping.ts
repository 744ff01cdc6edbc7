import { nextTurn } from '../../async/time-slicer.js';
import type { LimitStore } from './limit-store.js';

const EVERY_MS = 60_000;
const BATCH = 500;

/** Removes expired counters in the background, in batches, once a minute. */
export class LimitSweeping {
  #timer: NodeJS.Timeout | undefined;
  #isSweeping = false;

  constructor(private readonly store: LimitStore) {}

  start(): void {
    this.#timer ??= setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Removes all expired counters. An unavailable store is reported by the next call; the next sweep tries again. */
  async sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      while ((await this.store.sweep(BATCH)) === BATCH) await nextTurn();
    } catch {
      // The counters stay until the next sweep.
    } finally {
      this.#isSweeping = false;
    }
  }
}
