import { parseArgs } from 'node:util';
import { contenders } from './engines/contenders.js';
import { type FloodRecall, floodRecall } from './measuring/flood-recall.js';
import { githubSet } from './datasets/github-set.js';
import { readLabelledSet } from './datasets/labelled-set.js';
import { scaledCatalog } from './datasets/scaled-catalog.js';
import { textTable } from './measuring/text-table.js';

function countOf(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 100_000)
    throw new Error(`${option} takes a number from 1 to 100,000`);
  return count;
}

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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      tools: { type: 'string', default: '10000' },
      clones: { type: 'string', default: '100' },
      compare: { type: 'boolean', default: false },
      engines: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const clones = countOf('--clones', values.clones);
  const set = values.data === undefined ? await githubSet() : readLabelledSet(values.data);
  const tools = scaledCatalog(set.tools, countOf('--tools', values.tools));
  const results: FloodRecall[] = [];
  for (const engine of contenders(values.engines ?? (values.compare ? 'all' : 'tool-search'), 'quality')) {
    results.push(await floodRecall(engine, set, tools, clones));
  }
  console.log(
    values.json
      ? JSON.stringify({ set: set.name, tools: tools.length, clones, engines: results })
      : report(tools.length, clones, results),
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
