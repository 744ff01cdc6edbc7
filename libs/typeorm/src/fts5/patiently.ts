import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../database/error-code.js';

const PATIENCE_MS = 10_000;

/**
 * Tries again while another process has the database, for up to ten seconds. The waiting is done here and not by SQLite,
 * whose busy timeout would block the event loop.
 */
export async function patiently<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!codeOf(error)?.startsWith('SQLITE_BUSY') || performance.now() > end) throw error;
    }
    // Not in step with the other ones that wait.
    await setTimeout(5 + Math.random() * 20);
    signal?.throwIfAborted();
  }
}
