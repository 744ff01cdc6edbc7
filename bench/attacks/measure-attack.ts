import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../measuring/measures.js';
import type { ServerProcess } from '../scenarios/server-process.js';
import { type Attack, OTHER } from './attack.js';
import type { Block } from './event-loop-clock.js';

/** Measured effects of an attack. */
export interface AttackRow {
  readonly name: string;
  /** Longest block of the server's event loop. */
  readonly maxBlockMs: number;
  /** The same without waiting for a CPU core: the server's own share on a busy machine. */
  readonly ownBlockMs: number;
  /** 99th percentile of another tenant's response times during the attack. */
  readonly othersP99Ms: number;
  /** HTTP status of the last response to the attacker. */
  readonly status: number;
  /** Whether every response had the promised status, and the effect was as promised. */
  readonly ok: boolean;
}

const EVERY_MS = 25;
const WARM_UP_MS = 3_000;

const REQUESTS = [
  ['/toolbox'],
  ['/toolbox/search', { query: 'list the invoices that are paid' }],
  ['/toolbox/call', { name: 'billing.list_invoices', arguments: {} }],
] as const;

/** Attacks a server while another tenant sends requests at a fixed rate, without waiting for responses. */
export async function measureAttack(server: ServerProcess, attack: Attack): Promise<AttackRow> {
  await others(server, setTimeout(WARM_UP_MS));
  await blockOf(server);
  let status = 0;
  let ok = true;
  const until = performance.now() + (attack.forMs ?? 4_000);
  const attacker = async () => {
    while (performance.now() < until) {
      status = await attack.once(server);
      ok &&= attack.promised.includes(status);
    }
  };
  const attacking = Promise.all(Array.from({ length: attack.connections ?? 1 }, attacker));
  const times = await others(server, attacking);
  const { ms, ownMs } = await blockOf(server);
  ok &&= (await attack.holds?.(server)) ?? true;
  const rounded = (each: number) => Number(each.toFixed(1));
  return {
    name: attack.name,
    maxBlockMs: rounded(ms),
    ownBlockMs: rounded(ownMs),
    othersP99Ms: rounded(percentile(times, 0.99)),
    status,
    ok,
  };
}

/** Sends requests of another tenant until `work` is done. @returns milliseconds of each request */
async function others(server: ServerProcess, work: Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const send = async (): Promise<void> => {
    const [path, body] = REQUESTS[running.length % REQUESTS.length] ?? ['/toolbox'];
    const began = performance.now();
    const { status } = await server.request(path, OTHER, body);
    if (status !== 200) throw new Error(`${path} of another tenant was answered ${status}`);
    times.push(performance.now() - began);
  };
  const timer = setInterval(() => running.push(send()), EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  await Promise.all(running);
  return times;
}

/** The longest block of the server's event loop since the previous call. */
async function blockOf({ child }: ServerProcess): Promise<Block> {
  const answer = once(child, 'message');
  child.send('block');
  const [block] = (await answer) as [Block];
  return block;
}
