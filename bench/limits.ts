import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type CounterPlace, LimitedApp, THREE_LIMITS } from './limits/limited-app.js';
import { percentile } from './measuring/measures.js';
import { memberTable } from './measuring/text-table.js';
import { inOwnDatabase, inOwnFolder, postgresServer } from './scenarios/own-database.js';
import { main } from './command/command.js';
import { count, oneOf } from './command/options.js';

/** What limits cost a call, and whether several instances keep one limit exactly. */
interface LimitsReport {
  readonly store: string;
  /** A call with three limits, of one tenant, to one without: medians of batches that run in turns. */
  readonly ratio: number;
  /** Of a call with three limits, in microseconds. */
  readonly perCallUs: number;
  readonly withoutUs: number;
  /** With the calls spread over 50 tenants, in microseconds. */
  readonly tenantsUs: number;
  /** Processes that share one limit, all calling at once. */
  readonly instances: number;
  readonly allowed: number;
  readonly limit: number;
  /** Calls beyond the limit, in percent of it. */
  readonly overshootPct: number;
}

const TENANTS = 50;
const LIMIT = 200;

async function withPlace<T>(
  store: 'memory' | 'sqlite' | 'postgres',
  work: (place: CounterPlace) => Promise<T>,
): Promise<T> {
  if (store === 'memory') return work('memory');
  if (store === 'sqlite') return inOwnFolder((folder) => work({ database: join(folder, 'limits.sqlite') }));
  return inOwnDatabase(postgresServer(), (url) => work({ url }));
}

type Cost = Pick<LimitsReport, 'ratio' | 'perCallUs' | 'withoutUs' | 'tenantsUs'>;

async function costOf(place: CounterPlace, rounds: number, batch: number): Promise<Cost> {
  const without = await LimitedApp.start([], place);
  const limited = await LimitedApp.start(THREE_LIMITS, place);
  try {
    const kinds = [
      { app: without, tenants: 1, us: [] as number[] },
      { app: limited, tenants: 1, us: [] as number[] },
      { app: limited, tenants: TENANTS, us: [] as number[] },
    ] as const;
    // The first rounds compile the code.
    for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
      for (const { app, tenants, us } of kinds) {
        const started = performance.now();
        for (let i = 0; i < batch; i++) await app.call(`tenant${i % tenants}`);
        if (round >= 0) us.push(((performance.now() - started) * 1000) / batch);
        // Calls that never wait would otherwise keep the timers of the control plane from running.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const [withoutUs, perCallUs, tenantsUs] = kinds.map(({ us }) => Number(percentile(us, 0.5).toFixed(1))) as [
      number,
      number,
      number,
    ];
    return { ratio: Number((perCallUs / withoutUs).toFixed(3)), perCallUs, withoutUs, tenantsUs };
  } finally {
    await Promise.all([without.close(), limited.close()]);
  }
}

type Kept = Pick<LimitsReport, 'instances' | 'allowed' | 'limit' | 'overshootPct'>;

async function ofProcess(place: CounterPlace): Promise<Kept> {
  const app = await LimitedApp.start([{ id: 'hot', rate: { calls: LIMIT, windowMs: 3_600_000 } }], place);
  try {
    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, (_, i) => app.call(`tenant${i % TENANTS}`)));
    return kept(1, answers.filter(Boolean).length);
  } finally {
    await app.close();
  }
}

/** Two processes that each make as many calls as the limit allows in all. */
async function ofInstances(url: string): Promise<Kept> {
  const children: ChildProcess[] = [];
  const started = async () => {
    const child = fork(join(__dirname, 'limits/instance.js'), [url, String(LIMIT), String(LIMIT)], {
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    children.push(child);
    await answerOf(child);
  };
  try {
    // The first one creates the tables.
    await started();
    await started();
    const both = children.map(async (child) => {
      child.send('go');
      return (await answerOf(child)).allowed;
    });
    const counts = await Promise.all(both);
    // Until they have closed their connections, the database cannot be dropped.
    await Promise.all(children.map(async (child) => child.exitCode ?? once(child, 'exit')));
    return kept(
      counts.length,
      counts.reduce((sum, allowed) => sum + allowed, 0),
    );
  } finally {
    for (const child of children) child.kill();
  }
}

/** @throws when the instance ends before it answers */
async function answerOf(child: ChildProcess): Promise<{ readonly allowed: number }> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('An instance ended before it answered; its error stands above.');
  });
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [{ readonly allowed: number }];
  ended.catch(() => undefined);
  return answer;
}

function kept(instances: number, allowed: number): Kept {
  const overshootPct = Number(((Math.max(0, allowed - LIMIT) / LIMIT) * 100).toFixed(2));
  return { instances, allowed, limit: LIMIT, overshootPct };
}

main({
  purpose: 'What three limits cost a call, and whether a limit is kept exactly, by several processes on PostgreSQL.',
  options: { store: oneOf(['memory', 'sqlite', 'postgres']), rounds: count(40) },
  run: ({ store = 'memory', rounds }) =>
    withPlace(store, async (place): Promise<LimitsReport> => {
      const cost = await costOf(place, rounds, place === 'memory' ? 1000 : 50);
      const kept = typeof place === 'object' && 'url' in place ? await ofInstances(place.url) : await ofProcess(place);
      return { store, ...cost, ...kept };
    }),
  text: memberTable,
  fault: ({ overshootPct }) =>
    overshootPct > 0 ? `${overshootPct} % more calls were allowed than the limit` : undefined,
});
