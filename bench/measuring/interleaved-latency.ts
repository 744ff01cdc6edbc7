import { percentile } from './measures.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';

const HITS = 10;
// Long enough to fill the CPU caches with an engine's data, short enough that a disturbance affects all engines.
const TURN = 50;

/** Latency of many queries in milliseconds. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Latency, and the longest block of the event loop by a single query. */
export interface MeasuredLatency extends Latency {
  readonly blockMs: number;
}

/**
 * Runs the same queries on all engines in turns of 50, each time starting with another engine, so that other load on
 * the machine affects all engines alike.
 *
 * @param maxMs an engine that takes longer is measured with fewer queries
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
