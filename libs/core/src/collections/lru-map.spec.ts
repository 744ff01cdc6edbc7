import fc from 'fast-check';
import { LruMap } from './lru-map.js';

describe('LruMap', () => {
  it('forgets the least recently used entry; reading counts as a use, peeking does not', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.peek('b');
    map.set('c', 3);
    expect([map.peek('a'), map.peek('b'), map.peek('c')]).toEqual([1, undefined, 3]);
    map.clear();
    expect(map.peek('a')).toBeUndefined();
  });

  it('does not keep an entry that weighs more than the bound, nor its predecessor', () => {
    const map = new LruMap<string>(5, (value) => value.length);
    map.set('a', 'abc');
    map.set('a', 'abcdef');
    expect(map.get('a')).toBeUndefined();
    map.set('b', 'abcde');
    expect(map.get('b')).toBe('abcde');
  });

  it('keeps what a list of entries sorted by use would keep', () => {
    const operation = fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.nat(6), fc.nat(9));
    const check = (max: number, operations: readonly [string, number, number][]) => {
      const map = new LruMap<number>(max, (value) => value);
      let reference: [key: string, value: number][] = [];
      for (const [name, number, value] of operations) {
        const key = String(number);
        const found = reference.find(([each]) => each === key);
        if (name === 'get') expect(map.get(key)).toBe(found?.[1]);
        else if (name === 'delete') map.delete(key);
        else map.set(key, value);
        reference = reference.filter((entry) => entry !== found);
        if (name === 'get' && found) reference.push(found);
        if (name === 'set' && value <= max) reference.push([key, value]);
        while (reference.reduce((sum, entry) => sum + entry[1], 0) > max) reference.shift();
        for (let each = 0; each <= 6; each += 1)
          expect(map.peek(String(each))).toBe(reference.find(([other]) => other === String(each))?.[1]);
      }
    };
    fc.assert(fc.property(fc.integer({ min: 1, max: 20 }), fc.array(operation, { maxLength: 40 }), check));
  });
});
