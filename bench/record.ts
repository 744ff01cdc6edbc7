import { join } from 'node:path';
import autocannon from 'autocannon';
import type { DataSource } from 'typeorm';
import { percentile } from './measuring/measures.js';
import { memberTable } from './measuring/text-table.js';
import { type OpenStores, openStores } from './scenarios/open-stores.js';
import { inOwnDatabase, inOwnFolder, postgresServer } from './scenarios/own-database.js';
import { filled, overviewTimes, pageTimes } from './scenarios/record.scenario.js';
import { type ServerProcess, startServer } from './scenarios/server-process.js';
import { main } from './command/command.js';
import { count, oneOf } from './command/options.js';

const TOKEN = 'bench-record-token';
const CONNECTIONS = 16;
const LIMIT = { id: 'users', per: ['tenant', 'user'], rate: { calls: 1_000_000_000, windowMs: 60_000 } };
const OFF = { TOOL_SEARCH_RECORD: 'false', TOOL_SEARCH_RESULTS: 'false' };
const ON = { TOOL_SEARCH_LIMITS_RULES: JSON.stringify([LIMIT]) };
const RECORD_ONLY = { TOOL_SEARCH_RESULTS: 'false' };

type Store = 'sqlite' | 'postgres';

/** A place for a database: a SQLite file, or a database of its own on the PostgreSQL server. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly open: () => Promise<OpenStores>;
}

async function speeds(store: Store, rounds: number, seconds: number) {
  const kinds = { off: OFF, record: RECORD_ONLY, on: ON };
  const rates: Record<keyof typeof kinds, number[]> = { off: [], record: [], on: [] };
  const started: ServerProcess[] = [];
  const places = Object.entries(kinds) as [keyof typeof kinds, Record<string, string>][];
  const run = async (index: number): Promise<void> => {
    const place = places[index];
    if (place) {
      return inPlace(store, async ({ env }) => {
        started.push(await startServer({ ...env, ...place[1], DEMO_TOKENS: `${TOKEN}:acme:ada:business:finance` }));
        await run(index + 1);
      });
    }
    for (let round = 0; round <= rounds; round++) {
      for (const [at, [kind]] of places.entries()) {
        const rate = await callsPerSecond(started[at]?.url ?? '', seconds);
        // The first round is a warm-up.
        if (round > 0) rates[kind].push(rate);
      }
    }
  };
  try {
    await run(0);
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
  const median = (values: readonly number[]) => Number(percentile(values, 0.5).toFixed(3));
  // Of each round, because the load of the machine changes from round to round.
  const ratioOf = (kind: keyof typeof kinds) => median(rates[kind].map((rate, at) => rate / (rates.off[at] ?? NaN)));
  return {
    offRps: Math.round(median(rates.off)),
    onRps: Math.round(median(rates.on)),
    recordRps: Math.round(median(rates.record)),
    ratio: ratioOf('on'),
    recordRatio: ratioOf('record'),
  };
}

async function callsPerSecond(url: string, seconds: number): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: `${url}/toolbox/call`,
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'x-session-id': 'bench' },
    body: JSON.stringify({ name: 'billing.list_invoices', arguments: {} }),
    connections: CONNECTIONS,
    duration: seconds,
    workers: 1,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were no success and ${errors} requests failed`);
  return requests.average;
}

function inPlace<T>(store: Store, work: (place: Place) => Promise<T>): Promise<T> {
  return inOwnFolder((directory) => {
    const env = { DATA_DIR: directory };
    const open = (place: { url: string } | { database: string }) => () => openStores(place);
    if (store === 'sqlite') return work({ env, open: open({ database: join(directory, 'tool-search.sqlite') }) });
    return inOwnDatabase(postgresServer(), (url) => work({ env: { ...env, DATABASE_URL: url }, open: open({ url }) }));
  });
}

async function bytesOf(dataSource: DataSource, store: Store): Promise<number> {
  const [row] = await dataSource.query<{ bytes: number | string }[]>(
    store === 'postgres'
      ? "SELECT pg_total_relation_size('tool_search_calls') AS bytes"
      : "SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%tool_search_calls%'",
  );
  return Number(row?.bytes);
}

main({
  purpose:
    'Calls of two built servers, with record, limits and shaping and without, in turns; and pages of many records.',
  options: {
    store: oneOf(['sqlite', 'postgres']),
    rounds: count(7),
    seconds: count(3),
    records: count(1_000_000, 100_000_000),
    turns: count(40),
  },
  run: async ({ store = 'sqlite', rounds, seconds, records, turns }) => {
    const { offRps, onRps, recordRps, ratio, recordRatio } = await speeds(store, rounds, seconds);
    const size = await inPlace(store, async ({ open }) => {
      const { calls, dataSource, close } = await open();
      try {
        await filled(calls, records);
        if (store === 'postgres') await dataSource.query('ANALYZE tool_search_calls');
        const perCallBytes = Math.round((await bytesOf(dataSource, store)) / records);
        const pageP99Ms = Number((await pageTimes(calls, records, turns)).toFixed(1));
        return { perCallBytes, pageP99Ms, ...(await overviewTimes(calls)) };
      } finally {
        await close();
      }
    });
    return { store, offRps, onRps, ratio, ...size, records, recordRps, recordRatio };
  },
  text: memberTable,
});
