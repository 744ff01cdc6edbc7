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
});
