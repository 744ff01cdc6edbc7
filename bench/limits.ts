import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { argumentRules, type CounterPlace, LimitedApp, THREE_LIMITS } from './limits/limited-app.js';
import { percentile } from './measuring/measures.js';
import { memberTable } from './measuring/text-table.js';
import { inOwnDatabase, inOwnFolder, postgresServer } from './scenarios/own-database.js';
import { main } from './command/command.js';
import { count, countOrNone, oneOf } from './command/options.js';

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

/** What rules on arguments of the called tool cost a call. */
interface RulesReport {
  readonly store: string;
  readonly rules: number;
  /** A call with the rules to one without: medians of batches that run in turns. */
  readonly ratio: number;
  /** Of a call with the rules, in microseconds. */
  readonly perCallUs: number;
  readonly withoutUs: number;
}

/** Ten rules may add half of a call's own cost. */
const MAX_RATIO = 1.5;
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
      { app: without, tenants: 1 },
      { app: limited, tenants: 1 },
      { app: limited, tenants: TENANTS },
    ] as const;
    const [withoutUs = 0, perCallUs = 0, tenantsUs = 0] = await mediansInTurns(kinds, rounds, batch);
    return { ratio: ratioOf(perCallUs, withoutUs), perCallUs, withoutUs, tenantsUs };
  } finally {
    await Promise.all([without.close(), limited.close()]);
  }
}

async function costOfRules(
  place: CounterPlace,
  rules: number,
  rounds: number,
  batch: number,
): Promise<Omit<RulesReport, 'store'>> {
  const without = await LimitedApp.start([], place);
  const ruled = await LimitedApp.start([], place, argumentRules(rules));
  try {
    const kinds = [without, ruled].map((app) => ({ app, tenants: 1 }));
    const [withoutUs = 0, perCallUs = 0] = await mediansInTurns(kinds, rounds, batch);
    return { rules, ratio: ratioOf(perCallUs, withoutUs), perCallUs, withoutUs };
  } finally {
    await Promise.all([without.close(), ruled.close()]);
  }
}

/** Microseconds of a call of each kind: medians of batches that run in turns. */
async function mediansInTurns(
  kinds: readonly { readonly app: LimitedApp; readonly tenants: number }[],
  rounds: number,
  batch: number,
): Promise<readonly number[]> {
  const measured = kinds.map((kind) => ({ ...kind, us: [] as number[] }));
  // The first rounds compile the code.
  for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
    for (const { app, tenants, us } of measured) {
      const started = performance.now();
      for (let i = 0; i < batch; i++) await app.call(`tenant${i % tenants}`);
      if (round >= 0) us.push(((performance.now() - started) * 1000) / batch);
      // Calls that never wait would otherwise keep the timers of the control plane from running.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return measured.map(({ us }) => Number(percentile(us, 0.5).toFixed(1)));
}

function ratioOf(us: number, withoutUs: number): number {
  return Number((us / withoutUs).toFixed(3));
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
  purpose:
    'What three limits cost a call, and whether a limit is kept exactly, by several processes on PostgreSQL. --rules only ' +
    'measures what that many rules on the arguments of the called tool cost a call.',
  options: { store: oneOf(['memory', 'sqlite', 'postgres']), rounds: count(40), rules: countOrNone(100) },
  run: ({ store = 'memory', rounds, rules }) =>
    withPlace(store, async (place): Promise<LimitsReport | RulesReport> => {
      const batch = place === 'memory' ? 1000 : 50;
      if (rules !== undefined) return { store, ...(await costOfRules(place, rules, rounds, batch)) };
      const cost = await costOf(place, rounds, batch);
      const kept = typeof place === 'object' && 'url' in place ? await ofInstances(place.url) : await ofProcess(place);
      return { store, ...cost, ...kept };
    }),
  text: memberTable,
  fault: (report) => {
    if ('rules' in report) {
      const { rules, ratio } = report;
      return rules <= 10 && ratio > MAX_RATIO ? `${rules} rules cost more than half of a call` : undefined;
    }
    const { overshootPct } = report;
    return overshootPct > 0 ? `${overshootPct} % more calls were allowed than the limit` : undefined;
  },
});
