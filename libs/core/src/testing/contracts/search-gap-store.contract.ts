/// <reference types="jest" />
import {
  type GapEntry,
  type GapQueryEntry,
  NO_GAPS,
  type SearchGapStore,
} from '../../toolbox/search-gaps/search-gap-store.js';

const HOUR = 3_600_000;

function entry(of: Partial<GapEntry>): GapEntry {
  return { tenantId: 'acme', hour: HOUR, ...NO_GAPS, ...of };
}

function words(query: string, of: Partial<GapQueryEntry> = {}): GapQueryEntry {
  return { tenantId: 'acme', kind: 'zero_hit', query, uses: 1, lastUsedAt: 1, ...of };
}

/**
 * The contract of {@link SearchGapStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeSearchGapStore(
  name: string,
  make: () => Promise<{ store: SearchGapStore; close: () => Promise<void> }>,
): void {
  describe(`${name} as a SearchGapStore`, () => {
    let store: SearchGapStore;
    let close: () => Promise<void>;
    beforeEach(async () => ({ store, close } = await make()));
    afterEach(() => close());

    it('is empty before anything is counted', async () => {
      await store.add([]);
      await store.addQueries([], 5);
      expect(await store.sums({}, { limit: 10 })).toEqual([]);
      expect(await store.queries('acme')).toEqual([]);
      expect(await store.reset()).toBe(0);
    });

    it('counts exactly what many add at the same moment, in whichever order', async () => {
      const tenants = ['acme', 'globex', 'initech'].map((tenantId) =>
        entry({ tenantId, searches: 4, zeroHits: 3, unused: 2, loops: 1 }),
      );
      await Promise.all(
        Array.from({ length: 20 }, (_, round) => store.add(round % 2 === 0 ? tenants : [...tenants].reverse())),
      );
      expect(await store.sums({ tenantId: 'globex' }, { limit: 10 })).toEqual([
        { tenantId: 'globex', searches: 80, zeroHits: 60, unused: 40, loops: 20 },
      ]);
      expect(await store.sums({}, { limit: 10 })).toHaveLength(3);
    });

    it('lists every tenant once, over all pages', async () => {
      const tenants = Array.from({ length: 5 }, (_, index) => `tenant ${index}`);
      await store.add(
        tenants.flatMap((tenantId) => [1, 2].map((hour) => entry({ tenantId, hour: hour * HOUR, searches: 1 }))),
      );
      const first = await store.sums({}, { limit: 3 });
      const after = first.at(-1)?.tenantId ?? '';
      const second = await store.sums({}, { limit: 3, after });
      expect([...first, ...second].map(({ tenantId }) => tenantId).sort()).toEqual(tenants);
      expect((await store.sums({ since: 2 * HOUR }, { limit: 9 })).map(({ searches }) => searches)).toEqual([
        1, 1, 1, 1, 1,
      ]);
      expect(await store.sums({ since: 3 * HOUR }, { limit: 9 })).toEqual([]);
    });

    it('keeps words with their uses, the commonest first, kinds and tenants apart', async () => {
      await store.addQueries([words('refund'), words('cash', { uses: 2, lastUsedAt: 7 })], 9);
      await store.addQueries([words('refund', { uses: 4, lastUsedAt: 5 }), words('cash', { lastUsedAt: 3 })], 9);
      await store.addQueries([words('refund', { kind: 'unused' }), words('refund', { tenantId: 'globex' })], 9);
      expect(await store.queries('acme')).toEqual([
        { kind: 'zero_hit', query: 'refund', uses: 5, lastUsedAt: 5 },
        { kind: 'zero_hit', query: 'cash', uses: 3, lastUsedAt: 7 },
        { kind: 'unused', query: 'refund', uses: 1, lastUsedAt: 1 },
      ]);
      expect(await store.queries('acme', 'unused')).toHaveLength(1);
      expect(await store.queries('globex')).toHaveLength(1);
    });

    it('lets go what was not used for longest beyond what is kept of a tenant', async () => {
      await store.addQueries([words('theirs', { tenantId: 'globex' })], 2);
      await store.addQueries(
        [3, 1, 4, 2].map((lastUsedAt) => words(`query ${lastUsedAt}`, { lastUsedAt })),
        2,
      );
      expect((await store.queries('acme')).map(({ query }) => query)).toEqual(['query 4', 'query 3']);
      expect(await store.queries('globex')).toHaveLength(1);
    });

    it('keeps text as it is', async () => {
      const query = `"; DROP TABLE --  ünï 创建工单 ${'x'.repeat(160)}`;
      await store.addQueries([words(query)], 9);
      expect((await store.queries('acme'))[0]?.query).toBe(query);
    });

    it('forgets one tenant, or all', async () => {
      for (const tenantId of ['acme', 'globex', 'initech']) {
        await store.add([entry({ tenantId, searches: 1 })]);
        await store.addQueries([words('refund', { tenantId })], 9);
      }
      expect(await store.reset('acme')).toBe(2);
      expect(await store.queries('acme')).toEqual([]);
      expect(await store.sums({}, { limit: 9 })).toHaveLength(2);
      expect(await store.reset()).toBe(4);
      expect(await store.sums({}, { limit: 9 })).toEqual([]);
    });

    it('forgets old hours and words in batches', async () => {
      await store.add([1, 2, 3, 4].map((hour) => entry({ hour: hour * HOUR, searches: 1 })));
      await store.addQueries([words('old', { lastUsedAt: HOUR }), words('new', { lastUsedAt: 4 * HOUR })], 9);
      expect(await store.sweep(4 * HOUR, 2)).toBe(3);
      expect(await store.sweep(4 * HOUR, 2)).toBe(1);
      expect(await store.sweep(4 * HOUR, 2)).toBe(0);
      expect((await store.queries('acme')).map(({ query }) => query)).toEqual(['new']);
      expect((await store.sums({}, { limit: 9 }))[0]?.searches).toBe(1);
    });
  });
}
