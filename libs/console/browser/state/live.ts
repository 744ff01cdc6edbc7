import { signal } from '@preact/signals';
import { api, ApiError } from '../api/client.js';
import type { StatusAnswer } from '../api/routes.js';
import { operator } from './operator.js';
import { session } from './session.js';

const EVERY_MS = 2000;
const COUNTS_EVERY = 3;

/** The newest status; undefined until the first answer. */
export const status = signal<StatusAnswer | undefined>(undefined);
/** Why the last status could not be read; undefined while it can. */
export const lost = signal<ApiError | undefined>(undefined);
/** Grows when operators have changed something, and after every sign-in. */
export const changes = signal(0);
/** Grows every few seconds, for figures that are no decisions. */
export const ticks = signal(0);

let timer: ReturnType<typeof setTimeout> | undefined;
let rounds = 0;
let seenBy = '';

/** Reads the status now, and from then on every two seconds. */
export async function watchStatus(): Promise<void> {
  clearTimeout(timer);
  // A failure is shown as a banner, and the next round tries again.
  if (session.value === 'in' && !document.hidden) await readStatus().catch(() => undefined);
  timer = setTimeout(() => void watchStatus(), EVERY_MS);
}

/** Reads the status once; all screens read their data again if a decision was made since. */
export async function readStatus(): Promise<void> {
  try {
    operator.value ??= await api('GET me');
    const newest = await api('GET status');
    const seen = JSON.stringify([newest.revision, newest.state, newest.counts]);
    const isNew = seen !== seenBy;
    seenBy = seen;
    lost.value = undefined;
    status.value = newest;
    if (isNew) changes.value += 1;
    rounds += 1;
    if (rounds % COUNTS_EVERY === 0) ticks.value += 1;
  } catch (error) {
    if (error instanceof ApiError) lost.value = error;
    throw error;
  }
}

/** Reads all data anew. */
export function refresh(): void {
  changes.value += 1;
}
