/// <reference types="jest" />
import type { LearnedQueryStore } from '../../search/learned/learned-query-store.js';

const LIMITS = { perTool: 3, perTenant: 5 };

/**
 * The contract of {@link LearnedQueryStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeLearnedQueryStore(
  name: string,
  make: () => Promise<{ store: LearnedQueryStore; close: () => Promise<void> }>,
): void {
  describe(`${name} as a LearnedQueryStore`, () => {
    let store: LearnedQueryStore;
    let close: () => Promise<void>;
    beforeEach(async () => ({ store, close } = await make()));
    afterEach(() => close());

    it('is empty for a tenant without learned queries', async () => {
      expect(await store.list('acme')).toEqual([]);
      expect(await store.forget('acme')).toBe(0);
    });

    it('keeps what led to a tool, the most recently used first', async () => {
      await store.learn('acme', 'billing.refund', 'give the money back', 10, LIMITS);
      await store.learn('acme', 'files.read', 'open the letter', 20, LIMITS);
      expect(await store.list('acme')).toEqual([
        { tool: 'files.read', query: 'open the letter', uses: 1, lastUsedAt: 20 },
        { tool: 'billing.refund', query: 'give the money back', uses: 1, lastUsedAt: 10 },
      ]);
    });

    it('counts every use once, also of many at the same moment, and never goes back in time', async () => {
      const learn = (now: number) => store.learn('acme', 'billing.refund', 'money back', now, LIMITS);
      await Promise.all(Array.from({ length: 20 }, (_, index) => learn(index)));
      await learn(3);
      expect(await store.list('acme')).toEqual([
        { tool: 'billing.refund', query: 'money back', uses: 21, lastUsedAt: 19 },
      ]);
    });

    it('lets go what a tool did not use for longest', async () => {
      for (let now = 0; now < 6; now++) await store.learn('acme', 'billing.refund', `query ${now}`, now, LIMITS);
      expect((await store.list('acme')).map(({ query }) => query)).toEqual(['query 5', 'query 4', 'query 3']);
    });

    it('lets go what a tenant did not use for longest', async () => {
      for (let now = 0; now < 8; now++) await store.learn('acme', `tool${now}`, 'query', now, LIMITS);
      expect((await store.list('acme')).map(({ tool }) => tool)).toEqual(['tool7', 'tool6', 'tool5', 'tool4', 'tool3']);
    });

    it('keeps tenants apart', async () => {
      await store.learn('acme', 'billing.refund', 'ours', 1, LIMITS);
      for (let now = 0; now < 9; now++) await store.learn('globex', `tool${now}`, 'theirs', now, LIMITS);
      expect((await store.list('acme')).map(({ query }) => query)).toEqual(['ours']);
      expect(await store.forget('globex')).toBe(5);
      expect(await store.list('acme')).toHaveLength(1);
    });

    it('forgets a query, a tool or everything', async () => {
      for (const tool of ['a', 'b']) {
        for (const query of ['x', 'y']) await store.learn('acme', tool, query, 1, LIMITS);
      }
      expect(await store.forget('acme', { tool: 'a', query: 'x' })).toBe(1);
      expect(await store.forget('acme', { query: 'x' })).toBe(1);
      expect(await store.forget('acme', { tool: 'b' })).toBe(1);
      expect(await store.list('acme')).toEqual([{ tool: 'a', query: 'y', uses: 1, lastUsedAt: 1 }]);
      expect(await store.forget('acme')).toBe(1);
      expect(await store.list('acme')).toEqual([]);
    });

    it('keeps text as it is', async () => {
      const query = `"; DROP TABLE --  ünï 创建工单 ${'x'.repeat(160)}`;
      await store.learn('acme', 'a.b', query, 1, LIMITS);
      expect((await store.list('acme'))[0]?.query).toBe(query);
      expect(await store.forget('acme', { query })).toBe(1);
    });
  });
}
