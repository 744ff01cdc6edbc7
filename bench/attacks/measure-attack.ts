import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../measuring/measures.js';
import type { ServerProcess } from '../scenarios/server-process.js';
import type { Attack } from './attack.js';
import type { Block } from './event-loop-clock.js';
import { otherTenantDuring } from './other-tenant.js';

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
  /** Whether every response had the promised status, the effect was as promised, and the other tenant was always served. */
  readonly ok: boolean;
}

const WARM_UP_MS = 3_000;

/** Attacks a server while another tenant sends requests at a fixed rate, without waiting for responses. */
export async function measureAttack(server: ServerProcess, attack: Attack): Promise<AttackRow> {
  let { served: ok } = await otherTenantDuring(server, setTimeout(WARM_UP_MS));
  await blockOf(server);
  let status = 0;
  const until = performance.now() + (attack.forMs ?? 4_000);
  const attacker = async () => {
    while (performance.now() < until) {
      status = await attack.once(server);
      ok &&= attack.promised.includes(status);
    }
  };
  const attacking = Promise.all(Array.from({ length: attack.connections ?? 1 }, attacker));
  const { times, served } = await otherTenantDuring(server, attacking);
  const { ms, ownMs } = await blockOf(server);
  ok &&= served && ((await attack.holds?.(server)) ?? true);
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

/** The longest block of the server's event loop since the previous call. */
async function blockOf({ child }: ServerProcess): Promise<Block> {
  const answer = once(child, 'message');
  child.send('block');
  const [block] = (await answer) as [Block];
  return block;
}
