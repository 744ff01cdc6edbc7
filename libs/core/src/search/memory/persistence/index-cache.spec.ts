import { setImmediate, setTimeout } from 'node:timers/promises';
import { fakeTool, fakeTools } from '../../../testing/fakes/fake-tools.js';
import { MemorySearchCache } from '../../../testing/fakes/memory-search-cache.js';
import { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { SearchCache } from '../../search-cache.js';
import { IndexCache } from './index-cache.js';
import { MemoryToolIndex } from '../memory-tool-index.js';

const tools = fakeTools(300);

const untouchable = (tool: ToolDefinition): ToolDefinition =>
  Object.defineProperty({ ...tool }, 'inputSchema', {
    get: () => {
      throw new Error('analyzed again');
    },
  });

const find = async (index: MemoryToolIndex, snapshot: CatalogSnapshot, text: string) => {
  const all = ToolSet.of(snapshot.tools.length, () => true);
  const { hits } = await index.search({ text, type: 'bm25', limit: 20 }, snapshot, all);
  return hits.map(({ id, score }) => [snapshot.at(id).name, score] as const);
};

const indexed = async (list: readonly ToolDefinition[], cache?: SearchCache) => {
  const index = new MemoryToolIndex({ ...(cache && { cache }) });
  const snapshot = new CatalogSnapshot(1, list);
  await index.apply({ next: snapshot });
  await index.idle();
  return { index, snapshot };
};

const answers = async ({ index, snapshot }: Awaited<ReturnType<typeof indexed>>) =>
  Promise.all(['list invoices', 'delete account', 'penguin'].map((text) => find(index, snapshot, text)));

describe('MemoryToolIndex with a cache', () => {
  it('takes over after a restart every tool that has not changed, and analyzes the rest', async () => {
    const cache = new MemorySearchCache();
    await indexed(tools, cache);
    expect(cache.idsOf('memory-index')).toHaveLength(1);
    const added = fakeTool({ name: 'aaa.feed', description: 'Feed a penguin.' });
    const [changed, ...kept] = tools.slice(20);
    const next = [added, fakeTool({ ...changed!, description: 'List every penguin.' }), ...kept];
    const resumed = await indexed([...next.slice(0, 2), ...kept.map(untouchable)], cache);
    expect(await answers(resumed)).toEqual(await answers(await indexed(next)));
    expect(cache.idsOf('memory-index')).toHaveLength(1);
  });

  it('writes again once so much has changed that the index was merged', async () => {
    const cache = new MemorySearchCache();
    await indexed(tools, cache);
    const next = tools.slice(150);
    expect(await answers(await indexed(next.map(untouchable), cache))).toEqual(await answers(await indexed(next)));
    expect(cache.idsOf('memory-index')).toHaveLength(2);
    expect(await answers(await indexed(next.map(untouchable), cache))).toEqual(await answers(await indexed(next)));
  });

  it('waits with what it read until the sources have brought their tools', async () => {
    const cache = new MemorySearchCache();
    await indexed(tools, cache);
    const index = new MemoryToolIndex({ cache });
    const first = new CatalogSnapshot(1, tools.slice(0, 10));
    await index.apply({ next: first });
    const second = new CatalogSnapshot(2, [...tools.slice(0, 10), ...tools.slice(10).map(untouchable)]);
    await index.apply({ next: second, previous: first });
    await index.idle();
    expect(await answers({ index, snapshot: second })).toEqual(await answers(await indexed(tools)));
    expect(cache.idsOf('memory-index')).toHaveLength(1);
  });

  it('does without a cache that fails, hangs in writing or holds nonsense, and says why', async () => {
    class BrokenCache extends SearchCache {
      override read(): Promise<Uint8Array> {
        throw new Error('cannot read');
      }
      override async write(): Promise<void> {
        throw new Error('cannot write');
      }
      override async clear(): Promise<number> {
        throw new Error('cannot clear');
      }
    }
    class StuckCache extends MemorySearchCache {
      override write(): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    const nonsense = new MemorySearchCache();
    await nonsense.write('memory-index', 'other', new Uint8Array(1_000));
    const faults: unknown[] = [];
    const expected = await answers(await indexed(tools));
    const snapshot = new CatalogSnapshot(1, tools);
    for (const cache of [new BrokenCache(), new StuckCache(), nonsense]) {
      const onCacheFault = (fault: unknown) => {
        faults.push(fault);
        throw new Error('a listener that fails as well');
      };
      const index = new MemoryToolIndex({ cache, onCacheFault });
      await index.apply({ next: snapshot });
      expect(await answers({ index, snapshot })).toEqual(expected);
      await index.close();
    }
    expect(faults.map(String)).toEqual(['Error: cannot read', 'Error: cannot write']);
  });

  it('lets go of what comes when most of it has been analyzed', async () => {
    const cache = new MemorySearchCache();
    await indexed(tools, cache);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const read = cache.read.bind(cache);
    cache.read = async (...entry) => {
      await asked;
      return read(...entry);
    };
    const reserve = jest.spyOn(IndexCache.prototype, 'reserve');
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'queueMicrotask', 'nextTick'] });
    try {
      const index = new MemoryToolIndex({ cache });
      const [first, second, third] = [0, 1, 2].map((gone) => new CatalogSnapshot(gone, tools.slice(gone)));
      const built = index.apply({ next: first! });
      await jest.advanceTimersByTimeAsync(2_000);
      await built;
      answer();
      for (let turn = 0; turn < 100; turn++) await setImmediate();
      await index.apply({ next: second!, previous: first! });
      await index.apply({ next: third!, previous: second! });
      const held = await Promise.all(reserve.mock.results.map(({ value }) => value as Promise<unknown>));
      expect(held.map((segment) => segment !== undefined)).toEqual([false, true, false]);
    } finally {
      jest.useRealTimers();
      reserve.mockRestore();
    }
  });

  it('waits for a cache that is late once only, and takes over then what it brings', async () => {
    const cache = new MemorySearchCache();
    await indexed(tools, cache);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    class LateCache extends SearchCache {
      override async read(kind: string, id: string) {
        await asked;
        return cache.read(kind, id);
      }
      override async write(): Promise<void> {}
      override clear = () => cache.clear();
    }
    const index = new MemoryToolIndex({ cache: new LateCache() });
    const snapshots = [tools.slice(0, 10), tools.slice(0, 20)].map((some, i) => new CatalogSnapshot(i, some));
    const [first, second] = snapshots as [CatalogSnapshot, CatalogSnapshot];
    await index.apply({ next: first });
    await index.apply({ next: second, previous: first });
    answer();
    // The entry is decoded in time slices, with turns of the event loop in between.
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    const third = new CatalogSnapshot(3, [...tools.slice(0, 20), ...tools.slice(20).map(untouchable)]);
    await index.apply({ next: third, previous: second });
    expect(await answers({ index, snapshot: third })).toEqual(await answers(await indexed(tools)));
  });

  it('gives up a write that never ends, says so, and writes later states', async () => {
    const cache = new MemorySearchCache();
    const write = jest.spyOn(cache, 'write').mockImplementationOnce(() => new Promise(() => undefined));
    const faults: unknown[] = [];
    const index = new MemoryToolIndex({ cache, onCacheFault: (fault) => faults.push(fault) });
    const turns = async () => {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
    };
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'queueMicrotask', 'nextTick'] });
    try {
      await index.apply({ next: new CatalogSnapshot(1, tools) });
      await turns();
      await index.apply({ next: new CatalogSnapshot(2, tools.slice(5)) });
      await turns();
      expect(write).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(60_000);
      await turns();
    } finally {
      jest.useRealTimers();
    }
    expect(faults).toHaveLength(1);
    expect(cache.idsOf('memory-index')).toHaveLength(1);
  });

  it('waits at its end for what is being written, and gives up what takes too long', async () => {
    const slow = new MemorySearchCache();
    const write = slow.write.bind(slow);
    slow.write = async (...entry) => {
      await setTimeout(50);
      await write(...entry);
    };
    const stuck = new MemorySearchCache();
    stuck.write = () => new Promise(() => undefined);
    const written: number[] = [];
    for (const cache of [slow, stuck]) {
      const index = new MemoryToolIndex({ cache });
      await index.apply({ next: new CatalogSnapshot(1, tools) });
      await index.close();
      written.push(cache.idsOf('memory-index').length);
      // After close nothing is written.
      await index.apply({ next: new CatalogSnapshot(2, tools.slice(5)) });
    }
    expect(written).toEqual([1, 0]);
    expect(slow.idsOf('memory-index')).toHaveLength(1);
  });
});
