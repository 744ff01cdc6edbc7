/// <reference types="jest" />
import type { CounterState, StoredCounter } from '../../../access/limits/counter.js';
import type { CounterChange, LimitStore } from '../../../access/limits/limit-store.js';

const HOUR_MS = 3_600_000;

/** Adds one to each counter, or nothing if one of them is at its maximum. Answers with the counters as they were. */
function plusOne(max: number, forMs = HOUR_MS): CounterChange<readonly (CounterState | undefined)[] | 'full'> {
  return (states, now) => {
    const amounts = states.map((state) => Number(state?.[0] ?? 0));
    if (amounts.some((amount) => amount >= max)) return { answer: 'full' };
    const writes = amounts.map((amount): StoredCounter => ({
      state: [amount + 1, 'é\u0000"'],
      expiresAt: now + forMs,
    }));
    return { answer: states, writes };
  };
}

/**
 * The contract of {@link LimitStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeLimitStore(
  name: string,
  make: () => Promise<{ store: LimitStore; close: () => Promise<void> }>,
): void {
  describe(`${name} as a LimitStore`, () => {
    let store: LimitStore;
    let close: () => Promise<void>;
    beforeEach(async () => ({ store, close } = await make()));
    afterEach(() => close());

    const amounts = async (...keys: readonly string[]) =>
      (await store.peek(keys)).states.map((state) => state && Number(state[0]));

    it('is empty at first, and reads nothing without keys', async () => {
      expect(await amounts('a', 'b')).toEqual([undefined, undefined]);
      expect((await store.peek([])).states).toEqual([]);
      expect(await store.sweep(10)).toBe(0);
    });

    it('keeps what a change writes, in the order of its keys', async () => {
      const write = (n: number, now: number) => ({ state: [n, `${n}`], expiresAt: now + HOUR_MS });
      const answer = await store.update(['z', 'a', 'm'], (states, now) => ({
        answer: states,
        writes: [write(1, now), undefined, write(3, now)],
      }));
      expect(answer).toEqual([undefined, undefined, undefined]);
      expect((await store.peek(['m', 'a', 'z'])).states).toEqual([[3, '3'], undefined, [1, '1']]);
      const again = await store.update(['a', 'z'], (states) => ({ answer: states }));
      expect(again).toEqual([undefined, [1, '1']]);
    });

    it('writes nothing if the change returns no writes', async () => {
      await store.update(['a', 'b'], plusOne(5));
      expect(await store.update(['a', 'new'], () => ({ answer: 'no' }))).toBe('no');
      expect(await amounts('a', 'b', 'new')).toEqual([1, 1, undefined]);
    });

    it('does not write a change that throws', async () => {
      const change = async () =>
        store.update(['a'], () => {
          throw new Error('changed my mind');
        });
      await expect(change()).rejects.toThrow('changed my mind');
      expect(await amounts('a')).toEqual([undefined]);
      await store.update(['a'], plusOne(5));
      expect(await amounts('a')).toEqual([1]);
    });

    it('gives every change the counters that the one before it left', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, async () => store.update(['hot'], plusOne(25))));
      expect(answers.filter((answer) => answer === 'full')).toHaveLength(15);
      expect(await amounts('hot')).toEqual([25]);
    });

    it('takes several counters together or none, in any order of keys, without waiting for itself', async () => {
      const keys = ['a', 'b', 'c', 'd'];
      const updates = Array.from({ length: 60 }, async (_, index) => {
        const own = [keys[index % 4]!, keys[(index + 1 + (index % 3)) % 4]!];
        return (await store.update(own, plusOne(12))) === 'full' ? [] : own;
      });
      const taken = (await Promise.all(updates)).flat();
      for (const key of keys) {
        const count = taken.filter((each) => each === key).length;
        expect(count).toBeLessThanOrEqual(12);
        expect(await amounts(key)).toEqual([count === 0 ? undefined : count]);
      }
    });

    it('reads a counter that has expired as missing, and removes it', async () => {
      await store.update(['old'], plusOne(5, -1));
      await store.update(['kept'], plusOne(5));
      expect(await amounts('old', 'kept')).toEqual([undefined, 1]);
      expect(await store.update(['old', 'kept'], (states) => ({ answer: states.map((state) => state?.[0]) }))).toEqual([
        undefined,
        1,
      ]);
      expect(await store.sweep(10)).toBe(1);
      expect(await store.sweep(10)).toBe(0);
      expect(await amounts('kept')).toEqual([1]);
    });

    it('removes no more expired counters at a time than it is asked to', async () => {
      const keys = ['a', 'b', 'c'];
      await store.update(keys, plusOne(5, -1));
      expect([await store.sweep(2), await store.sweep(2), await store.sweep(2)]).toEqual([2, 1, 0]);
    });

    it('has one clock for changes and reads', async () => {
      const before = (await store.peek(['a'])).now;
      const within = await store.update(['a'], (_, now) => ({ answer: now }));
      const after = (await store.peek([])).now;
      expect(within).toBeGreaterThanOrEqual(before);
      expect(after).toBeGreaterThanOrEqual(within);
      expect(Math.abs(within - Date.now())).toBeLessThan(HOUR_MS);
    });

    it('distinguishes keys that differ in case, blanks or one character of many', async () => {
      const long = 'k'.repeat(8000);
      const keys = ['k', 'K', 'k ', long, `${long}l`];
      for (const [index, key] of keys.entries()) {
        for (let n = 0; n <= index; n++) await store.update([key], plusOne(9));
      }
      expect(await amounts(...keys)).toEqual([1, 2, 3, 4, 5]);
    });
  });
}
