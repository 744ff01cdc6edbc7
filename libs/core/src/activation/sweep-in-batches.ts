import { nextTurn } from '../async/time-slicer.js';

/** Removes batches until one is not full, with a pause for other work in between. Returns how many it removed. */
export async function sweepInBatches(size: number, removeBatch: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = size; batch === size; removed += batch) {
    batch = await removeBatch();
    await nextTurn();
  }
  return removed;
}
