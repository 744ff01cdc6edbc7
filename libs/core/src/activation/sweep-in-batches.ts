import { nextTurn } from '../async/time-slicer.js';

/** Removes, in batches, what a store has not touched for `ttlMs` milliseconds; 0 = never. Returns how many it removed. */
export async function sweepOlder(
  store: { sweep(before: number, batch: number): Promise<number> },
  batch: number,
  ttlMs: number,
  now: number,
): Promise<number> {
  return ttlMs === 0 ? 0 : sweepInBatches(batch, () => store.sweep(now - ttlMs, batch));
}

/** Removes batches until one is not full, with a pause for other work in between. Returns how many it removed. */
export async function sweepInBatches(size: number, removeBatch: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = size; batch === size; removed += batch) {
    batch = await removeBatch();
    await nextTurn();
  }
  return removed;
}
