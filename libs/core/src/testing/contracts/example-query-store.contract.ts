/// <reference types="jest" />
import {
  type ExampleQueryStore,
  NO_COSTS,
  type QueryClaim,
  type QueryResult,
  type WrittenQueries,
} from '../../toolbox/example-queries/example-query-store.js';

const EACH = { inputTokens: 80, outputTokens: 20, micros: 7 };

const written = (hash: string, given: Partial<WrittenQueries> = {}): WrittenQueries => ({
  hash,
  owner: '',
  tool: `tools.${hash}`,
  queries: [`a request for ${hash}`],
  writer: 'model-1',
  writtenAt: 100,
  ...given,
});

/**
 * The contract of {@link ExampleQueryStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeExampleQueryStore(
  name: string,
  make: () => Promise<{ store: ExampleQueryStore; close: () => Promise<void> }>,
): void {
  describe(`${name} as an ExampleQueryStore`, () => {
    let store: ExampleQueryStore;
    let close: () => Promise<void>;
    beforeEach(async () => ({ store, close } = await make()));
    afterEach(() => close());

    const claim = (hashes: readonly string[], given: Partial<QueryClaim> = {}) =>
      store.claim({
        claimant: 'one',
        subjects: hashes.map((hash) => ({ hash, owner: '', tool: `tools.${hash}` })),
        now: 1_000,
        leaseMs: 500,
        each: EACH,
        limits: {},
        maxFailures: 2,
        ...given,
      });
    const finish = (given: Partial<QueryResult>) =>
      store.finish({ claimant: 'one', written: [], failed: [], released: [], costs: NO_COSTS, keep: 2, ...given });

    it('is empty at first', async () => {
      expect(await store.find(['a', 'b'])).toEqual([]);
      expect(await store.find([])).toEqual([]);
      expect(await store.costs()).toEqual(NO_COSTS);
      expect(await store.forget({ hashes: ['a'] })).toBe(0);
      expect(await store.forget({ owner: 'acme' })).toBe(0);
    });

    it('keeps what a claimant wrote, as it is', async () => {
      expect(await claim(['a', 'b'])).toEqual({ claimed: ['a', 'b'], busy: [], settled: [], isSpent: false });
      expect(await store.find(['a', 'b'])).toEqual([]);
      const queries = [`"; DROP TABLE --  ünï 创建工单 ${'x'.repeat(160)}`, 'second'];
      expect(await finish({ written: [written('a', { queries })] })).toEqual(['a']);
      expect(await store.find(['b', 'a'])).toEqual([written('a', { queries })]);
      expect(await claim(['a'])).toEqual({ claimed: [], busy: [], settled: ['a'], isSpent: false });
    });

    it('gives each definition to one claimant, until the lease is over', async () => {
      await claim(['a']);
      const other = { claimant: 'two' };
      expect(await claim(['a', 'b'], { ...other, now: 1_499 })).toMatchObject({ claimed: ['b'], busy: ['a'] });
      expect(await claim(['a'], { ...other, now: 1_500 })).toMatchObject({ claimed: ['a'], busy: [] });
      // The first one is too late: the second writes now.
      expect(await finish({ written: [written('a')] })).toEqual([]);
      expect(await store.find(['a'])).toEqual([]);
      expect(await finish({ ...other, written: [written('a', { writer: 'model-2' })] })).toEqual(['a']);
      expect(await store.find(['a'])).toEqual([written('a', { writer: 'model-2' })]);
    });

    it('gives no definition to two of many that ask at once', async () => {
      const hashes = Array.from({ length: 12 }, (_, index) => `h${index}`);
      const asked = Array.from({ length: 6 }, (_, index) => claim(hashes, { claimant: `c${index}` }));
      const claimed = (await Promise.all(asked)).flatMap((outcome) => outcome.claimed);
      expect(claimed.toSorted()).toEqual(hashes.toSorted());
    });

    it('lets go what was released, and gives up what failed too often', async () => {
      await claim(['a', 'b']);
      await finish({ released: ['a'], failed: ['b'] });
      expect(await claim(['a', 'b'], { claimant: 'two' })).toMatchObject({ claimed: ['a', 'b'] });
      await finish({ claimant: 'two', released: ['a'], failed: ['b'] });
      expect(await claim(['a', 'b'])).toEqual({ claimed: ['a'], busy: [], settled: ['b'], isSpent: false });
      expect(await store.forget({ hashes: ['b'] })).toBe(1);
      expect(await claim(['b'])).toMatchObject({ claimed: ['b'] });
    });

    it('adds costs up, also those of a claim that was lost', async () => {
      await finish({ costs: { inputTokens: 10, outputTokens: 2, micros: 5_000_000_000 } });
      await finish({ claimant: 'two', costs: { inputTokens: 1, outputTokens: 3, micros: 1 }, written: [written('a')] });
      expect(await store.costs()).toEqual({ inputTokens: 11, outputTokens: 5, micros: 5_000_000_001 });
      const cost = { inputTokens: 1, outputTokens: 0, micros: 0 };
      await Promise.all(Array.from({ length: 10 }, () => finish({ costs: cost })));
      expect((await store.costs()).inputTokens).toBe(21);
    });

    it('claims no more than the limits leave room for, with what others have reserved', async () => {
      const limits = { tokens: 350 };
      expect(await claim(['a', 'b'], { limits })).toMatchObject({ claimed: ['a', 'b'], isSpent: false });
      const two = await claim(['c', 'd'], { limits, claimant: 'two' });
      expect(two).toMatchObject({ claimed: ['c'], isSpent: true });
      // What the first claim really cost takes the place of what was reserved for it.
      await finish({ written: [written('a'), written('b')], costs: { inputTokens: 20, outputTokens: 5, micros: 0 } });
      expect(await claim(['d', 'e'], { limits })).toMatchObject({ claimed: ['d', 'e'], isSpent: false });
      // A claim that ended by itself reserves nothing.
      expect(await claim(['f', 'g', 'h'], { limits, now: 2_000 })).toMatchObject({ claimed: ['f', 'g', 'h'] });
    });

    it('keeps a limit in money', async () => {
      await finish({ costs: { inputTokens: 0, outputTokens: 0, micros: 10 } });
      expect(await claim(['a', 'b'], { limits: { micros: 20 } })).toMatchObject({ claimed: ['a'], isSpent: true });
      expect(await claim(['c'], { limits: { micros: 10, tokens: 1_000_000 } })).toMatchObject({ claimed: [] });
    });

    it('keeps the newest definitions of a tool', async () => {
      for (const [index, hash] of ['a', 'b', 'c'].entries()) {
        await claim([], { subjects: [{ hash, owner: '', tool: 'tools.same' }] });
        await finish({ written: [written(hash, { tool: 'tools.same', writtenAt: index })] });
      }
      const other = { hash: 'x', owner: 'acme', tool: 'tools.same' };
      await claim([], { subjects: [other] });
      await finish({ written: [written('x', other)] });
      const found = await store.find(['a', 'b', 'c', 'x']);
      expect(found.map(({ hash }) => hash).toSorted()).toEqual(['b', 'c', 'x']);
    });

    it('deletes an owner with its claims, and keeps those of others', async () => {
      const subjects = ['a', 'b'].map((hash) => ({ hash, owner: 'acme', tool: `tools.${hash}` }));
      await claim(['s']);
      await finish({ written: [written('s')] });
      await claim([], { subjects });
      await finish({ written: [written('a', { owner: 'acme' })] });
      expect(await store.forget({ owner: 'acme' })).toBe(2);
      expect(await finish({ written: [written('b', { owner: 'acme' })] })).toEqual([]);
      expect((await store.find(['a', 'b', 's'])).map(({ hash }) => hash)).toEqual(['s']);
    });
  });
}
