import type { ToolDefinition } from '@tool-search/core';
import { benchQueries } from '../datasets/bench-queries.js';
import { changeCost, type ChangeCost } from './change-cost.js';
import { heldMegabytes } from './held-megabytes.js';
import type { HostileCost } from './hostile-cost.js';
import { interleavedLatency, type Latency } from './interleaved-latency.js';
import { percentile } from './measures.js';
import { restartCost, type RestartCost } from './restart-cost.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';

const QUERIES = 200;
// A slow engine (seconds per query) is measured with fewer queries.
const MAX_MEASURE_MS = 10_000;
// Long enough for the JIT compiler to see every path.
const MAX_WARM_UP_MS = 3_000;
const NEW_VIEWS = 20;

/** Speed of one engine with one catalog; times in milliseconds. */
export interface EngineSpeed extends Latency {
  readonly name: string;
  readonly config: string;
  readonly buildMs: number;
  /** The first search after the build, before any other of this engine in the process. */
  readonly firstMs: number;
  /** Heap and array buffers of the built index in MiB, after forced garbage collection. */
  readonly heapMb: number;
  readonly longP50Ms: number;
  readonly longP99Ms: number;
  /** Latency of short queries by the share of visible tools. */
  readonly visible: Readonly<Record<string, Latency>>;
  readonly bytesPerTool: number;
  /** Longest block of the event loop, while building and during all queries. */
  readonly buildBlockMs: number;
  readonly queryBlockMs: number;
  /** The first query of a caller with a new set of visible tools. */
  readonly newView: { readonly p50Ms: number; readonly maxMs: number };
  /** Absent for an engine that must be rebuilt. */
  readonly change?: ChangeCost;
  /** Absent for an engine that keeps nothing across restarts. */
  readonly restart?: RestartCost;
  /** Only with `--hostile`. */
  readonly hostile?: HostileCost;
}

/** Builds all engines with the same tools one after another, then queries them in turns. */
export async function engineSpeeds(
  engines: readonly SearchEngine[],
  tools: readonly ToolDefinition[],
  shares: readonly string[],
): Promise<EngineSpeed[]> {
  const { short, long } = benchQueries(tools, QUERIES);
  const builds = new Map<SearchEngine, Awaited<ReturnType<typeof buildCost>>>();
  for (const engine of engines) builds.set(engine, await buildCost(engine, tools, short[0] ?? ''));
  for (const engine of engines) await interleavedLatency([engine], [...short, ...long, ...short], 1, MAX_WARM_UP_MS);
  const measured = (queries: readonly string[], share: number) =>
    interleavedLatency(engines, queries, share, MAX_MEASURE_MS);
  const shortTimes = await measured(short, 1);
  const longTimes = await measured(long, 1);
  const shareTimes = new Map<string, Awaited<ReturnType<typeof measured>>>();
  for (const share of shares) shareTimes.set(share, await measured(short, Number(share)));
  const speeds: EngineSpeed[] = [];
  for (const engine of engines) {
    const build = builds.get(engine);
    const [whole, longest] = [shortTimes.get(engine), longTimes.get(engine)];
    if (!build || !whole || !longest) continue;
    const visible = [...shareTimes].flatMap(([share, times]) => {
      const latency = times.get(engine);
      return latency ? [{ share, latency }] : [];
    });
    const newView = await newViewLatency(engine, short);
    const change = await changeCost(engine, tools);
    const restart = await restartCost(engine, tools, short[0] ?? '');
    speeds.push({
      name: engine.name,
      config: engine.config,
      ...build,
      p50Ms: whole.p50Ms,
      p99Ms: whole.p99Ms,
      longP50Ms: longest.p50Ms,
      longP99Ms: longest.p99Ms,
      visible: Object.fromEntries(
        visible.map(({ share, latency: { p50Ms, p99Ms } }) => [share, { p50Ms, p99Ms }] as const),
      ),
      queryBlockMs: Math.max(whole.blockMs, longest.blockMs, ...visible.map(({ latency }) => latency.blockMs)),
      newView,
      ...(change && { change }),
      ...(restart && { restart }),
    });
  }
  return speeds;
}

async function buildCost(
  engine: SearchEngine,
  tools: readonly ToolDefinition[],
  query: string,
): Promise<Pick<EngineSpeed, 'buildMs' | 'buildBlockMs' | 'firstMs' | 'heapMb' | 'bytesPerTool'>> {
  const heldBefore = await heldMegabytes();
  const { ms: buildMs, blockMs: buildBlockMs } = await timed(() => engine.build(tools));
  const heapMb = (await heldMegabytes()) - heldBefore;
  const { ms: firstMs } = await timed(() => engine.search(query, 10, 1));
  return { buildMs, buildBlockMs, firstMs, heapMb, bytesPerTool: Math.round((heapMb * 2 ** 20) / tools.length) };
}

async function newViewLatency(engine: SearchEngine, queries: readonly string[]): Promise<EngineSpeed['newView']> {
  const times: number[] = [];
  for (let view = 0; view < NEW_VIEWS; view++) {
    const share = 0.303 + 0.0311 * view;
    engine.see?.(share);
    times.push((await timed(() => engine.search(queries[view] ?? '', 10, share))).ms);
  }
  return { p50Ms: percentile(times, 0.5), maxMs: Math.max(...times) };
}
