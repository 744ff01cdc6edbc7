import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TenantSources, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { EchoSource } from '../isolation/isolation.app.js';
import { percentile } from '../measuring/measures.js';
import { OWN, ownTools, secretOf, SHARED, sharedTools, WORDS } from '../isolation/tenant-tools.js';
import { timed } from '../measuring/timed.js';

/** Cost of tenants with their own sources, compared with tenants that have shared tools only. */
export interface TenantsReport {
  readonly tenants: number;
  readonly ownMs: number;
  readonly sharedMs: number;
  /** `ownMs` divided by `sharedMs`. */
  readonly ratio: number;
  /** The same ratio in CPU time, which other load on the machine hardly changes. */
  readonly cpuRatio: number;
  /** Longest block of the event loop in the run with own sources. */
  readonly maxBlockMs: number;
  /** Latencies in the run with own sources: a tenant's first search, and a call of the found tool. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const PARALLEL = 50;
const TURN = 250;

interface Arm {
  /** All steps of one tenant, from its arrival on. */
  visit(tenant: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Tenants arrive, search and call; when more than a fifth of them are present, the oldest leave. Alternates with an
 * application whose tenants have shared tools only, so that other load on the machine affects both alike.
 */
export async function runTenants(tenants: number): Promise<TenantsReport> {
  const room = Math.ceil(tenants / 5);
  const arms = { own: await armOf(true, room), shared: await armOf(false, room) };
  const latencies: number[] = [];
  const spent = { own: 0, shared: 0 };
  const cpu = { own: 0, shared: 0 };
  let maxBlockMs = 0;
  for (let from = 0; from < tenants; from += TURN) {
    for (const name of from % (2 * TURN) === 0 ? (['own', 'shared'] as const) : (['shared', 'own'] as const)) {
      const before = process.cpuUsage();
      const turn = await timed(() => visits(arms[name], from, Math.min(tenants, from + TURN)));
      const { user, system } = process.cpuUsage(before);
      cpu[name] += user + system;
      spent[name] += turn.ms;
      if (name === 'shared') continue;
      maxBlockMs = Math.max(maxBlockMs, turn.blockMs);
      latencies.push(...turn.value);
    }
  }
  await Promise.all([arms.own.close(), arms.shared.close()]);
  return {
    tenants,
    ownMs: Math.round(spent.own),
    sharedMs: Math.round(spent.shared),
    ratio: Number((spent.own / spent.shared).toFixed(2)),
    cpuRatio: Number((cpu.own / cpu.shared).toFixed(2)),
    maxBlockMs: Math.round(maxBlockMs),
    p50Ms: Number(percentile(latencies, 0.5).toFixed(1)),
    p99Ms: Number(percentile(latencies, 0.99).toFixed(1)),
  };
}

async function visits(arm: Arm, from: number, to: number): Promise<number[]> {
  const latencies: number[] = [];
  let next = from;
  const worker = async (): Promise<void> => {
    for (let tenant = next++; tenant < to; tenant = next++) {
      const started = performance.now();
      await arm.visit(tenant);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return latencies;
}

async function armOf(hasOwn: boolean, room: number): Promise<Arm> {
  const load = (id: string) => [new EchoSource(OWN, id, () => ownTools(id).slice(1))];
  const module = ToolSearchModule.forRoot({
    context: () => ({ tenantId: 'unused' }),
    sources: [new EchoSource(SHARED, '', () => sharedTools(false))],
    exposure: 'deferred',
    ...(hasOwn && { tenantSources: { load, maxTenants: room } }),
  });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  const service = app.get(ToolSearchService);
  const sources = hasOwn ? app.get(TenantSources) : undefined;
  const present: string[] = [];
  return {
    visit: async (tenant) => {
      const id = `tenant-${tenant}`;
      const toolbox = service.open({ tenantId: id, userId: 'ada', runId: 'one' });
      const query = `${WORDS[tenant % WORDS.length]} ${hasOwn ? secretOf(id) : 'group'}`;
      const { tools } = await toolbox.search({ query });
      const prefix = hasOwn ? OWN : SHARED;
      const name = tools.find((tool) => tool.name.startsWith(`${prefix}.`))?.name ?? `${prefix}.missing`;
      const answer = await toolbox.call(name, hasOwn ? { note: 'hello', [`for_${id}`]: id } : { note: 'hello' });
      if (!answer.ok) throw new Error(`${id} could not call ${name}: ${JSON.stringify(answer)}`);
      present.push(id);
      // A tenant normally stays loaded for ten seconds after its last request, longer than this run should take.
      if (present.length > room) await sources?.forget(present.shift() ?? '');
    },
    close: () => app.close(),
  };
}
