import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { percentile } from '../measuring/measures.js';
import type { ServerProcess } from './server-process.js';

/** Token of a user who calls a tool. */
export const CALLER = 'bench-caller-token';
/** Token of an operator. */
export const OPERATOR = 'bench-operator-token';
/** Demo users for both tokens. */
export const TOKENS = `${CALLER}:acme:ada:business:finance,${OPERATOR}:acme:olga:business:admin`;

/** Timeout, far above the expected time. */
const PATIENCE_MS = 60_000;
const TOOL = 'billing.list_invoices';
const SWITCHES = '/admin/tools/kill-switches';

interface Engaged {
  readonly id: string;
  readonly revision: number;
}

/**
 * Propagation to other instances by one mechanism: milliseconds from the operator's 2xx response until the last
 * instance obeys.
 */
export interface Spread {
  readonly flips: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * Counts admitted calls that began after the operator's 2xx response, while 64 loops call continuously. Expected: 0.
 */
export async function sameProcess([server]: readonly ServerProcess[], checks: number) {
  if (!server) throw new Error('nobody to call');
  let checked = 0;
  let admittedAfterAck = 0;
  // Number of the engagement in force; 0 = none.
  let off = 0;
  let flips = 0;
  let isDone = false;
  const callForEver = async () => {
    while (!isDone) {
      const wasOff = off;
      const isAdmitted = await admitted(server);
      // A call that ended after the release was sent may be admitted.
      if (wasOff === 0 || off !== wasOff) continue;
      checked += 1;
      if (isAdmitted) admittedAfterAck += 1;
    }
  };
  const loops = Array.from({ length: 64 }, callForEver);
  try {
    while (checked < checks) {
      const before = checked;
      const engaged = await engage(server, TOOL);
      off = ++flips;
      // The remaining checks, limited so that there are at least twenty engagements in total.
      const round = Math.min(checks - before, Math.ceil(checks / 20));
      const check = deadline('refusing calls');
      for (; checked - before < round; check()) await setTimeout(5);
      off = 0;
      await release(server, engaged);
      await setTimeout(20);
    }
  } finally {
    isDone = true;
    await Promise.all(loops);
  }
  return { checks: checked, admittedAfterAck };
}

/** Engages and releases a switch at the first server, and measures when the others obey. */
export async function spread([first, ...others]: readonly ServerProcess[], flips: number): Promise<Spread> {
  if (!first) throw new Error('nobody to throw a switch');
  const times: number[] = [];
  let engaged: Engaged | undefined;
  while (times.length < flips) {
    if (engaged) await release(first, engaged);
    const wasReleased = engaged !== undefined;
    engaged = wasReleased ? undefined : await engage(first, TOOL);
    const acknowledged = performance.now();
    const seen = await Promise.all(others.map((server) => firstAnswer(server, wasReleased)));
    times.push(Math.max(...seen) - acknowledged);
  }
  if (engaged) await release(first, engaged);
  return { flips, p50Ms: rounded(times, 0.5), p99Ms: rounded(times, 0.99), maxMs: rounded(times, 1) };
}

/** Writes at every server while the listener connections of all servers are closed at random. */
export async function chaos(servers: readonly ServerProcess[], database: Client, seconds: number) {
  const until = performance.now() + seconds * 1000;
  let writes = 0;
  let listenerKills = 0;
  let regressions = 0;
  const write = async (writer: number) => {
    for (let i = 0; performance.now() < until; i++) {
      const [server, another] = [writer + i, writer + i + 1].map((place) => servers[place % servers.length]);
      if (!server || !another) throw new Error('nobody to write to');
      const engaged = await engage(server, `chaos.tool_${writer}`);
      await release(another, engaged);
      writes += 2;
    }
  };
  const watch = async (server: ServerProcess) => {
    for (let last = 0; performance.now() < until; await setTimeout(2)) {
      const revision = await revisionOf(server);
      if (revision < last) regressions += 1;
      last = revision;
    }
  };
  const kill = async () => {
    while (performance.now() < until) {
      await setTimeout(20 + Math.random() * 160);
      const { rowCount } = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'tool-search-listener' ORDER BY random() LIMIT 1`,
      );
      listenerKills += rowCount ?? 0;
    }
  };
  await Promise.all([write(0), write(1), write(2), write(3), ...servers.map(watch), kill()]);
  return { seconds, writes, listenerKills, regressions, converged: await converged(servers) };
}

async function converged(servers: readonly ServerProcess[]): Promise<boolean> {
  for (const until = performance.now() + 5000; performance.now() < until; await setTimeout(50)) {
    const states = await Promise.all(
      servers.map(async (server) => [
        await revisionOf(server),
        (await server.request(SWITCHES, OPERATOR)).body['items'],
      ]),
    );
    if (new Set(states.map((state) => JSON.stringify(state))).size === 1) return true;
  }
  return false;
}

async function admitted(server: ServerProcess): Promise<boolean> {
  const { body } = await server.request('/toolbox/call', CALLER, { name: TOOL, arguments: {} });
  if (body['ok'] !== true && body['code'] !== 'TOOL_NOT_AVAILABLE')
    throw new Error(`a call was answered ${JSON.stringify(body)}`);
  return body['ok'] === true;
}

/** Start time of the first call with the expected outcome. */
async function firstAnswer(server: ServerProcess, wanted: boolean): Promise<number> {
  const check = deadline('obeying a switch');
  for (;;) {
    const began = performance.now();
    if ((await admitted(server)) === wanted) return began;
    check();
  }
}

async function engage(server: ServerProcess, tool: string): Promise<Engaged> {
  const answer = await server.request(SWITCHES, OPERATOR, { kind: 'tool', value: tool, reason: 'benchmark' });
  if (answer.status >= 300) throw new Error(`engaging was answered ${JSON.stringify(answer)}`);
  const { id, revision } = answer.body['killSwitch'] as Engaged;
  return { id, revision };
}

async function release(server: ServerProcess, { id, revision }: Engaged): Promise<void> {
  const body = { expectedRevision: revision, reason: 'benchmark' };
  const answer = await server.request(`${SWITCHES}/${id}/release`, OPERATOR, body);
  if (answer.status >= 300) throw new Error(`releasing was answered ${JSON.stringify(answer)}`);
}

async function revisionOf(server: ServerProcess): Promise<number> {
  const { body } = await server.request('/admin/tools/status', OPERATOR);
  return body['revision'] as number;
}

/** Returns a function that throws once the timeout has passed, so that a hanging benchmark fails. */
function deadline(what: string): () => void {
  const until = performance.now() + PATIENCE_MS;
  return () => {
    if (performance.now() > until) throw new Error(`${what} took longer than ${PATIENCE_MS} ms`);
  };
}

function rounded(times: readonly number[], at: number): number {
  return Number(percentile(times, at).toFixed(1));
}
