import { interleavedLatency } from './interleaved-latency.js';
import type { SearchEngine } from '../engines/search-engine.js';

function recording(name: string, log: string[], sparedMs = 0): SearchEngine {
  return {
    name,
    config: '',
    build: async () => undefined,
    see: (share) => log.push(`${name} sees ${share}`),
    search: async (text) => {
      log.push(`${name} ${text}`);
      return { names: [], sparedMs };
    },
  };
}

describe('interleavedLatency', () => {
  const queries = Array.from({ length: 60 }, (_, number) => `q${number}`);

  it('asks every engine every query once, in turns that begin with another engine', async () => {
    const log: string[] = [];
    const engines = [recording('a', log), recording('b', log)];
    await interleavedLatency(engines, queries, 0.5, 60_000);
    const asked = (name: string): string[] => log.filter((entry) => entry.startsWith(`${name} q`));
    expect(asked('a')).toEqual(queries.map((query) => `a ${query}`));
    expect(asked('b')).toEqual(queries.map((query) => `b ${query}`));
    expect(log.slice(0, 3)).toEqual(['a sees 0.5', 'b sees 0.5', 'a q0']);
    expect(log.indexOf('b q50')).toBeLessThan(log.indexOf('a q50'));
  });

  it('counts spared time as latency, and stops an engine that has had its time', async () => {
    const log: string[] = [];
    const engine = recording('slow', log, 1_000);
    const times = await interleavedLatency([engine], queries, 1, 2_500);
    expect(times.get(engine)?.p50Ms).toBeGreaterThanOrEqual(1_000);
    expect(log.filter((entry) => entry.startsWith('slow q'))).toHaveLength(3);
  });
});
