import fc from 'fast-check';
import { describeResultCache } from '../../../testing/contracts/result-cache.contract.js';
import { MemoryResultCache } from './memory-result-cache.js';

const BOUNDS = { maxEntries: 100, maxBytes: 100_000, maxEntriesPerTenant: 50, maxBytesPerTenant: 50_000 };
const write = (cache: MemoryResultCache, tenantId: string, key: string, length = 10) =>
  cache.write({ tenantId, key, tool: 'crm.read', text: 'x'.repeat(length), ttlMs: 1000 });

describeResultCache('MemoryResultCache', async () => {
  let now = 0;
  return {
    cache: new MemoryResultCache(BOUNDS, () => now),
    pass: async (ms) => void (now += ms),
    close: async () => undefined,
  };
});

describe('MemoryResultCache', () => {
  it('drops what was not used for longest, in a full tenant', async () => {
    const cache = new MemoryResultCache({ ...BOUNDS, maxEntriesPerTenant: 2 }, () => 0);
    await write(cache, 'acme', 'a');
    await write(cache, 'acme', 'b');
    await cache.read('acme', 'a');
    await write(cache, 'acme', 'c');
    expect(await cache.read('acme', 'b')).toBeUndefined();
    expect([await cache.read('acme', 'a'), await cache.read('acme', 'c')]).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('takes room from the tenant with the most bytes', async () => {
    const cache = new MemoryResultCache({ ...BOUNDS, maxBytes: 100 }, () => 0);
    await write(cache, 'small', 'a', 20);
    await write(cache, 'large', 'a', 40);
    await write(cache, 'large', 'b', 40);
    await write(cache, 'small', 'b', 20);
    expect(await cache.read('large', 'a')).toBeUndefined();
    expect([await cache.read('small', 'a'), await cache.read('large', 'b')]).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('does not store what is larger than its tenant’s room, and forgets what that replaces', async () => {
    const cache = new MemoryResultCache({ ...BOUNDS, maxBytesPerTenant: 30 }, () => 0);
    await write(cache, 'acme', 'a', 30);
    await write(cache, 'acme', 'a', 31);
    expect(await cache.read('acme', 'a')).toBeUndefined();
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });

  it('stays within its bounds and counts right, for any sequence of writes, reads and removals', async () => {
    const step = fc.record({
      tenant: fc.constantFrom('a', 'b', 'c'),
      key: fc.constantFrom('1', '2', '3', '4'),
      bytes: fc.nat(40),
      act: fc.constantFrom('write', 'write', 'read', 'remove', 'tools', 'pass'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 100 }), async (steps) => {
        let now = 0;
        const bounds = { maxEntries: 6, maxBytes: 120, maxEntriesPerTenant: 3, maxBytesPerTenant: 70 };
        const cache = new MemoryResultCache(bounds, () => now);
        for (const { tenant, key, bytes, act } of steps) {
          if (act === 'write') await write(cache, tenant, key, bytes);
          if (act === 'read') await cache.read(tenant, key);
          if (act === 'remove') await cache.remove(tenant, key);
          if (act === 'tools') await cache.removeTools(tenant, () => true);
          if (act === 'pass') now += 400;
          expect(cache.size.entries).toBeLessThanOrEqual(bounds.maxEntries);
          expect(cache.size.bytes).toBeLessThanOrEqual(bounds.maxBytes);
        }
        for (const tenant of ['a', 'b', 'c']) await cache.removeTools(tenant, () => true);
        expect(cache.size).toEqual({ entries: 0, bytes: 0 });
      }),
    );
  });
});
