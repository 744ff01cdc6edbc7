import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nobody holds any more; works without `--expose-gc`. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Heap and array buffers that are in use after forced garbage collection, in MiB. */
export async function heldMegabytes(): Promise<number> {
  // Array buffers are given back a moment after the collection that found them dead.
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
