import { getMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { Deadline } from './deadline.js';

/** Everything that a signal references, including the engine's internal list of dependent signals. */
const inside = (signal: AbortSignal) => inspect(signal, { customInspect: false, showHidden: true, depth: 5 });

/** A signal that an earlier deadline was linked to. */
function usedSignal(): AbortSignal {
  const { signal } = new AbortController();
  new Deadline(60_000, signal).clear();
  return signal;
}

describe('a deadline beside another signal', () => {
  it('leaves nothing on that signal once it is cleared', () => {
    const signal = usedSignal();
    const before = inside(signal);
    const deadline = new Deadline(60_000, signal);
    expect(inside(signal)).not.toBe(before);
    deadline.clear();
    expect(inside(signal)).toBe(before);
  });

  it('leaves nothing on that signal once its time is up', () => {
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
