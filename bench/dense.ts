import type { Embedder } from '@tool-search/core';
import { OpenAiEmbedder } from '../src/examples/openai-embedder.js';
import { denseContenders } from './engines/dense-contenders.js';
import { denseMeans, type DenseResult, denseResult, denseRows } from './measuring/dense-result.js';
import { ExampleEmbedder } from './embedders/example-embedder.js';
import { githubSet } from './datasets/github-set.js';
import { labelledFolder } from './datasets/labelled-folder.js';
import { type LabelledSet, readLabelledSet } from './datasets/labelled-set.js';
import { remembered } from './embedders/remembered.js';
import { SifEmbedder } from './embedders/sif-embedder.js';
import { textTable } from './measuring/text-table.js';
import { readWordVectors } from './embedders/word-vectors.js';
import { main } from './command/command.js';
import { count, text, texts } from './command/options.js';

/**
 * The source of vectors, as set on the command line: a server, a file of word vectors, or by default the catalog
 * itself.
 */
interface Source {
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  readonly dimensions: number;
  readonly vectors?: string | undefined;
}

function embedderOf({ url, model = '', dimensions, vectors }: Source): (set: LabelledSet) => Embedder {
  if (url !== undefined && vectors !== undefined) throw new Error('give --url or --vectors, not both');
  if (url !== undefined) {
    const apiKey = process.env.EMBEDDER_API_KEY;
    const options = { baseUrl: url, model, dimensions, ...(apiKey && { apiKey }) };
    return () => remembered(new OpenAiEmbedder(options));
  }
  if (vectors === undefined) return ({ tools }) => new ExampleEmbedder(tools);
  const words = readWordVectors(vectors);
  return ({ tools }) => new SifEmbedder(tools, words);
}

/** Takes at most `most` queries, evenly spread, so that a set sorted by topic is not reduced to its first topic. */
function sample(set: LabelledSet, most: number): LabelledSet {
  const step = Math.max(1, set.queries.length / most);
  return { ...set, queries: set.queries.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)) };
}

main({
  purpose:
    'Quality of vectors beside words: of a server, of a file of word vectors, or by default of the catalog itself.',
  options: {
    data: texts(),
    dir: text('FOLDER'),
    queries: count(500),
    url: text('URL'),
    model: text(),
    dimensions: count(384),
    vectors: text('FILE'),
  },
  run: async ({ data, dir, queries, ...source }) => {
    const embedder = embedderOf(source);
    const files = [...data, ...(dir === undefined ? [] : labelledFolder(dir))];
    const sets = files.length === 0 ? [await githubSet()] : files.map(readLabelledSet);
    const results: DenseResult[] = [];
    for (const set of sets) {
      const asked = sample(set, queries);
      for (const [engine, rank] of await denseContenders(asked, embedder(asked))) {
        results.push(await denseResult(asked, engine, rank));
      }
    }
    return { results: [...results, ...(sets.length > 1 ? denseMeans(results) : [])] };
  },
  text: ({ results }) => textTable(denseRows(results)),
});
