import { describeLimitStore } from '../../testing/contracts/access/limit-store.contract.js';
import { MemoryLimitStore } from './memory-limit-store.js';

describeLimitStore('MemoryLimitStore', async () => ({ store: new MemoryLimitStore(), close: async () => {} }));

describe('a store in memory that is full', () => {
  const write = (expiresAt: number) => () => ({ answer: 'ok', writes: [{ state: [1], expiresAt }] });

  it('refuses another counter instead of forgetting one, and has room again when one expires', () => {
    let now = 1000;
    const store = new MemoryLimitStore(() => now, 4);
    expect(store.update(['a'], write(2000))).toBe('ok');
    expect(store.update(['b'], write(9000))).toBe('ok');
    expect(() => store.update(['c'], write(9000))).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }));
    expect(store.update(['b'], write(9000))).toBe('ok');
    now = 2000;
    expect(store.update(['c'], write(9000))).toBe('ok');
  });

  it('keeps room for others when one tenant has taken its share, and loses no counter of either', async () => {
    const store = new MemoryLimitStore(() => 1000, 1000);
    const take = (tenantId: string, from: number, count: number) => {
      for (let n = from; n < from + count; n += 1) store.update([`${tenantId} ${n}`], write(9000), tenantId);
    };
    take('acme', 0, 500);
    for (let n = 0; n < 50; n += 1) expect(() => take('acme', 500 + n, 1)).toThrow("The tenant's share");
    take('globex', 0, 200);
    take('acme', 0, 500);
    const keys = [...Array(500).keys()].flatMap((n) => [`acme ${n}`, ...(n < 200 ? [`globex ${n}`] : [])]);
    const { states } = await store.peek(keys);
    expect(states.filter((state) => state === undefined)).toEqual([]);
    expect((await store.peek(['acme 500'])).states).toEqual([undefined]);
  });

  it('writes all counters of a call or none, and counts shared ones for the tenant that created them', async () => {
    const store = new MemoryLimitStore(() => 1000, 8);
    const both = () => ({ answer: 'ok', writes: [1, 2].map(() => ({ state: [1], expiresAt: 9000 })) });
    store.update(['for all', 'acme 1'], both, 'acme');
    store.update(['for all', 'acme 2'], both, 'acme');
    expect(() => store.update(['acme 3', 'acme 4'], both, 'acme')).toThrow("The tenant's share");
    expect((await store.peek(['acme 3', 'acme 4'])).states).toEqual([undefined, undefined]);
    expect(store.update(['for all', 'globex 1'], both, 'globex')).toBe('ok');
    expect(store.update(['for all', 'acme 3'], both, 'acme')).toBe('ok');
    expect(() => store.update(['for all', 'acme 4'], both, 'acme')).toThrow("The tenant's share");
  });

  it('keeps its counters when the clock is set back', async () => {
    let now = 10_000;
    const store = new MemoryLimitStore(() => now);
    store.update(['a'], write(12_000));
    now = 1_000;
    expect(await store.peek(['a'])).toEqual({ states: [[1]], now: 10_000 });
  });
});
