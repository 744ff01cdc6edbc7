import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs a garbage collection; works without `--expose-gc`. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Heap and array buffers in use after forced garbage collection, in MiB. */
export async function heldMegabytes(): Promise<number> {
  // Array buffers are freed shortly after the collection.
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
