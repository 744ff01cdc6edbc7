import { Slices } from './slices.js';

describe('Slices', () => {
  it('ends a slice after its milliseconds, lets others run, and counts only the work', async () => {
    let now = 100;
    const slices = new Slices(5, undefined, () => now);
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

  it('throws the reason of its signal, at the start and after a pause', async () => {
    const controller = new AbortController();
    const slices = new Slices(5, controller.signal);
    controller.abort(new Error('gone'));
    await expect(slices.pause()).rejects.toThrow('gone');
    expect(() => new Slices(5, controller.signal)).toThrow('gone');
  });
});
