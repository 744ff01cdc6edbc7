import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemorySearchCache } from '../testing/fakes/memory-search-cache.js';
import { EndingSearchCache } from './ending-search-cache.js';

const BYTES = new Uint8Array([1, 2, 3]);

describe('EndingSearchCache', () => {
  it('reads and writes until its end, and then neither', async () => {
    const cache = new MemorySearchCache();
    const ending = new EndingSearchCache(cache);
    await ending.write('index', 'a', BYTES);
    expect(await ending.read('index', 'a')).toEqual(BYTES);
    await ending.end();
    await ending.write('index', 'b', BYTES);
    expect(cache.idsOf('index')).toEqual(['a']);
    expect(await ending.read('index', 'a')).toBeUndefined();
  });

  it('ends after what is being written', async () => {
    const cache = new MemorySearchCache();
    let store = () => {};
    const asked = new Promise<void>((resolve) => (store = resolve));
    const write = cache.write.bind(cache);
    cache.write = async (...entry) => {
      await asked;
      await write(...entry);
    };
    const ending = new EndingSearchCache(cache);
    const order: string[] = [];
    const written = ending.write('index', 'a', BYTES).then(() => order.push('written'));
    const ended = ending.end().then(() => order.push('ended'));
    store();
    await Promise.all([written, ended]);
    expect(order).toEqual(['written', 'ended']);
    expect(cache.idsOf('index')).toEqual(['a']);
  });

  it('gives up what takes too long, and its later fault is nobody’s', async () => {
    const cache = new MemorySearchCache();
    let fail: (fault: Error) => void = () => {};
    cache.write = () => new Promise((_, reject) => (fail = reject));
    const ending = new EndingSearchCache(cache);
    const written = ending.write('index', 'a', BYTES);
    jest.useFakeTimers();
    try {
      const ended = ending.end();
      await jest.advanceTimersByTimeAsync(2_000);
      await ended;
    } finally {
      jest.useRealTimers();
    }
    fail(new Error('the database connection is not open'));
    expect(await written).toBeUndefined();
  });

  it('keeps nothing of what was read', async () => {
    const cache = new MemorySearchCache();
    const read: WeakRef<Uint8Array>[] = [];
    cache.read = async () => {
      const bytes = new Uint8Array([1, 2, 3]);
      read.push(new WeakRef(bytes));
      return bytes;
    };
    const ending = new EndingSearchCache(cache);
    for (let n = 0; n < 100; n += 1) await ending.read('index', 'a');
    // A reference is kept until the end of the turn in which it was made.
    await new Promise((resolve) => void setImmediate(resolve));
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(read.filter((bytes) => bytes.deref()).length).toBeLessThan(10);
    await ending.end();
  });

  it('passes on a fault before its end', async () => {
    const cache = new MemorySearchCache();
    cache.read = () => {
      throw new Error('cannot read');
    };
    await expect(new EndingSearchCache(cache).read('index', 'a')).rejects.toThrow('cannot read');
  });
});
