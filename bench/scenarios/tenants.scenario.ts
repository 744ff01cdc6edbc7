import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { TenantSources, ToolSearchService } from '@tool-search/core';
import { OWN, secretOf, SHARED, WORDS } from '../isolation/tenant-tools.js';
import { percentile } from '../measuring/measures.js';
import { type ServerProcess, startServer } from './server-process.js';
import { tenantsModule } from './tenants.app.js';

/** Cost of tenants with their own sources, compared with tenants that have shared tools only. */
export interface TenantsReport {
  readonly tenants: number;
  /** Over HTTP, each application in a process of its own. */
  readonly ownMs: number;
  readonly sharedMs: number;
  /** `ownMs` divided by `sharedMs`. */
  readonly ratio: number;
  /** The same ratio in CPU time of the servers, which other load on the machine hardly changes. */
  readonly cpuRatio: number;
  /** Longest delay of the event loop of the server with own sources. */
  readonly maxBlockMs: number;
  /** Latencies with own sources: a tenant's first search, and a call of the found tool. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The same without HTTP: only the library's own work, both applications in one process. */
  readonly inProcess: { readonly ratio: number; readonly cpuRatio: number };
}

const PARALLEL = 50;
const TURN = 250;

interface Answer {
  readonly tools?: readonly { readonly name: string }[];
  readonly ok?: boolean;
}

interface Arm {
  send(operation: 'search' | 'call' | 'leave', tenant: string, body: object): Promise<Answer>;
  state(): Promise<{ readonly cpuMs: number; readonly maxBlockMs: number }>;
  close(): Promise<void>;
}

/**
 * Tenants arrive, search and call; when more than a fifth of them are present, the oldest leave. Alternates with an
 * application whose tenants have shared tools only, so that other load on the machine affects both alike.
 */
export async function runTenants(tenants: number): Promise<TenantsReport> {
  const http = await compare(tenants, httpArm);
  const { ratio, cpuRatio } = await compare(tenants, inProcessArm);
  return { tenants, ...http, inProcess: { ratio, cpuRatio } };
}

async function compare(tenants: number, open: (hasOwn: boolean, maxTenants: number) => Promise<Arm>) {
  const room = Math.ceil(tenants / 5);
  const arms = { own: await open(true, room), shared: await open(false, room) };
  const spent = { own: { ms: 0, cpuMs: 0 }, shared: { ms: 0, cpuMs: 0 } };
  const latencies: number[] = [];
  for (let from = 0; from < tenants; from += TURN) {
    for (const name of from % (2 * TURN) === 0 ? (['own', 'shared'] as const) : (['shared', 'own'] as const)) {
      const before = await arms[name].state();
      const began = performance.now();
      const visited = await visits(arms[name], name === 'own', from, Math.min(tenants, from + TURN), room);
      spent[name].ms += performance.now() - began;
      spent[name].cpuMs += (await arms[name].state()).cpuMs - before.cpuMs;
      if (name === 'own') latencies.push(...visited);
    }
  }
  const { maxBlockMs } = await arms.own.state();
  await Promise.all([arms.own.close(), arms.shared.close()]);
  return {
    ownMs: Math.round(spent.own.ms),
    sharedMs: Math.round(spent.shared.ms),
    ratio: Number((spent.own.ms / spent.shared.ms).toFixed(2)),
    cpuRatio: Number((spent.own.cpuMs / spent.shared.cpuMs).toFixed(2)),
    maxBlockMs: Math.round(maxBlockMs),
    p50Ms: Number(percentile(latencies, 0.5).toFixed(1)),
    p99Ms: Number(percentile(latencies, 0.99).toFixed(1)),
  };
}

async function visits(arm: Arm, hasOwn: boolean, from: number, to: number, room: number): Promise<number[]> {
  const latencies: number[] = [];
  let next = from;
  const worker = async (): Promise<void> => {
    for (let tenant = next++; tenant < to; tenant = next++) {
      const began = performance.now();
      await visit(arm, hasOwn, tenant);
      if (tenant >= room) await arm.send('leave', '', { tenant: `tenant-${tenant - room}` });
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return latencies;
}

async function visit(arm: Arm, hasOwn: boolean, tenant: number): Promise<void> {
  const id = `tenant-${tenant}`;
  const prefix = hasOwn ? OWN : SHARED;
  const query = `${WORDS[tenant % WORDS.length]} ${hasOwn ? secretOf(id) : 'group'}`;
  const { tools = [] } = await arm.send('search', id, { query });
  const name = tools.find((tool) => tool.name.startsWith(`${prefix}.`))?.name ?? `${prefix}.missing`;
  const args = hasOwn ? { note: 'hello', [`for_${id}`]: id } : { note: 'hello' };
  const answer = await arm.send('call', id, { name, args });
  if (!answer.ok) throw new Error(`${id} could not call ${name}: ${JSON.stringify(answer)}`);
}

async function inProcessArm(hasOwn: boolean, maxTenants: number): Promise<Arm> {
  const app = await NestFactory.createApplicationContext(tenantsModule(hasOwn, maxTenants), { logger: false });
  const [service, sources] = [app.get(ToolSearchService), app.get(TenantSources)];
  return {
    send: async (operation, tenantId, body) => {
      if (operation === 'leave') return sources.forget((body as { tenant: string }).tenant).then(() => ({}));
      const toolbox = service.open({ tenantId, userId: 'ada', runId: 'one' });
      if (operation === 'search') return toolbox.search(body);
      const { name, args } = body as { name: string; args: object };
      return toolbox.call(name, args);
    },
    state: async () => {
      const { user, system } = process.cpuUsage();
      return { cpuMs: (user + system) / 1000, maxBlockMs: 0 };
    },
    close: () => app.close(),
  };
}

async function httpArm(hasOwn: boolean, maxTenants: number): Promise<Arm> {
  const server = await startServer({}, ['scenarios/tenants-server.js', hasOwn ? 'own' : 'shared', String(maxTenants)]);
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
  return {
    send: (operation, tenant, body) => post(server, agent, operation, tenant, body),
    state: async () => {
      server.child.send('state');
      const [state] = (await once(server.child, 'message')) as [{ cpuMs: number; maxBlockMs: number }];
      return state;
    },
    close: async () => {
      agent.destroy();
      await server.stop();
    },
  };
}

async function post(
  { url }: ServerProcess,
  agent: Agent,
  operation: string,
  tenant: string,
  body: object,
): Promise<Answer> {
  const headers = { 'x-tenant': tenant, 'content-type': 'application/json' };
  const sent = request(`${url}/${operation}`, { agent, headers, method: 'POST' }).end(JSON.stringify(body));
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response) text += String(part);
  return JSON.parse(text) as Answer;
}
