import { catalogFolder } from './datasets/catalog-folder.js';
import { contenders } from './engines/contenders.js';
import { type EngineSpeed, engineSpeeds } from './measuring/engine-speed.js';
import { githubOperations } from './datasets/github-operations.js';
import { hostileCost } from './measuring/hostile-cost.js';
import { HOSTILE_PATTERNS, hostileWords } from './datasets/hostile-queries.js';
import { scaledCatalog } from './datasets/scaled-catalog.js';
import { speedReport } from './measuring/speed-report.js';
import { main } from './command/command.js';
import { count, flag, text } from './command/options.js';

// Engines that stay usable with a large catalog; the other peers run only if named.
const COMPARED = 'tool-search,fts5,minisearch,ai-sdk';

function sharesOf(text: string): string[] {
  const shares = text.split(',').map((share) => share.trim());
  if (!shares.every((share) => Number(share) > 0 && Number(share) <= 1)) {
    throw new Error('--visible takes shares above 0 and up to 1, separated by commas');
  }
  return shares;
}

main({
  purpose: 'Speed and memory of search engines, all with the same tools, queried in turns.',
  options: {
    tools: count(10_000),
    dir: text('FOLDER'),
    visible: text('SHARE,…'),
    compare: flag(),
    engines: text('NAME,…'),
    hostile: flag(),
  },
  run: async ({ tools: wanted, dir, visible = '0.01,0.1,0.9,1', compare, engines: named, hostile }) => {
    const shares = sharesOf(visible);
    const engines = contenders(named ?? (compare ? COMPARED : 'tool-search'), 'speed');
    const tools = scaledCatalog(dir === undefined ? await githubOperations() : catalogFolder(dir), wanted);
    const results: EngineSpeed[] = [];
    const speeds = await engineSpeeds(engines, tools, shares);
    for (const [index, speed] of speeds.entries()) {
      const engine = engines[index];
      const cost = hostile && engine ? await hostileCost(engine, hostileWords(tools), HOSTILE_PATTERNS) : undefined;
      results.push({ ...speed, ...(cost && { hostile: cost }) });
    }
    return { tools: tools.length, engines: results };
  },
  text: ({ tools, engines }) => speedReport(tools, engines),
});
