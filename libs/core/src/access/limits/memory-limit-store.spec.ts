import { describeLimitStore } from '../../testing/contracts/access/limit-store.contract.js';
import { MemoryLimitStore } from './memory-limit-store.js';

describeLimitStore('MemoryLimitStore', async () => ({ store: new MemoryLimitStore(), close: async () => {} }));

describe('a store in memory that is full', () => {
  const write = (expiresAt: number) => () => ({ answer: 'ok', writes: [{ state: [1], expiresAt }] });

  it('refuses another counter instead of forgetting one, and has room again when one expires', () => {
    let now = 1000;
    const store = new MemoryLimitStore(() => now, 2);
    expect(store.update(['a'], write(2000))).toBe('ok');
    expect(store.update(['b'], write(9000))).toBe('ok');
    expect(() => store.update(['c'], write(9000))).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }));
    expect(store.update(['b'], write(9000))).toBe('ok');
    now = 2000;
    expect(store.update(['c'], write(9000))).toBe('ok');
  });

  it('forgets nothing when the clock is set back', async () => {
    let now = 10_000;
    const store = new MemoryLimitStore(() => now);
    store.update(['a'], write(12_000));
    now = 1_000;
    expect(await store.peek(['a'])).toEqual({ states: [[1]], now: 10_000 });
  });
});
