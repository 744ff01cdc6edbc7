import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RecentMap } from './recent-map.js';

describe('RecentMap', () => {
  it('forgets keys that were not used lately and keeps those that were', () => {
    const map = new RecentMap<string>(10);
    map.set('rare', 'rare');
    map.set('frequent', 'frequent');
    for (let key = 0; key < 100; key++) {
      map.set(`${key}`, String(key));
      expect(map.get('frequent')).toBe('frequent');
      expect(map.get(`${key}`)).toBe(String(key));
    }
    expect(map.get('rare')).toBeUndefined();
    expect(map.get('0')).toBeUndefined();
  });

  it('keeps no text that a key was cut from, neither when the key is set nor when it is used again', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heapMegabytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const keyOf = (index: number) => `a key of some length ${index}`;
    const cutFromMegabyte = (index: number) => {
      const text = Buffer.from(keyOf(index).padEnd(1_000_000)).toString('latin1');
      return text.slice(0, keyOf(index).length);
    };
    const map = new RecentMap<number>(50);
    const before = heapMegabytes();
    for (let index = 0; index < 50; index++) map.set(cutFromMegabyte(index), index);
    for (let index = 0; index < 10; index++) map.set(`other ${index}`, index);
    for (let index = 0; index < 25; index++) expect(map.get(cutFromMegabyte(index))).toBe(index);
    expect(heapMegabytes() - before).toBeLessThan(10);
    expect(map.get(keyOf(0))).toBe(0);
  });
});
