import { Deadline } from './deadline.js';
import { abortable } from './abortable.js';

const never = () => new Promise<never>(() => undefined);

describe('unlessAborted', () => {
  it('gives the answer of work that ends in time, or its fault', async () => {
    const { signal } = new AbortController();
    expect(await abortable(async () => 7, signal)).toBe(7);
    await expect(abortable(() => Promise.reject(new Error('later')), signal)).rejects.toThrow('later');
    const throws = (): Promise<number> => {
      throw new Error('at once');
    };
    await expect(abortable(throws, signal)).rejects.toThrow('at once');
  });

  it('gives up work that does not heed the signal, and ignores how it ends', async () => {
    const controller = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const work = () => new Promise<number>((_, reject) => (fail = reject));
    const given = abortable(work, controller.signal);
    await Promise.resolve();
    controller.abort('enough');
    await expect(given).rejects.toMatchObject({ message: 'aborted', cause: 'enough' });
    fail(new Error('nobody waits for this one'));
  });

  it('does not begin under a signal that has aborted', async () => {
    let begun = false;
    const work = async () => void (begun = true);
    await expect(abortable(work, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(begun).toBe(false);
  });
});

describe('Deadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('aborts when its time is up, and says so', () => {
    const deadline = new Deadline(1000);
    jest.advanceTimersByTime(999);
    expect([deadline.signal.aborted, deadline.passed]).toEqual([false, false]);
    jest.advanceTimersByTime(1);
    expect([deadline.signal.aborted, deadline.passed]).toEqual([true, true]);
  });

  it('aborts with another signal, and tells the two apart', async () => {
    const caller = new AbortController();
    const deadline = new Deadline(1000, caller.signal);
    const given = abortable(never, deadline.signal);
    caller.abort();
    await expect(given).rejects.toThrow('aborted');
    expect([deadline.signal.aborted, deadline.passed]).toEqual([true, false]);
  });

  it('leaves no clock running once it is cleared', () => {
    const deadline = new Deadline(1000);
    deadline.clear();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes more time than a timer can count', () => {
    const deadline = new Deadline(Number.MAX_SAFE_INTEGER);
    jest.advanceTimersByTime(1_000_000);
    expect(deadline.passed).toBe(false);
    deadline.clear();
  });
});
