import { setImmediate } from 'node:timers/promises';
import { fakeTool, fakeTools } from '../../testing/fakes/fake-tools.js';
import { MemorySearchCache } from '../../testing/fakes/memory-search-cache.js';
import { TrigramEmbedder } from '../../testing/fakes/trigram-embedder.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { SearchCache } from '../search-cache.js';
import { toolSentence } from './tool-sentence.js';
import { ToolVectors } from './tool-vectors.js';

const PATIENCE = 60_000;
const snapshotOf = (tools: readonly ToolDefinition[], revision = 1) => new CatalogSnapshot(revision, tools);

function opened(embedder: TrigramEmbedder, cache?: SearchCache) {
  const told: object[] = [];
  const listener = {
    ready: ({ tools, embedded }: { tools: number; embedded: number }) => told.push({ tools, embedded }),
    degraded: ({ error, retryInMs }: { error: unknown; retryInMs: number }) =>
      told.push({ error: String(error), retryInMs }),
  };
  return { vectors: new ToolVectors(embedder, listener, cache), told };
}

/** The tools of a snapshot that have a vector. */
function filled(vectors: ToolVectors, snapshot: CatalogSnapshot): string[] {
  const { table, rowOf } = vectors.of(snapshot)!;
  return snapshot.tools.filter((_, id) => table.has(rowOf(id))).map(({ name }) => name);
}

function busy(ms: number): true {
  for (const until = performance.now() + ms; performance.now() < until;);
  return true;
}

describe('ToolVectors', () => {
  const tools = fakeTools(80);

  it('embeds every tool once, in batches of 32, over all snapshots', async () => {
    const sizes: number[] = [];
    const embedder = new TrigramEmbedder('t', (texts) => sizes.push(texts.length));
    const { vectors, told } = opened(embedder);
    const before = snapshotOf(tools.slice(0, 70));
    const after = snapshotOf(tools.slice(10), 2);
    await vectors.add(before, PATIENCE);
    await vectors.add(after, PATIENCE);
    expect(sizes).toEqual([32, 32, 6, 10]);
    expect(embedder.asked.map(({ text }) => text).toSorted()).toEqual(tools.map(toolSentence).toSorted());
    expect([filled(vectors, before).length, filled(vectors, after).length]).toEqual([70, 70]);
    expect(told).toEqual([
      { tools: 70, embedded: 70 },
      { tools: 70, embedded: 10 },
    ]);
  });

  it('embeds a text once that several tenants have', async () => {
    const twins = ['acme', 'globex'].map((owner) => fakeTool({ owner, description: 'Same.' }));
    const embedder = new TrigramEmbedder();
    const { vectors } = opened(embedder);
    const snapshot = snapshotOf(twins);
    await vectors.add(snapshot, PATIENCE);
    expect(embedder.asked).toHaveLength(1);
    expect(filled(vectors, snapshot)).toHaveLength(2);
  });

  it('embeds of tools that lie on shared ones only those that are new, while these wait for vectors too', async () => {
    const embedder = new TrigramEmbedder();
    const { vectors } = opened(embedder);
    const shared = snapshotOf(tools.slice(0, 40));
    const own = ['acme', 'globex'].map(
      (owner) => new CatalogSnapshot(1, [fakeTool({ owner, name: `${owner}.own` }), fakeTool({ owner })], [], shared),
    );
    const adding = vectors.add(shared, PATIENCE);
    await setImmediate();
    await Promise.all([adding, ...own.map((snapshot) => vectors.add(snapshot, PATIENCE))]);
    expect([shared, ...own].map((snapshot) => filled(vectors, snapshot).length)).toEqual([40, 42, 42]);
    expect(embedder.asked).toHaveLength(40 + 4);
  });

  it('finds the vectors of shared tools in a snapshot that is added while the shared one is still being placed', async () => {
    const { vectors } = opened(new TrigramEmbedder());
    const [first = fakeTool(), ...rest] = tools.slice(0, 40);
    // As on a busy machine: the slice of time is over after the first tool.
    const slow = Object.defineProperty({ ...first }, 'hash', { enumerable: true, get: () => busy(20) && first.hash });
    const shared = snapshotOf([slow, ...rest]);
    const own = new CatalogSnapshot(1, [fakeTool({ owner: 'acme' })], [], shared);
    await Promise.all([shared, own].map((snapshot) => vectors.add(snapshot, PATIENCE)));
    expect([shared, own].map((snapshot) => filled(vectors, snapshot).length)).toEqual([40, 41]);
  });

  it('embeds the tools of a snapshot that is added in the moment in which the work on all others ends', async () => {
    const shared = snapshotOf(tools.slice(0, 40));
    const own = new CatalogSnapshot(1, [fakeTool({ owner: 'acme' })], [], shared);
    let adding: Promise<void> | undefined;
    const ready = () => {
      adding ??= vectors.add(own, PATIENCE);
    };
    const vectors = new ToolVectors(new TrigramEmbedder(), { ready, degraded: () => undefined });
    await vectors.add(shared, PATIENCE);
    await adding;
    expect(filled(vectors, own)).toHaveLength(41);
  });

  it('lets a snapshot go on without vectors that are late, and fills them in', async () => {
    let answer = () => {};
    const isAsked = new Promise<void>((asked) => {
      answer = asked;
    });
    const embedder = new TrigramEmbedder('slow', () => isAsked);
    const { vectors, told } = opened(embedder);
    const snapshot = snapshotOf(tools.slice(0, 5));
    await vectors.add(snapshot, 1);
    expect(filled(vectors, snapshot)).toEqual([]);
    answer();
    await vectors.add(snapshotOf(tools.slice(0, 6), 2), PATIENCE);
    expect(filled(vectors, snapshot)).toHaveLength(5);
    expect(told).toEqual([{ tools: 6, embedded: 6 }]);
  });

  it('repeats failed batches, at last text by text, so that one bad text fails alone', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'queueMicrotask', 'nextTick'] });
    try {
      const bad = toolSentence(tools[20]!);
      const embedder = new TrigramEmbedder('picky', (texts) => {
        if (texts.includes(bad)) throw new Error('too rude');
      });
      const { vectors, told } = opened(embedder);
      const snapshot = snapshotOf(tools.slice(0, 64));
      const adding = vectors.add(snapshot, 1);
      for (let second = 0; second < 59; second++) {
        await jest.advanceTimersByTimeAsync(1_000);
        // Long work yields to real turns of the event loop.
        for (let turn = 0; turn < 5; turn++) await setImmediate();
      }
      await adding;
      expect(filled(vectors, snapshot)).toHaveLength(63);
      expect(told[0]).toEqual({ error: 'Error: too rude', retryInMs: 1_000 });
      expect(told.at(-1)).toMatchObject({ error: 'Error: too rude' });
      // While the embedder is paused, adding a snapshot does not wait.
      await vectors.add(snapshotOf(tools.slice(0, 65), 2), Number.MAX_SAFE_INTEGER);
      vectors.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('takes an embedder for down after three faults in a row', async () => {
    const embedder = new TrigramEmbedder('down', () => {
      throw new Error('down');
    });
    const { vectors, told } = opened(embedder);
    const snapshot = snapshotOf(fakeTools(300));
    const adding = vectors.add(snapshot, 600_000);
    while (told.length === 0) await setImmediate();
    expect(embedder.asked).toHaveLength(3 * 32);
    expect(told).toEqual([{ error: 'Error: down', retryInMs: 1_000 }]);
    vectors.close();
    await adding;
  });

  it('finds its vectors again after a restart, also when tools arrive source by source', async () => {
    const cache = new MemorySearchCache();
    await opened(new TrigramEmbedder(), cache).vectors.add(snapshotOf(tools), PATIENCE);

    const second = new TrigramEmbedder();
    const { vectors, told } = opened(second, cache);
    await vectors.add(snapshotOf(tools.slice(0, 3)), PATIENCE);
    const changed = [...tools.slice(1), fakeTool({ name: 'z.new', description: 'Brand new.' })];
    await vectors.add(snapshotOf(changed, 2), PATIENCE);
    expect(second.asked.map(({ text }) => text)).toEqual([toolSentence(changed.at(-1)!)]);
    expect(told).toEqual([
      { tools: 3, embedded: 0 },
      { tools: 80, embedded: 1 },
    ]);

    const third = new TrigramEmbedder();
    await opened(third, cache).vectors.add(snapshotOf([...tools, ...changed.slice(-1)]), PATIENCE);
    expect(third.asked).toEqual([]);
  });

  it('never reuses vectors of another embedder', async () => {
    const cache = new MemorySearchCache();
    await opened(new TrigramEmbedder('one'), cache).vectors.add(snapshotOf(tools), PATIENCE);
    const other = new TrigramEmbedder('two');
    await opened(other, cache).vectors.add(snapshotOf(tools), PATIENCE);
    expect(other.asked).toHaveLength(80);
  });

  it('works with a cache that does not', async () => {
    const broken: SearchCache = {
      read: () => Promise.reject(new Error('no disk')),
      write: () => Promise.reject(new Error('no disk')),
      clear: () => Promise.reject(new Error('no disk')),
    };
    const { vectors } = opened(new TrigramEmbedder(), broken);
    const snapshot = snapshotOf(tools);
    await vectors.add(snapshot, PATIENCE);
    expect(filled(vectors, snapshot)).toHaveLength(80);
  });

  it('ends with close', async () => {
    const embedder = new TrigramEmbedder('endless', () => new Promise(() => {}));
    const { vectors, told } = opened(embedder);
    const adding = vectors.add(snapshotOf(tools), PATIENCE);
    vectors.close();
    await adding;
    await vectors.add(snapshotOf(tools, 2), PATIENCE);
    expect(told).toEqual([]);
  });
});
