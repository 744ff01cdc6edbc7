/** Duration of some work, and its longest block of the event loop, in milliseconds. */
export interface Timed<T> {
  readonly value: T;
  readonly ms: number;
  readonly blockMs: number;
}

/** Runs work and measures it. A block is the time between two turns of the event loop. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  let blockMs = 0;
  const started = performance.now();
  let lastTurn = started;
  const turn = (): void => {
    const now = performance.now();
    blockMs = Math.max(blockMs, now - lastTurn);
    lastTurn = now;
    nextTurn = setImmediate(turn);
  };
  let nextTurn = setImmediate(turn);
  try {
    const value = await work();
    const ended = performance.now();
    return { value, ms: ended - started, blockMs: Math.max(blockMs, ended - lastTurn) };
  } finally {
    clearImmediate(nextTurn);
  }
}
