/// <reference types="jest" />
import type { SearchCache } from '../../search/search-cache.js';

/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 60_000;

/** Two handles on one empty store, as in two instances of an application, with a function that closes them. */
export interface OpenSearchCache {
  readonly cache: SearchCache;
  readonly sibling: SearchCache;
  close(): Promise<void>;
}

/** Equal bytes, so that a mix of two entries is recognized. */
const bytesOf = (seed: number, length: number): Uint8Array => new Uint8Array(length).fill(seed);

/**
 * The contract of {@link SearchCache} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty cache; called once per test
 */
export function describeSearchCache(name: string, make: () => Promise<OpenSearchCache>): void {
  describe(`${name} keeps the promises of a search cache`, () => {
    let cache: SearchCache;
    let sibling: SearchCache;
    let made: OpenSearchCache;

    beforeEach(async () => {
      made = await make();
      ({ cache, sibling } = made);
    }, PATIENCE);
    afterEach(() => made.close());

    it('is empty at first', async () => {
      expect(await cache.read('index', 'a')).toBeUndefined();
    });

    it.each([0, 1, 262_143, 262_144, 262_145, 3_000_001])(
      'gives back %i bytes as they were written, to every instance',
      async (length) => {
        const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255);
        await cache.write('index', 'a', bytes);
        for (const each of [cache, sibling]) {
          const read = await each.read('index', 'a');
          expect(read?.length).toBe(length);
          expect(Buffer.compare(read!, bytes)).toBe(0);
        }
      },
      PATIENCE,
    );

    it('forgets all entries on demand, for every instance, says how many, and takes new ones', async () => {
      expect(await cache.clear()).toBe(0);
      for (const [kind, id] of [
        ['index', 'a'],
        ['index', 'b'],
        ['vectors', 'a'],
      ] as const) {
        await cache.write(kind, id, bytesOf(1, 300_000));
      }
      expect(await sibling.clear()).toBe(3);
      for (const each of [cache, sibling]) {
        expect(await each.read('index', 'a')).toBeUndefined();
        expect(await each.read('vectors', 'a')).toBeUndefined();
      }
      await sibling.write('index', 'a', bytesOf(2, 8));
      expect(await cache.read('index', 'a')).toEqual(bytesOf(2, 8));
    });

    it('writes a view of a larger buffer without its surroundings', async () => {
      const larger = Uint8Array.from([9, 1, 2, 3, 9]);
      await cache.write('index', 'a', larger.subarray(1, 4));
      expect([...(await cache.read('index', 'a'))!]).toEqual([1, 2, 3]);
    });

    it('returns bytes that are not shared', async () => {
      const written = bytesOf(1, 8);
      await cache.write('index', 'a', written);
      written.fill(2);
      (await cache.read('index', 'a'))!.fill(3);
      expect([...(await cache.read('index', 'a'))!]).toEqual([...bytesOf(1, 8)]);
    });

    it('keeps kinds apart', async () => {
      await cache.write('index', 'a', bytesOf(1, 3));
      expect(await cache.read('vectors:m', 'a')).toBeUndefined();
      await cache.write('vectors:m', 'a', bytesOf(2, 3));
      expect([...(await cache.read('index', 'a'))!]).toEqual([1, 1, 1]);
      expect([...(await cache.read('vectors:m', 'a'))!]).toEqual([2, 2, 2]);
    });

    it('takes any text as kind and id', async () => {
      const odd = `x'"; DROP TABLE tool_search_cache_entries; -- ü 🔥`;
      await cache.write(odd, odd, bytesOf(1, 2));
      expect([...(await sibling.read(odd, odd))!]).toEqual([1, 1]);
    });

    it('replaces an entry', async () => {
      await cache.write('index', 'a', bytesOf(1, 600_000));
      await sibling.write('index', 'a', bytesOf(2, 3));
      expect([...(await cache.read('index', 'a'))!]).toEqual([2, 2, 2]);
    });

    it('gives the entry that was asked for, else the newest of its kind', async () => {
      await cache.write('index', 'a', bytesOf(1, 1));
      await cache.write('index', 'b', bytesOf(2, 1));
      await sibling.write('index', 'c', bytesOf(3, 1));
      await cache.write('index', 'a', bytesOf(4, 1));
      expect((await cache.read('index', 'b'))?.[0]).toBe(2);
      expect((await sibling.read('index', 'unknown'))?.[0]).toBe(4);
    });

    it('keeps the newest four of a kind', async () => {
      await cache.write('other', 'z', bytesOf(99, 1));
      for (const seed of [1, 2, 3, 4, 5, 6]) await cache.write('index', `id${seed}`, bytesOf(seed, 1));
      for (const seed of [3, 4, 5, 6]) expect((await cache.read('index', `id${seed}`))?.[0]).toBe(seed);
      for (const gone of [1, 2]) expect((await cache.read('index', `id${gone}`))?.[0]).toBe(6);
      expect((await cache.read('other', 'z'))?.[0]).toBe(99);
    });

    it(
      'never mixes what several instances write and read at once',
      async () => {
        await cache.write('index', 'a', bytesOf(100, 700_000));
        const isWhole = (bytes: Uint8Array) => bytes.every((byte) => byte === bytes[0]) && bytes.length > 600_000;
        const reads: Promise<Uint8Array | undefined>[] = [];
        await Promise.all(
          Array.from({ length: 6 }, async (_, writer) => {
            const own = writer % 2 === 0 ? cache : sibling;
            for (let round = 0; round < 3; round++) {
              await own.write('index', writer < 4 ? 'a' : 'b', bytesOf(10 * writer + round, 600_001 + 1_000 * writer));
              reads.push(own.read('index', 'a'), own.read('index', 'c'));
            }
          }),
        );
        const read = (await Promise.all(reads)).filter((bytes) => bytes !== undefined);
        // An entry that was replaced repeatedly while it was read may be missing, but most reads must succeed.
        expect(read.length).toBeGreaterThan(reads.length / 2);
        expect(read.filter((bytes) => !isWhole(bytes))).toEqual([]);
        const last = await cache.read('index', 'a');
        expect(last && isWhole(last)).toBe(true);
      },
      PATIENCE,
    );
  });
}
