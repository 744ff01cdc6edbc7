import { contenders } from './engines/contenders.js';
import { type FloodRecall, floodRecall } from './measuring/flood-recall.js';
import { githubSet } from './datasets/github-set.js';
import { readLabelledSet } from './datasets/labelled-set.js';
import { scaledCatalog } from './datasets/scaled-catalog.js';
import { textTable } from './measuring/text-table.js';
import { main } from './command/command.js';
import { count, flag, text } from './command/options.js';

function report(tools: number, clones: number, engines: readonly FloodRecall[]): string {
  const table = textTable([
    ['engine', 'requests', 'before', 'own tool cloned', 'clones in the first five', 'another tool cloned'],
    ...engines.map(({ name, requests, recall5Before, recall5Targeted, floodedHits, recall5Bystanders }) => [
      name,
      String(requests),
      recall5Before.toFixed(3),
      recall5Targeted.toFixed(3),
      `${(floodedHits * 100).toFixed(0)} %`,
      recall5Bystanders.toFixed(3),
    ]),
  ]);
  return `recall@5 with ${clones} clones of one tool among ${tools} tools\n${table}`;
}

main({
  purpose: 'How many requests lose their tool when a source floods the catalog with near-copies.',
  options: { data: text('FILE'), tools: count(10_000), clones: count(100), compare: flag(), engines: text('NAME,…') },
  run: async ({ data, tools: wanted, clones, compare, engines: named }) => {
    const set = data === undefined ? await githubSet() : readLabelledSet(data);
    const tools = scaledCatalog(set.tools, wanted);
    const engines: FloodRecall[] = [];
    for (const engine of contenders(named ?? (compare ? 'all' : 'tool-search'), 'quality')) {
      engines.push(await floodRecall(engine, set, tools, clones));
    }
    return { set: set.name, tools: tools.length, clones, engines };
  },
  text: ({ tools, clones, engines }) => report(tools, clones, engines),
});
