import { MemoryLearnedQueryStore } from '../../search/learned/memory-learned-query-store.js';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import { withDefaults } from '../../options/options.js';
import { LearnedQueries, type LearningOptions, learningSchema } from './learned-queries.js';

const refund = fakeTool({ name: 'billing.refund' });
const own = fakeTool({ name: 'acme.export', owner: 'acme' });
const snapshot = new CatalogSnapshot(1, [refund, own]);

function learning(options?: LearningOptions) {
  const store = new MemoryLearnedQueryStore();
  const faults: unknown[] = [];
  return {
    store,
    faults,
    learned: new LearnedQueries(store, options && withDefaults(learningSchema, options), (error) => faults.push(error)),
  };
}

describe('LearnedQueries', () => {
  it('learns nothing by default', async () => {
    const { learned, store } = learning();
    await learned.learn('acme', refund, 'money back');
    expect(await store.list('acme')).toEqual([]);
    expect(await learned.overlay('acme', snapshot)).toBeUndefined();
  });

  it('returns a learned query to its own tenant only', async () => {
    const { learned } = learning({ from: 'tenant' });
    await learned.learn('acme', refund, 'customer wants his cash');
    expect((await learned.overlay('acme', snapshot))?.postings('cash')).toEqual([
      { tool: 0, impact: expect.any(Number) },
    ]);
    expect(await learned.overlay('globex', snapshot)).toBeUndefined();
  });

  it('shares lessons about shared tools alone where the application says so', async () => {
    const { learned } = learning({ from: 'everyone' });
    await learned.learn('acme', refund, 'customer wants his cash');
    await learned.learn('acme', own, 'dump it all');
    const overlay = await learned.overlay('globex', snapshot);
    expect(overlay?.postings('cash')).toHaveLength(1);
    expect(overlay?.postings('dump')).toEqual([]);
  });

  it('forgets', async () => {
    const { learned } = learning({ from: 'tenant' });
    await learned.learn('acme', refund, 'cash');
    await learned.overlay('acme', snapshot);
    expect(await learned.forget('acme', { tool: 'billing.refund' })).toBe(1);
    expect(await learned.overlay('acme', snapshot)).toBeUndefined();
  });

  it('keeps no query with a credential, and long ones shortened without half a character', async () => {
    const { learned } = learning({ from: 'tenant' });
    await learned.learn('acme', refund, 'refund with sk_live_0123456789abcdef');
    await learned.learn('acme', refund, `${'x'.repeat(199)}😀`);
    expect((await learned.list('acme')).map(({ query }) => query)).toEqual(['x'.repeat(199)]);
  });

  it('leaves out tools that the snapshot does not have', async () => {
    const { learned } = learning({ from: 'tenant' });
    await learned.learn('acme', fakeTool({ name: 'gone.tool' }), 'cash');
    expect((await learned.overlay('acme', snapshot))?.postings('cash')).toEqual([]);
  });

  it('never fails a call or a search over a store that is down', async () => {
    const { learned, store, faults } = learning({ from: 'tenant' });
    store.learn = async () => Promise.reject(new Error('down'));
    store.list = async () => Promise.reject(new Error('down'));
    await learned.learn('acme', refund, 'cash');
    expect(await learned.overlay('acme', snapshot)).toBeUndefined();
    expect(faults).toHaveLength(2);
  });

  it('searches without lessons where the store never answers, and says so once', async () => {
    const { learned, store, faults } = learning({ from: 'tenant' });
    await learned.learn('acme', refund, 'cash');
    store.list = () => new Promise(() => {});
    expect(await learned.overlay('acme', snapshot)).toBeUndefined();
    expect(await learned.overlay('globex', snapshot)).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it('knows after an outage what it had analyzed before', async () => {
    const { learned, store } = learning({ from: 'tenant' });
    await learned.learn('acme', refund, 'cash');
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const before = await learned.overlay('acme', snapshot);
      const list = jest.spyOn(store, 'list').mockRejectedValue(new Error('down'));
      for (let outage = 0; outage < 2; outage++) {
        now += 60_000;
        expect(await learned.overlay('acme', snapshot)).toBeUndefined();
      }
      list.mockRestore();
      now += 120_000;
      expect(before).toBeDefined();
      expect(await learned.overlay('acme', snapshot)).toBe(before);
    } finally {
      clock.mockRestore();
    }
  });

  it('makes one overlay of a snapshot, however many search at once', async () => {
    const { learned } = learning({ from: 'tenant' });
    await learned.learn('acme', refund, 'cash');
    const [one, other] = await Promise.all([learned.overlay('acme', snapshot), learned.overlay('acme', snapshot)]);
    expect(one).toBeDefined();
    expect(other).toBe(one);
  });
});
