import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ToolDefinition } from '@tool-search/core';
import { benchQueries } from './bench-queries.js';
import { catalogFolder } from './catalog-folder.js';
import { githubOperations } from './github-operations.js';
import { percentile } from './measures.js';
import { MiniSearchEngine } from './mini-search-engine.js';
import { scaledCatalog } from './scaled-catalog.js';
import type { SearchEngine } from './search-engine.js';
import { ToolSearchEngine } from './tool-search-engine.js';

const QUERIES = 200;
const HITS = 10;
// An engine that needs seconds a query is measured on fewer of them.
const MAX_MEASURE_MS = 20_000;
// Long enough for the compiler to have seen every path.
const MAX_WARM_UP_MS = 3_000;

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface EngineSpeed extends Latency {
  readonly name: string;
  readonly config: string;
  readonly buildMs: number;
  /** Heap and array buffers that the built index keeps, after forced garbage collection. */
  readonly heapMb: number;
  readonly longP50Ms: number;
  readonly longP99Ms: number;
  /** Latency of short queries by the share of the tools that the searcher may see. */
  readonly visible: Readonly<Record<string, Latency>>;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

async function heldMegabytes(): Promise<number> {
  // Array buffers are given back a moment after the collection that found them dead.
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

async function latency(
  engine: SearchEngine,
  queries: readonly string[],
  share: number,
  maxMs = MAX_MEASURE_MS,
): Promise<Latency> {
  const times: number[] = [];
  const end = performance.now() + maxMs;
  for (const query of queries) {
    const started = performance.now();
    if (started > end) break;
    await engine.search(query, HITS, share);
    times.push(performance.now() - started);
  }
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

async function measure(
  engine: SearchEngine,
  tools: readonly ToolDefinition[],
  shares: readonly string[],
): Promise<EngineSpeed> {
  const { short, long } = benchQueries(tools, QUERIES);
  const heldBefore = await heldMegabytes();
  const started = performance.now();
  await engine.build(tools);
  const buildMs = performance.now() - started;
  const heapMb = (await heldMegabytes()) - heldBefore;
  await latency(engine, [...short, ...long, ...short], 1, MAX_WARM_UP_MS);
  const whole = await latency(engine, short, 1);
  const { p50Ms: longP50Ms, p99Ms: longP99Ms } = await latency(engine, long, 1);
  const visible: Record<string, Latency> = {};
  for (const share of shares) visible[share] = await latency(engine, short, Number(share));
  return { name: engine.name, config: engine.config, buildMs, heapMb, ...whole, longP50Ms, longP99Ms, visible };
}

function report(tools: number, engines: readonly EngineSpeed[]): string {
  const ms = ({ p50Ms, p99Ms }: Latency): string => `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const blocks = engines.map(({ name, config, buildMs, heapMb, longP50Ms, longP99Ms, visible, ...short }) =>
    [
      `${name} (${config})`,
      `  build          ${buildMs.toFixed(0)} ms, ${heapMb.toFixed(1)} MB`,
      `  short queries  ${ms(short)}`,
      `  long queries   ${ms({ p50Ms: longP50Ms, p99Ms: longP99Ms })}`,
      ...Object.entries(visible).map(
        ([share, times]) => `  ${`${Number(share) * 100} % visible`.padEnd(13)}  ${ms(times)}`,
      ),
    ].join('\n'),
  );
  return [`${tools} tools`, ...blocks].join('\n\n');
}

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
      json: { type: 'boolean', default: false },
    },
  });
  const shares = sharesOf(values.visible);
  const count = countOf(values.tools);
  const tools = scaledCatalog(values.dir === undefined ? await githubOperations() : catalogFolder(values.dir), count);
  const engines: EngineSpeed[] = [];
  for (const create of [() => new ToolSearchEngine(), ...(values.compare ? [() => new MiniSearchEngine()] : [])]) {
    engines.push(await measure(create(), tools, shares));
  }
  console.log(values.json ? JSON.stringify({ tools: tools.length, engines }) : report(tools.length, engines));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
