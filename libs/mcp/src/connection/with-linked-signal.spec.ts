import { getMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { withLinkedSignal } from './with-linked-signal.js';

/** Everything that a signal references, including Node's internal records of dependent signals. */
const inside = (signal: AbortSignal) => inspect(signal, { customInspect: false, showHidden: true, depth: 5 });
const reasonOf = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('work under several signals', () => {
  it.each([0, 1])('is told when one of them aborts, and why (%i)', async (which) => {
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

  it('leaves nothing on them, however it ends', async () => {
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

  it('is told when its time is over, and leaves no clock running when it ends before', async () => {
    jest.useFakeTimers();
    const told = withLinkedSignal([], reasonOf, 1000);
    jest.advanceTimersByTime(1000);
    expect(await told).toEqual(new Error('it took too long'));
    await withLinkedSignal([], async () => expect(jest.getTimerCount()).toBe(1), 1000);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
