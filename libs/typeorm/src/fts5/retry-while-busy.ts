import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../database/error-code.js';

const PATIENCE_MS = 10_000;

/**
 * Retries for up to 10 s while another process has locked the database. Waits asynchronously: SQLite's busy timeout
 * would block the event loop.
 */
export async function retryWhileBusy<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!codeOf(error)?.startsWith('SQLITE_BUSY') || performance.now() > end) throw error;
    }
    // Random delay, so that waiting processes do not retry at the same time.
    await setTimeout(5 + Math.random() * 20);
    signal?.throwIfAborted();
  }
}
