import { setImmediate as turn } from 'node:timers/promises';
import { timed } from './timed.js';

const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('timed', () => {
  it('takes work without a pause for one block', async () => {
    const { value, ms, blockMs } = await timed(async () => {
      busy(10);
      await Promise.resolve();
      busy(10);
      return 'done';
    });
    expect(value).toBe('done');
    expect(blockMs).toBe(ms);
    expect(blockMs).toBeGreaterThanOrEqual(20);
  });

  it('takes the longest stretch of work that pauses', async () => {
    const { ms, blockMs } = await timed(async () => {
      busy(5);
      await turn();
      busy(15);
      await turn();
      busy(5);
    });
    expect(blockMs).toBeGreaterThanOrEqual(15);
    expect(blockMs).toBeLessThan(ms);
  });

  it('passes a failure on', async () => {
    await expect(timed(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
