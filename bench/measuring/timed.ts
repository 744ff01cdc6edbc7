/** How long some work took, and for how long at most it kept the event loop from everything else. */
export interface Timed<T> {
  readonly value: T;
  readonly ms: number;
  readonly blockMs: number;
}

/** Runs work and measures it. Between two turns of the event loop lies one block. */
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
