import { atOnce, TimeSlicer } from './time-slicer.js';

describe('Slices', () => {
  it('ends a slice after its milliseconds, lets others run, and counts only the work', async () => {
    let now = 100;
    const slices = new TimeSlicer(5, undefined, () => now);
    now += 4;
    expect(slices.due).toBe(false);
    now += 1;
    expect(slices.due).toBe(true);
    const turns: string[] = [];
    setImmediate(() => {
      now += 1_000;
      turns.push('other');
    });
    await slices.pause();
    turns.push('slice');
    expect(turns).toEqual(['other', 'slice']);
    expect(slices.due).toBe(false);
    now += 2;
    expect(slices.spent).toBe(7);
  });

  it('does not count the time in which the process did not run', async () => {
    let now = 0;
    const slices = new TimeSlicer(5, undefined, () => now);
    now += 30_000;
    await slices.pause();
    now += 5;
    expect(slices.spent).toBe(105);
  });

  it('throws the reason of its signal, at the start and after a pause', async () => {
    const controller = new AbortController();
    const slices = new TimeSlicer(5, controller.signal);
    controller.abort(new Error('gone'));
    await expect(slices.pause()).rejects.toThrow('gone');
    expect(() => new TimeSlicer(5, controller.signal)).toThrow('gone');
  });

  it('does steps until the slice is over, lets others run, and goes on', async () => {
    let now = 0;
    function* work(steps: number): Generator<void, number> {
      for (let step = 0; step < steps; step++) {
        now += 6;
        yield;
      }
      return steps;
    }
    let turns = 0;
    let isOver = false;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    others();
    expect(await new TimeSlicer(10, undefined, () => now).run(work(20))).toBe(20);
    isOver = true;
    // Two steps fill a slice.
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(atOnce(work(20))).toBe(20);
  });

  it('throws what its steps throw, and ends with its signal', async () => {
    function* broken(): Generator<void, never> {
      yield;
      throw new Error('broken');
    }
    await expect(new TimeSlicer(5).run(broken())).rejects.toThrow('broken');
    expect(() => atOnce(broken())).toThrow('broken');
    function* endless(): Generator<void, never> {
      for (;;) yield;
    }
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(new TimeSlicer(1, abort.signal).run(endless())).rejects.toThrow('enough');
  });
});

it('lets one piece of work run in each turn of the event loop, all of them in turn', async () => {
  let turn = 0;
  let isDone = false;
  const tick = () => void ((turn += 1), isDone || setImmediate(tick));
  setImmediate(tick);
  const ran: { readonly turn: number; readonly work: number }[] = [];
  const work = async (id: number) => {
    const slices = new TimeSlicer(5);
    for (let i = 0; i < 4; i += 1) {
      await slices.pause();
      ran.push({ turn, work: id });
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, id) => work(id)));
  isDone = true;
  expect(new Set(ran.map((each) => each.turn)).size).toBe(ran.length);
  expect(ran.slice(0, 10).map((each) => each.work)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
