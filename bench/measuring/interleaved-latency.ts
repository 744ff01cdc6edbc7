import { percentile } from './measures.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';

const HITS = 10;
// Long enough for an engine's data to be in the processor's caches, short enough that a disturbance hits everybody.
const TURN = 50;

/** Latency of many queries in milliseconds. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Latency, and the longest time for which one of the queries kept the event loop. */
export interface MeasuredLatency extends Latency {
  readonly blockMs: number;
}

/**
 * Asks all engines the same queries, in turns of 50 that begin with another engine each time, so that what else happens on
 * the machine falls on all alike.
 *
 * @param maxMs an engine that needs longer is measured on fewer queries
 */
export async function interleavedLatency(
  engines: readonly SearchEngine[],
  queries: readonly string[],
  share: number,
  maxMs: number,
): Promise<ReadonlyMap<SearchEngine, MeasuredLatency>> {
  const samples = new Map(engines.map((engine) => [engine, { times: [] as number[], spent: 0, blockMs: 0 }]));
  for (const engine of engines) engine.see?.(share);
  for (let start = 0; start < queries.length; start += TURN) {
    const first = (start / TURN) % engines.length;
    for (const engine of [...engines.slice(first), ...engines.slice(0, first)]) {
      const sample = samples.get(engine);
      if (!sample || sample.spent > maxMs) continue;
      for (const query of queries.slice(start, start + TURN)) {
        if (sample.spent > maxMs) break;
        const { value, ms, blockMs } = await timed(() => engine.search(query, HITS, share));
        const whole = ms + (value.sparedMs ?? 0);
        sample.times.push(whole);
        sample.spent += whole;
        sample.blockMs = Math.max(sample.blockMs, blockMs);
      }
    }
  }
  return new Map(
    [...samples].map(([engine, { times, blockMs }]) => [
      engine,
      { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), blockMs },
    ]),
  );
}
