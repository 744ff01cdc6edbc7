import { getMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { abortable, Deadline, withLinkedSignal } from './deadline.js';

/** Everything that a signal references, including the engine's internal list of dependent signals. */
const inside = (signal: AbortSignal) => inspect(signal, { customInspect: false, showHidden: true, depth: 5 });

/** A signal that an earlier deadline was linked to. */
function usedSignal(): AbortSignal {
  const { signal } = new AbortController();
  new Deadline(60_000, signal).clear();
  return signal;
}

describe('a deadline beside another signal', () => {
  it('removes its listener from the other signal once it is cleared', () => {
    const signal = usedSignal();
    const before = inside(signal);
    const deadline = new Deadline(60_000, signal);
    expect(inside(signal)).not.toBe(before);
    deadline.clear();
    expect(inside(signal)).toBe(before);
  });

  it('removes its listener from the other signal once its time is up', () => {
    jest.useFakeTimers();
    const signal = usedSignal();
    const before = inside(signal);
    const deadline = new Deadline(1000, signal);
    jest.advanceTimersByTime(1000);
    jest.useRealTimers();
    expect([deadline.passed, inside(signal)]).toEqual([true, before]);
  });

  it('may be one of very many beside that signal, without a warning', () => {
    expect(getMaxListeners(usedSignal())).toBe(Infinity);
  });

  it('aborts for the reason of that signal, and its clock stops', () => {
    jest.useFakeTimers();
    const other = new AbortController();
    const deadline = new Deadline(1000, other.signal);
    other.abort('enough');
    expect([deadline.signal.reason, deadline.passed, jest.getTimerCount()]).toEqual(['enough', false, 0]);
    jest.useRealTimers();
  });

  it('has aborted from the start when that signal has', () => {
    const deadline = new Deadline(60_000, AbortSignal.abort('enough'));
    expect([deadline.signal.reason, deadline.passed]).toEqual(['enough', false]);
  });
});

const reasonOf = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('work under several signals', () => {
  it.each([0, 1])('aborts with the reason of the first signal that aborts (%i)', async (which) => {
    const controllers = [new AbortController(), new AbortController()];
    const told = withLinkedSignal(
      controllers.map(({ signal }) => signal),
      reasonOf,
    );
    controllers[which]?.abort('enough');
    expect(await told).toBe('enough');
  });

  it('begins under an aborted signal when one of them has aborted', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort('before')];
    expect(await withLinkedSignal(signals, async ({ reason }) => reason as unknown)).toBe('before');
  });

  it('removes its listeners from all signals, also after a failure', async () => {
    const { signal } = new AbortController();
    await withLinkedSignal([signal], async () => undefined);
    const before = inside(signal);
    await withLinkedSignal([signal], async () => expect(inside(signal)).not.toBe(before));
    await expect(withLinkedSignal([signal], () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    expect(inside(signal)).toBe(before);
  });

  it('may be one of very many under one signal, without a warning', async () => {
    const { signal } = new AbortController();
    await withLinkedSignal([signal], async () => undefined);
    expect(getMaxListeners(signal)).toBe(Infinity);
  });

  it('aborts when its time is up, and clears its timer if it ends before', async () => {
    jest.useFakeTimers();
    const told = withLinkedSignal([], reasonOf, 1000);
    jest.advanceTimersByTime(1000);
    expect(await told).toEqual(new Error('the deadline has passed'));
    await withLinkedSignal([], async () => expect(jest.getTimerCount()).toBe(1), 1000);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

const never = () => new Promise<never>(() => undefined);

describe('abortable', () => {
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

  it('aborts with another signal, and distinguishes it from the timeout', async () => {
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

describe('a held deadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('goes on with the time that was left, after the last hold', () => {
    const deadline = new Deadline(1000);
    jest.advanceTimersByTime(600);
    const [one, other] = [deadline.hold(), deadline.hold()];
    jest.advanceTimersByTime(5000);
    one();
    one();
    jest.advanceTimersByTime(5000);
    expect(deadline.passed).toBe(false);
    other();
    jest.advanceTimersByTime(399);
    expect(deadline.passed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(deadline.passed).toBe(true);
  });

  it('stays cleared when the hold ends', () => {
    const deadline = new Deadline(1000);
    const goOn = deadline.hold();
    deadline.clear();
    goOn();
    jest.advanceTimersByTime(5000);
    expect([deadline.passed, jest.getTimerCount()]).toEqual([false, 0]);
  });
});
