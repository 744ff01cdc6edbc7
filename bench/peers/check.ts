import { contenders } from '../engines/contenders.js';
import { evaluateSet } from '../measuring/evaluate-set.js';
import { labelledFolder } from '../datasets/labelled-folder.js';
import { readLabelledSet } from '../datasets/labelled-set.js';
import { textTable } from '../measuring/text-table.js';
import { PUBLISHED_NDCG5, TOLERANCE } from './published-ndcg.js';
import { main } from '../command/command.js';
import { text, texts } from '../command/options.js';

interface Comparison {
  readonly set: string;
  readonly engine: string;
  readonly published: number;
  readonly measured: number;
  readonly reproduced: boolean;
}

async function compared(file: string): Promise<Comparison[]> {
  const set = readLabelledSet(file);
  const comparisons: Comparison[] = [];
  for (const engine of contenders('all', 'quality')) {
    const published = PUBLISHED_NDCG5[engine.name]?.[set.name];
    if (published === undefined) continue;
    const { ndcg5: measured } = await evaluateSet(set, engine);
    const reproduced = Math.abs(measured - published) <= TOLERANCE;
    comparisons.push({ set: set.name, engine: engine.name, published, measured, reproduced });
  }
  return comparisons;
}

function report(comparisons: readonly Comparison[]): string {
  return textTable([
    ['set', 'engine', 'published', 'measured', 'difference', ''],
    ...comparisons.map(({ set, engine, published, measured, reproduced }) => [
      set,
      engine,
      published.toFixed(3),
      measured.toFixed(4),
      (measured - published).toFixed(4),
      reproduced ? '' : 'NOT REPRODUCED',
    ]),
  ]);
}

main({
  purpose: 'Whether the peers written here reproduce their published figures.',
  options: { data: texts(), dir: text('FOLDER') },
  run: async ({ data, dir }) => {
    const comparisons: Comparison[] = [];
    for (const file of [...data, ...(dir === undefined ? [] : labelledFolder(dir))])
      comparisons.push(...(await compared(file)));
    if (comparisons.length > 0) return { tolerance: TOLERANCE, comparisons };
    throw new Error(
      'none of the sets has a published figure; give --dir or --data with metatool, toolbench, apibank, …',
    );
  },
  text: ({ comparisons }) => report(comparisons),
  fault: ({ comparisons }) =>
    comparisons.every(({ reproduced }) => reproduced) ? undefined : 'a published figure is not reproduced',
});
