import { TenantFairLru } from './tenant-fair-lru.js';

describe('FairMap', () => {
  const keysOf = (map: TenantFairLru<number>) => [...map.entries()].map(([tenant, key]) => `${tenant}/${key}`);

  it('lets nobody push out what others hold', () => {
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
});
