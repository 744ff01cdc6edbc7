import { parseArgs } from 'node:util';
import {
  CatalogSnapshot,
  checkedQuery,
  type DenseOptions,
  type Embedder,
  FusedToolIndex,
  MemoryToolIndex,
  type ToolIndex,
  ToolSet,
} from '@tool-search/core';
import { OpenAiEmbedder } from '../src/examples/openai-embedder.js';
import { ExampleEmbedder } from './example-embedder.js';
import { githubSet } from './github-set.js';
import { type LabelledSet, readLabelledSet } from './labelled-set.js';
import { type RankedQuery, retrievalMeasures } from './measures.js';

const DEPTH = 100;
/** Of reciprocal rank fusion, as in Cormack et al. 2009. */
const RRF_K = 60;
const PATIENT = { buildWaitMs: 3_600_000, queryDeadlineMs: 60_000 };
const EVERYTHING: DenseOptions = { minSimilarity: 0 };
const WEIGHTS = [0.1, 0.2, 0.35, 0.5];

type Ranking = (text: string) => Promise<readonly string[]>;

/** Vectors that are not asked for twice: every contender embeds the same texts. */
function remembered(embedder: Embedder): Embedder {
  const known = new Map<string, readonly number[] | Float32Array>();
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    embed: async (texts, kind, signal) => {
      const fresh = texts.filter((text) => !known.has(kind + text));
      if (fresh.length > 0) {
        const vectors = await embedder.embed(fresh, kind, signal);
        fresh.forEach((text, i) => known.set(kind + text, vectors[i] ?? []));
      }
      return texts.map((text) => known.get(kind + text) ?? []);
    },
  };
}

async function rankingOf(index: ToolIndex, snapshot: CatalogSnapshot): Promise<Ranking> {
  await index.apply({ next: snapshot });
  const visible = ToolSet.of(snapshot.tools.length, () => true);
  return async (text) => {
    const query = { text: checkedQuery(text.slice(0, 4_000), 'bm25'), type: 'bm25', limit: DEPTH } as const;
    const { hits } = await index.search(query, snapshot, visible);
    return hits.map(({ id }) => snapshot.at(id).name);
  };
}

function reciprocalRankFusion(rankings: readonly (readonly string[])[]): readonly string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [rank, name] of ranking.entries()) scores.set(name, (scores.get(name) ?? 0) + 1 / (RRF_K + rank + 1));
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

async function contendersOf(set: LabelledSet, embedder: Embedder): Promise<ReadonlyMap<string, Ranking>> {
  const snapshot = new CatalogSnapshot(1, set.tools);
  const fused = (options: DenseOptions) =>
    rankingOf(new FusedToolIndex(new MemoryToolIndex(), embedder, { ...PATIENT, ...options }), snapshot);
  const words = await rankingOf(new MemoryToolIndex(), snapshot);
  const vectors = await fused({ ...EVERYTHING, weight: 1 });
  const contenders = new Map([
    ['words', words],
    ['vectors', vectors],
  ]);
  for (const weight of WEIGHTS) contenders.set(`fused ${weight}`, await fused({ weight }));
  for (const weight of WEIGHTS) contenders.set(`fused ${weight}, all`, await fused({ ...EVERYTHING, weight }));
  contenders.set('RRF', async (text) => reciprocalRankFusion([await words(text), await vectors(text)]));
  return contenders;
}

async function evaluate(set: LabelledSet, embedder: Embedder): Promise<readonly string[][]> {
  const rows: string[][] = [];
  for (const [name, rank] of await contendersOf(set, embedder)) {
    const ranked: RankedQuery[] = [];
    for (const { query, relevant } of set.queries) {
      const started = performance.now();
      const found = await rank(query);
      ranked.push({ found, relevant, saysNone: found.length === 0, ms: performance.now() - started });
    }
    const { ndcg5, ndcg10, recall5, recall10, p50Ms } = retrievalMeasures(ranked);
    rows.push([
      set.name,
      name,
      ...[ndcg5, ndcg10, recall5, recall10].map((value) => value.toFixed(3)),
      p50Ms.toFixed(2),
    ]);
  }
  return rows;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', multiple: true },
      queries: { type: 'string', default: '500' },
      url: { type: 'string' },
      model: { type: 'string', default: '' },
      dimensions: { type: 'string', default: '384' },
    },
  });
  const most = Number(values.queries);
  console.log(['set', 'engine', 'nDCG@5', 'nDCG@10', 'recall@5', 'recall@10', 'p50 ms'].join('\t'));
  for (const read of values.data?.map((file) => () => readLabelledSet(file)) ?? [githubSet]) {
    const set = await read();
    // Evenly spread, so that a set sorted by topic is not cut to its first one.
    const step = Math.max(1, set.queries.length / most);
    const queries = set.queries.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
    const { url, model, dimensions } = values;
    const apiKey = process.env.EMBEDDER_API_KEY;
    const embedder = url
      ? new OpenAiEmbedder({ baseUrl: url, model, dimensions: Number(dimensions), ...(apiKey && { apiKey }) })
      : new ExampleEmbedder(set.tools);
    const rows = await evaluate({ ...set, queries }, remembered(embedder));
    for (const row of rows) console.log(row.join('\t'));
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
