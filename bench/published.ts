import { writeFileSync } from 'node:fs';
import { type RankedQuery, retrievalMeasures } from '@tool-search/core/testing';
import { main } from './command/command.js';
import { text } from './command/options.js';
import { growingCatalogs } from './datasets/growing-catalog.js';
import { labelledFolder } from './datasets/labelled-folder.js';
import { type LabelledSet, readLabelledSet } from './datasets/labelled-set.js';
import type { SearchEngine } from './engines/search-engine.js';
import { ToolSearchEngine } from './engines/tool-search-engine.js';
import { curvePicture, share } from './measuring/curve-picture.js';
import { evaluateSet, rankedQueries } from './measuring/evaluate-set.js';
import { mean } from './measuring/measures.js';
import { measuresAt } from './measuring/measures-at.js';
import { textTable } from './measuring/text-table.js';
import { ArgumentBm25Engine } from './peers/argument-bm25-engine.js';

const SIZES = [100, 300, 1_000, 3_000, 10_000];

/** What papers report, under the names that they use. */
const MEASURES: Readonly<Record<string, (ranked: readonly RankedQuery[]) => number>> = {
  'R@1': (ranked) => measuresAt(ranked, 1).recall,
  'R@3': (ranked) => measuresAt(ranked, 3).recall,
  'R@5': (ranked) => measuresAt(ranked, 5).recall,
  'R@10': (ranked) => measuresAt(ranked, 10).recall,
  MRR: (ranked) => retrievalMeasures(ranked).mrr,
  'N@3': (ranked) => measuresAt(ranked, 3).ndcg,
  'N@5': (ranked) => measuresAt(ranked, 5).ndcg,
  'COMP@3': (ranked) => measuresAt(ranked, 3).complete,
  'COMP@5': (ranked) => measuresAt(ranked, 5).complete,
};

/** Recall@5 of an engine by the size of the catalog; `mean` weighs every set the same. */
interface Growth {
  readonly set: string;
  readonly queries?: number;
  readonly engine: string;
  readonly recall5: readonly number[];
}

function engines(): SearchEngine[] {
  return [new ToolSearchEngine(), new ArgumentBm25Engine()];
}

async function figures({ tools, queries }: LabelledSet, engine: SearchEngine) {
  await engine.build(tools);
  const ranked = await rankedQueries(queries, engine);
  const values = Object.entries(MEASURES).map(([name, measure]) => [name, measure(ranked)] as const);
  return { engine: engine.name, measures: Object.fromEntries(values) };
}

async function growth(sets: readonly LabelledSet[], others: readonly LabelledSet[]): Promise<Growth[]> {
  const rows: Growth[] = [];
  for (const set of sets) {
    const catalogs = growingCatalogs(set, [...sets.filter((other) => other !== set), ...others], SIZES);
    for (const engine of engines()) {
      const recall5: number[] = [];
      for (const catalog of catalogs) recall5.push((await evaluateSet(catalog, engine)).recall5);
      rows.push({ set: set.name, queries: catalogs[0]?.queries.length ?? 0, engine: engine.name, recall5 });
    }
  }
  const means = engines().map(({ name }) => {
    const own = rows.filter(({ engine }) => engine === name);
    return {
      set: 'mean',
      engine: name,
      recall5: SIZES.map((_, size) => mean(own.map(({ recall5 }) => recall5[size] ?? 0))),
    };
  });
  return [...rows, ...means];
}

function picture(rows: readonly Growth[]): string {
  const curve = (name: string) => ({
    name,
    values: rows.find(({ set, engine }) => set === 'mean' && engine === name)?.recall5 ?? [],
  });
  return curvePicture('Recall@5 by the size of the catalog, mean of the sets', SIZES, [
    curve('tool-search'),
    curve('bm25'),
  ]);
}

main({
  purpose:
    'The measures that papers report, on labelled sets; with --others also recall@5 while tools of those sets are added.',
  options: { data: text('FOLDER'), others: text('FOLDER'), svg: text('FILE') },
  run: async ({ data, others, svg }) => {
    if (data === undefined) throw new Error('--data takes a folder of labelled sets (*.json)');
    if (svg !== undefined && others === undefined)
      throw new Error('--svg draws the growth of the catalog: give --others');
    const sets = labelledFolder(data).map(readLabelledSet);
    const results = [];
    for (const set of sets) {
      const compared: Awaited<ReturnType<typeof figures>>[] = [];
      for (const engine of engines()) compared.push(await figures(set, engine));
      results.push({ set: set.name, tools: set.tools.length, queries: set.queries.length, engines: compared });
    }
    if (others === undefined) return { sets: results };
    const grown = await growth(sets, labelledFolder(others).map(readLabelledSet));
    if (svg !== undefined) writeFileSync(svg, picture(grown));
    return { sets: results, sizes: SIZES, growth: grown };
  },
  text: ({ sets, growth: grown }) => {
    const rows = sets.flatMap(({ set, tools, queries, engines: compared }) =>
      compared.map(({ engine, measures }) => [
        set,
        String(tools),
        String(queries),
        engine,
        ...Object.values(measures).map(share),
      ]),
    );
    const tables = [textTable([['set', 'tools', 'queries', 'engine', ...Object.keys(MEASURES)], ...rows])];
    if (grown) {
      const lines = grown.map(({ set, queries, engine, recall5 }) => [
        set,
        String(queries ?? ''),
        engine,
        ...recall5.map(share),
      ]);
      tables.push(`recall@5\n${textTable([['set', 'queries', 'engine', ...SIZES.map(String)], ...lines])}`);
    }
    return tables.join('\n\n');
  },
});
