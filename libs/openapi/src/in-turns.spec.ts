import { atOnce, inTurns } from './in-turns.js';

describe('work in turns', () => {
  const busy = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  function* work(steps: number, ms: number): Generator<void, number> {
    for (let step = 0; step < steps; step++) {
      yield;
      busy(ms);
    }
    return steps;
  }

  it('lets others have their turn, and comes to the same', async () => {
    let turns = 0;
    let isOver = false;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    others();
    expect(await inTurns(new AbortController().signal, work(20, 6))).toBe(20);
    isOver = true;
    // Two steps fill a turn.
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(atOnce(work(20, 0))).toBe(20);
  });

  it('throws what the work throws, and ends with its signal', async () => {
    function* broken(): Generator<void, never> {
      yield;
      throw new Error('broken');
    }
    await expect(inTurns(new AbortController().signal, broken())).rejects.toThrow('broken');
    const reason = new Error('enough');
    await expect(inTurns(AbortSignal.abort(reason), work(1, 0))).rejects.toBe(reason);
    const abort = new AbortController();
    setImmediate(() => abort.abort(reason));
    await expect(inTurns(abort.signal, work(1_000_000, 1))).rejects.toBe(reason);
  });
});
