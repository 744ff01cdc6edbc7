/// <reference types="jest" />
import type { CacheEntry, ResultCache } from '../../toolbox/results/cache/result-cache.js';

/** An empty cache whose clock a test can move. */
export interface OpenResultCache {
  readonly cache: ResultCache;
  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const entry = (more: Partial<CacheEntry> = {}): CacheEntry => ({
  key: 'k1',
  tenantId: 'acme',
  tool: 'crm.read',
  text: '{"content":[]}',
  ttlMs: 10_000,
  ...more,
});

/**
 * The contract of {@link ResultCache} as a Jest suite, for every implementation. Needs Jest's globals. The cache must
 * have room for a few small entries.
 *
 * @param name title of the suite
 * @param make creates an empty cache; called once per test
 */
export function describeResultCache(name: string, make: () => Promise<OpenResultCache>): void {
  describe(`${name} keeps the promises of a result cache`, () => {
    let made: OpenResultCache;
    let cache: ResultCache;

    beforeEach(async () => {
      made = await make();
      ({ cache } = made);
    });
    afterEach(() => made.close());

    it('returns what was written, to its tenant and under its key only', async () => {
      expect(await cache.read('acme', 'k1')).toBeUndefined();
      await cache.write(entry({ text: '"é\u{1F600}"' }));
      expect(await cache.read('acme', 'k1')).toBe('"é\u{1F600}"');
      expect([await cache.read('globex', 'k1'), await cache.read('', 'k1'), await cache.read('acme', 'k2')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it('replaces an entry', async () => {
      await cache.write(entry({ text: '1' }));
      await cache.write(entry({ text: '2' }));
      expect(await cache.read('acme', 'k1')).toBe('2');
    });

    it('never returns an expired entry, also if it was read before', async () => {
      await cache.write(entry({ ttlMs: 1000 }));
      await made.pass(600);
      expect(await cache.read('acme', 'k1')).toBeDefined();
      await made.pass(600);
      expect(await cache.read('acme', 'k1')).toBeUndefined();
    });

    it('removes one entry, or those of some tools of one tenant', async () => {
      await cache.write(entry());
      await cache.write(entry({ key: 'k2' }));
      await cache.write(entry({ key: 'k3', tool: 'crm.list' }));
      await cache.write(entry({ tenantId: 'globex' }));
      await cache.remove('acme', 'k2');
      await cache.remove('acme', 'unknown');
      expect(await cache.read('acme', 'k2')).toBeUndefined();
      await cache.removeTools('acme', (tool) => tool === 'crm.read');
      await cache.removeTools('initech', () => true);
      expect(await cache.read('acme', 'k1')).toBeUndefined();
      expect([await cache.read('acme', 'k3'), await cache.read('globex', 'k1')]).toEqual([
        expect.any(String),
        expect.any(String),
      ]);
    });
  });
}
