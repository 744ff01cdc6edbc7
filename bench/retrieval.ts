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
import { main } from './command/command.js';
import { flag, text, texts } from './command/options.js';

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

main({
  purpose: 'Quality of search on labelled requests: of the repository, or of files.',
  options: {
    data: texts(),
    dir: text('FOLDER'),
    compare: flag(),
    engines: text('NAME,…'),
    impossible: text('FOLDER'),
    phrases: flag(),
  },
  run: async ({ data, dir, compare, engines: named, impossible: folder, phrases }) => {
    const engines = named ?? (compare ? 'all' : 'tool-search');
    const files = [...data, ...(dir === undefined ? [] : labelledFolder(dir))];
    const sets: SetResult[] = [];
    for (const file of files) sets.push(await evaluated(readLabelledSet(file), engines, phrases));
    if (files.length === 0) sets.push(await evaluated(await githubSet(), engines, phrases));
    const impossible = folder === undefined ? undefined : await evaluated(impossibleSet(folder), engines, phrases);
    const [only] = sets;
    const all = { sets, mean: { engines: meanResults(sets.map((set) => set.engines)) } };
    return { ...(sets.length === 1 && only ? only : all), ...(impossible && { impossible }) };
  },
  text: ({ impossible, ...result }) => {
    const sets = 'sets' in result ? result.sets : [result];
    return retrievalReport(sets, meanResults(sets.map((set) => set.engines)), impossible);
  },
});
