import { anyText, anyTool, fc } from '../../testing/fakes/arbitrary-tools.js';
import { fakeTool, fakeTools } from '../../testing/fakes/fake-tools.js';
import { describeToolIndex } from '../../testing/contracts/tool-index.contract.js';
import { TrigramEmbedder } from '../../testing/fakes/trigram-embedder.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { ToolSet } from '../../tool/snapshot/tool-set.js';
import type { Embedder } from '../embedder.js';
import { MemoryToolIndex } from '../memory/memory-tool-index.js';
import type { ToolQuery } from '../tool-index.js';
import { closeness, type DenseOptions, type DenseTuning, fuse, FusedToolIndex } from './fused-tool-index.js';

const fused = (options: DenseOptions & DenseTuning) => () =>
  new FusedToolIndex(new MemoryToolIndex(), new TrigramEmbedder(), options);

describeToolIndex('FusedToolIndex', fused({ weight: 0.5, buildWaitMs: 60_000, queryDeadlineMs: 60_000 }), {
  statistics: 'visible',
});

/** An embedder with one dimension per topic: a bill is an invoice; "zorbel" is in no synonym list. */
const SYNONYMS: readonly RegExp[] = [/invoice|\bbills?\b/, /weather|sky|zorbel/, /mail|letter/];
const topics: Embedder = {
  id: 'topics',
  dimensions: SYNONYMS.length,
  embed: async (texts) => texts.map((text) => SYNONYMS.map((topic) => Number(topic.test(text)))),
};

describe('FusedToolIndex', () => {
  const tools = [
    fakeTool({ name: 'billing.list', description: 'List what customers owe: every invoice.' }),
    fakeTool({ name: 'files.list', description: 'List what is in a folder.' }),
    fakeTool({ name: 'mail.send', description: 'Send a letter.' }),
    fakeTool({ name: 'weather.today', description: 'Tell how the sky will be.' }),
  ];
  const search = async (
    index: FusedToolIndex,
    text: string,
    query: Partial<ToolQuery> = {},
    of: readonly ToolDefinition[] = tools,
  ) => {
    const snapshot = new CatalogSnapshot(1, of);
    await index.apply({ next: snapshot });
    const visible = ToolSet.of(of.length, () => true);
    const answer = await index.search({ text, type: 'bm25', limit: 5, ...query }, snapshot, visible);
    return { ...answer, names: answer.hits.map(({ id }) => snapshot.at(id).name) };
  };
  const over = (embedder: Embedder, options: DenseOptions & DenseTuning = {}, events?: ToolEvents) =>
    new FusedToolIndex(
      new MemoryToolIndex(),
      embedder,
      { buildWaitMs: 60_000, queryDeadlineMs: 60_000, ...options },
      { events },
    );

  it('ranks the tools that words found by meaning', async () => {
    const byWords = await search(over(topics, { weight: 0 }), 'list my bills');
    expect(byWords.names.toSorted()).toEqual(['billing.list', 'files.list']);
    const byBoth = await search(over(topics, { weight: 0.9 }), 'list my bills');
    expect(byBoth.names).toEqual(['billing.list', 'files.list']);
    expect(byBoth.hits[0]!.score).toBeGreaterThan(2 * byBoth.hits[1]!.score);
  });

  it('takes the verdict from the words, and adds no hits to theirs', async () => {
    expect(await search(over(topics), 'zorbel')).toMatchObject({ verdict: 'none', hits: [], unmatched: ['zorbel'] });
  });

  it('finds by meaning alone from minSimilarity on', async () => {
    const index = over(topics, { minSimilarity: 0.8 });
    expect(await search(index, 'zorbel')).toMatchObject({
      names: ['weather.today'],
      verdict: 'found',
      unmatched: ['zorbel'],
      hits: [{ match: 'bm25', matched: [] }],
    });
    expect((await search(index, 'list the zorbel')).names).toContain('weather.today');
    expect((await search(index, 'quuxify')).verdict).toBe('none');
  });

  it('says what a score is made of', async () => {
    const { hits } = await search(over(topics, { weight: 0.5 }), 'list invoices', { explain: true });
    for (const { parts = [], score } of hits) {
      const sum = parts.reduce((total, part) => total + part.score, 0);
      if (parts.length > 1) expect(sum).toBeCloseTo(score);
    }
    expect(hits[0]).toMatchObject({ score: expect.any(Number) });
  });

  it('does not ask the embedder for patterns and names', async () => {
    const embedder = new TrigramEmbedder();
    await search(over(embedder), 'list', { type: 'regex' });
    await search(over(embedder), 'files.list', { type: 'exact' });
    expect(embedder.asked.filter(({ kind }) => kind === 'query')).toEqual([]);
  });

  it.each([
    ['the query fails', (kind: string) => kind === 'query', 'query'],
    ['the tools fail', () => true, 'tools'],
  ])('goes by words alone, and says so once, when embedding %s', async (_, isBroken, task) => {
    const events = new ToolEvents();
    const told: ToolEvent[] = [];
    events.on('*', (event) => told.push(event));
    const embedder = new TrigramEmbedder('flaky', (_texts, kind) => {
      if (isBroken(kind)) throw new Error(`no ${kind} today`);
    });
    const index = over(embedder, { buildWaitMs: 100 }, events);
    const answer = await search(index, 'list invoices');
    expect(answer).toEqual(await search(index, 'list invoices'));
    const { names, ...byWords } = await search(over(topics, { weight: 0 }), 'list invoices');
    expect(answer.names).toEqual(names);
    expect(answer.hits.map(({ id }) => id)).toEqual(byWords.hits.map(({ id }) => id));
    expect(told.filter(({ type }) => type === 'embedder.degraded')).toEqual([
      expect.objectContaining({
        embedder: 'flaky',
        task,
        reason: expect.stringMatching(/^no .* today$/),
        retryInMs: 1_000,
      }),
    ]);
    await index.close();
  });

  it('uses the vectors that are there already', async () => {
    const many = fakeTools(40);
    const embedder = new TrigramEmbedder('half', (texts) => (texts.length === 8 ? new Promise(() => {}) : undefined));
    const index = over(embedder, { buildWaitMs: 300 });
    const { hits } = await search(index, 'search a payment', { limit: 40 }, many);
    expect(hits.length).toBeGreaterThan(3);
    expect(embedder.asked.filter(({ kind }) => kind === 'query')).toHaveLength(1);
    await index.close();
  });

  it('gives up with its caller', async () => {
    const caller = new AbortController();
    const embedder = new TrigramEmbedder('slow', (_, kind) => {
      if (kind === 'tool') return undefined;
      caller.abort(new Error('gone'));
      return new Promise(() => {});
    });
    const index = over(embedder);
    const snapshot = new CatalogSnapshot(1, tools);
    await index.apply({ next: snapshot });
    const asked = index.search(
      { text: 'list', type: 'bm25', limit: 5 },
      snapshot,
      ToolSet.of(4, () => true),
      caller.signal,
    );
    await expect(asked).rejects.toThrow('gone');
  });

  it('neither answers nor asks otherwise for hidden tools, whichever of them have vectors already', async () => {
    /** The answer of an index for visible tools, and the limits of its word searches. Only some tools have vectors. */
    const asked = async (catalog: readonly ToolDefinition[], done: ReadonlySet<string>, text: string, see: Names) => {
      const isDown = { value: false };
      const embedder = new TrigramEmbedder('stuck', (_, kind) =>
        kind === 'tool' && isDown.value ? new Promise(() => {}) : undefined,
      );
      const depths: number[] = [];
      class Words extends MemoryToolIndex {
        override async search(...query: Parameters<MemoryToolIndex['search']>) {
          depths.push(query[0].limit);
          return super.search(...query);
        }
      }
      const events = new ToolEvents();
      const ready = new Promise((resolve) => events.on('embedder.ready', resolve));
      const index = new FusedToolIndex(new Words(), embedder, { buildWaitMs: 1, queryDeadlineMs: 60_000 }, { events });
      const first = new CatalogSnapshot(
        1,
        catalog.filter(({ name }) => done.has(name)),
      );
      await index.apply({ next: first });
      await ready;
      isDown.value = true;
      const next = new CatalogSnapshot(2, catalog);
      await index.apply({ next, previous: first });
      const visible = ToolSet.of(catalog.length, (id) => see.has(next.at(id).name));
      const { hits, ...answer } = await index.search({ text, type: 'bm25', limit: 3 }, next, visible);
      await index.close();
      const queries = embedder.asked.filter(({ kind }) => kind === 'query').length;
      const named = hits.map(({ id, similar = [], ...hit }) => ({
        ...hit,
        name: next.at(id).name,
        similar: similar.map((twin) => next.at(twin).name),
      }));
      return { ...answer, hits: named, depths, queries };
    };
    type Names = ReadonlySet<string>;
    const drawnTool = fc.tuple(anyTool, fc.boolean(), fc.boolean());
    const drawnTools = fc.uniqueArray(drawnTool, { selector: ([{ name }]) => name, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(drawnTools, anyText, async (drawn, text) => {
        const sorted = drawn.toSorted(([a], [b]) => (a.name < b.name ? -1 : 1));
        const visible = new Set(sorted.filter(([, isVisible]) => isVisible).map(([{ name }]) => name));
        const done = new Set(sorted.filter(([, , isDone]) => isDone).map(([{ name }]) => name));
        const catalog = sorted.map(([tool]) => tool);
        const alone = catalog.filter(({ name }) => visible.has(name));
        expect(await asked(catalog, done, text, visible)).toEqual(await asked(alone, done, text, visible));
      }),
      { numRuns: 60 },
    );
  });
});

const hit = (score: number) => ({ id: 1, score, match: 'bm25' as const });

describe('closeness', () => {
  it('runs from the mean of the visible tools to the best of them', () => {
    const among = { mean: 0.7, max: 0.9 };
    expect([0.5, 0.7, 0.8, 0.9].map((cosine) => closeness(cosine, among))).toEqual([0, 0, expect.closeTo(0.5), 1]);
    expect(closeness(Number.NaN, among)).toBeNaN();
  });

  it('is 0 for all tools if they are equally close', () => {
    expect(closeness(0.4, { mean: 0.4, max: 0.4 })).toBe(1);
    expect(closeness(0, { mean: 0, max: 0 })).toBe(0);
    expect(closeness(Number.NaN, { mean: 0, max: -1 })).toBeNaN();
  });
});

describe('fuse', () => {
  it('mixes words and meaning on the scale of the words', () => {
    expect(fuse(hit(0.8), 0.8, 1, 0.2).score).toBeCloseTo(0.8);
    expect(fuse(hit(0.8), 0.8, 0, 0.2).score).toBeCloseTo(0.64);
    expect(fuse(hit(0.4), 0.8, 1, 0.25).score).toBeCloseTo(0.5);
    expect(fuse(hit(0.4), 0.8, 0.3, 0).score).toBe(0.4);
  });

  it('leaves a tool without a vector to its words', () => {
    expect(fuse(hit(0.4), 0.8, Number.NaN, 0.2)).toEqual(hit(0.4));
  });

  it('keeps a hit a hit that only meaning found, however little it adds', () => {
    expect(fuse(hit(0), 0.8, 0, 0.2).score).toBeGreaterThan(0);
  });

  it('says what the score is made of', () => {
    const parts = [
      { field: 'name', word: 'pay', score: 0.3 },
      { field: 'coverage', score: 0.1 },
    ];
    const fused = fuse({ ...hit(0.4), parts }, 0.8, 1, 0.5);
    expect(fused.parts).toEqual([
      { field: 'meaning', score: 0.4 },
      { field: 'name', word: 'pay', score: 0.15 },
      { field: 'coverage', score: 0.05 },
    ]);
    expect(fused.score).toBeCloseTo(0.6);
  });
});
