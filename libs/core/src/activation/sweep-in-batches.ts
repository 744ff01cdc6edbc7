/** Removes batch by batch until one is not full, and leaves room for other work in between. Returns how many went. */
export async function sweepInBatches(size: number, removeBatch: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = size; batch === size; removed += batch) {
    batch = await removeBatch();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return removed;
}
