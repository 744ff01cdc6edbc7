import { parseArgs } from 'node:util';
import { catalogFolder } from './datasets/catalog-folder.js';
import { contenders } from './engines/contenders.js';
import { evaluateSet, type EngineResult } from './measuring/evaluate-set.js';
import { githubSet } from './datasets/github-set.js';
import { IMPOSSIBLE_REQUESTS } from './datasets/impossible-requests.js';
import { labelledFolder } from './datasets/labelled-folder.js';
import { withPhrasesOfAll } from './datasets/phrases.js';
import { type LabelledSet, readLabelledSet } from './datasets/labelled-set.js';
import { meanResults } from './measuring/mean-result.js';
import { retrievalReport, type SetResult } from './measuring/retrieval-report.js';

async function evaluated(given: LabelledSet, engines: string, phrases: boolean): Promise<SetResult> {
  const set = phrases ? withPhrasesOfAll(given) : given;
  const results: EngineResult[] = [];
  for (const engine of contenders(engines, 'quality')) results.push(await evaluateSet(set, engine));
  return { set: set.name, tools: set.tools.length, queries: set.queries.length, engines: results };
}

function impossibleSet(folder: string): LabelledSet {
  const queries = IMPOSSIBLE_REQUESTS.map((query) => ({ query, relevant: new Set<string>() }));
  return { name: 'impossible', tools: catalogFolder(folder), queries };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', multiple: true, default: [] },
      dir: { type: 'string' },
      compare: { type: 'boolean', default: false },
      engines: { type: 'string' },
      impossible: { type: 'string' },
      phrases: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const engines = values.engines ?? (values.compare ? 'all' : 'tool-search');
  const files = [...values.data, ...(values.dir === undefined ? [] : labelledFolder(values.dir))];
  const sets: SetResult[] = [];
  for (const file of files) sets.push(await evaluated(readLabelledSet(file), engines, values.phrases));
  if (files.length === 0) sets.push(await evaluated(await githubSet(), engines, values.phrases));
  const means = meanResults(sets.map((set) => set.engines));
  const impossible =
    values.impossible === undefined
      ? undefined
      : await evaluated(impossibleSet(values.impossible), engines, values.phrases);
  const json = {
    ...(sets.length === 1 ? sets[0] : { sets, mean: { engines: means } }),
    ...(impossible && { impossible }),
  };
  console.log(values.json ? JSON.stringify(json) : retrievalReport(sets, means, impossible));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
