import fc from 'fast-check';
import { TenantFairLru } from './tenant-fair-lru.js';

describe('TenantFairLru', () => {
  const keysOf = (map: TenantFairLru<number>) => [...map.entries()].map(([tenant, key]) => `${tenant}/${key}`);

  it('a tenant cannot evict entries of other tenants', () => {
    const map = new TenantFairLru<number>(10);
    map.set('globex', 'only', 1);
    for (let id = 0; id < 1000; id += 1) map.set('acme', `s${id}`, id);
    expect(map.get('globex', 'only')).toBe(1);
    expect(keysOf(map)).toHaveLength(10);
    expect(map.get('acme', 's999')).toBe(999);
    expect(map.get('acme', 's0')).toBeUndefined();
  });

  it('gives up the entry that was set longest ago', () => {
    const map = new TenantFairLru<number>(2);
    map.set('t', 'a', 1);
    map.set('t', 'b', 2);
    map.set('t', 'a', 3);
    map.set('t', 'c', 4);
    expect(keysOf(map)).toEqual(['t/a', 't/c']);
  });

  it('keeps tenants and keys apart, however they are written, and counts what is deleted', () => {
    const map = new TenantFairLru<number>(2);
    map.set('a', 'bc', 1);
    expect(map.get('ab', 'c')).toBeUndefined();
    expect(map.delete('a', 'x')).toBe(false);
    expect(map.delete('a', 'bc')).toBe(true);
    map.set('__proto__', 'constructor', 2);
    map.set('b', 'c', 3);
    expect(keysOf(map)).toEqual(['__proto__/constructor', 'b/c']);
  });

  it('returns what gave way, and counts what it holds', () => {
    const map = new TenantFairLru<number>(3);
    expect([map.set('t', 'a', 1), map.set('t', 'b', 2, 1), map.set('t', 'b', 3, 1)]).toEqual([undefined, 1, undefined]);
    expect([map.set('u', 'a', 4), map.set('t', 'c', 5), map.set('v', 'a', 6)]).toEqual([undefined, undefined, 3]);
    expect(map.size).toBe(3);
    map.clear();
    expect([map.size, keysOf(map)]).toEqual([0, []]);
  });

  it('a tenant with at most an equal share loses no entry, whatever others set', () => {
    const [modest, ...others] = ['modest', 'one', 'two', 'three'];
    const operation = fc.record({
      tenant: fc.constantFrom(modest, ...others),
      key: fc.nat(30),
      isDeleted: fc.boolean(),
    });
    const check = (max: number, operations: readonly { tenant: string; key: number; isDeleted: boolean }[]) => {
      const map = new TenantFairLru<string>(max);
      const part = Math.floor(max / 4);
      const own = new Set<string>();
      const held = new Set<string>();
      for (const { tenant, key, isDeleted } of operations) {
        const name = `${tenant} ${key}`;
        if (isDeleted) {
          expect(map.delete(tenant, `${key}`)).toBe(held.delete(name));
          own.delete(name);
        } else if (tenant !== modest || own.has(name) || own.size < part) {
          const gone = map.set(tenant, `${key}`, name);
          held.add(name);
          if (tenant === modest) own.add(name);
          if (gone !== undefined) held.delete(gone);
        }
        expect(new Set([...map.entries()].map(([, , value]) => value))).toEqual(held);
        expect(map.size).toBe(held.size);
        expect(held.size).toBeLessThanOrEqual(max);
        for (const each of own) expect(held).toContain(each);
      }
    };
    fc.assert(fc.property(fc.integer({ min: 4, max: 16 }), fc.array(operation, { maxLength: 60 }), check));
  });
});
