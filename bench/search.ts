import { parseArgs } from 'node:util';
import { catalogFolder } from './datasets/catalog-folder.js';
import { contenders } from './engines/contenders.js';
import { engineSpeeds } from './measuring/engine-speed.js';
import { githubOperations } from './datasets/github-operations.js';
import { hostileCost } from './measuring/hostile-cost.js';
import { HOSTILE_PATTERNS, hostileWords } from './datasets/hostile-queries.js';
import { scaledCatalog } from './datasets/scaled-catalog.js';
import { speedReport } from './measuring/speed-report.js';

// Engines that stay usable at 100,000 tools; peers from agent frameworks run only if named.
const COMPARED = 'tool-search,fts5,minisearch';

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1_000_000)
    throw new Error('--tools takes a number from 1 to 1,000,000');
  return count;
}

function sharesOf(text: string): string[] {
  const shares = text.split(',').map((share) => share.trim());
  if (!shares.every((share) => Number(share) > 0 && Number(share) <= 1)) {
    throw new Error('--visible takes shares above 0 and up to 1, separated by commas');
  }
  return shares;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tools: { type: 'string', default: '10000' },
      dir: { type: 'string' },
      visible: { type: 'string', default: '0.01,0.1,0.9,1' },
      compare: { type: 'boolean', default: false },
      engines: { type: 'string' },
      hostile: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const shares = sharesOf(values.visible);
  const count = countOf(values.tools);
  const engines = contenders(values.engines ?? (values.compare ? COMPARED : 'tool-search'), 'speed');
  const tools = scaledCatalog(values.dir === undefined ? await githubOperations() : catalogFolder(values.dir), count);
  const speeds = await engineSpeeds(engines, tools, shares);
  const hostile = new Map<string, Awaited<ReturnType<typeof hostileCost>>>();
  for (const engine of values.hostile ? engines : []) {
    hostile.set(engine.name, await hostileCost(engine, hostileWords(tools), HOSTILE_PATTERNS));
  }
  const results = speeds.map((speed) => {
    const cost = hostile.get(speed.name);
    return cost ? { ...speed, hostile: cost } : speed;
  });
  console.log(
    values.json ? JSON.stringify({ tools: tools.length, engines: results }) : speedReport(tools.length, results),
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
