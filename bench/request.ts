import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { KillSwitches, StoredPolicies, ToolSearchService } from '@tool-search/core';
import autocannon from 'autocannon';
import { percentile } from './measuring/measures.js';
import { CATALOG_TOOLS, RequestBenchModule } from './scenarios/request.app.js';
import { main } from './command/command.js';
import { count } from './command/options.js';

/** Cost of a request-scoped toolbox. */
interface RequestReport {
  readonly adapter: 'express';
  readonly plainRps: number;
  readonly toolboxRps: number;
  readonly ratio: number;
  /**
   * The toolbox injected into the controller instead of passed to the handler, and Nest's own cost of injecting an
   * empty request-scoped provider.
   */
  readonly injected: { readonly toolboxRps: number; readonly nothingRps: number; readonly ratioToNothing: number };
  readonly openToolbox: {
    readonly tools: number;
    /** Median time of each tenant's first opening, in microseconds. */
    readonly coldUs: number;
    readonly p50Us: number;
    readonly p99Us: number;
  };
}

const ROUTES = ['plain', 'toolbox', 'nothing', 'injected'] as const;
const TENANTS = 30;
const OPENINGS = 20_000;
const CONNECTIONS = 32;

/** Adds kill switches and policies, as in a real application. */
async function govern(app: NestExpressApplication): Promise<void> {
  const operator = { actor: 'olga', reason: 'benchmark' };
  const switches = app.get(KillSwitches);
  await switches.engage({ kind: 'tool', value: 'area1.task_1', ...operator });
  await switches.engage({ kind: 'glob', value: 'area2?.task_*0', ...operator });
  await switches.engage({ kind: 'namespace', value: 'area3', tenantId: 'tenant1', ...operator });
  await switches.engage({ kind: 'tag', value: 'retired', ...operator });
  for (let i = 0; i < TENANTS; i++) {
    await app.get(StoredPolicies).set({ tenantId: `tenant${i}` }, { deny: [`area${i}.task_*5`] }, operator);
  }
}

async function requestsPerSecond(url: string, seconds: number): Promise<number> {
  // A separate thread, because load generator and server must not wait for each other.
  const { requests, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    workers: 1,
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were no success and ${errors} requests failed`);
  return requests.average;
}

async function openings(service: ToolSearchService): Promise<RequestReport['openToolbox']> {
  const open = async (tenant: number): Promise<number> => {
    const started = performance.now();
    await service.open({ tenantId: `tenant${tenant}`, userId: 'ada', sessionId: 's1' }).visible();
    return (performance.now() - started) * 1000;
  };
  const cold: number[] = [];
  for (let tenant = 0; tenant < TENANTS; tenant++) cold.push(await open(tenant));
  const warm: number[] = [];
  for (let i = 0; i < OPENINGS; i++) warm.push(await open(i % TENANTS));
  return { tools: CATALOG_TOOLS, coldUs: rounded(cold, 0.5), p50Us: rounded(warm, 0.5), p99Us: rounded(warm, 0.99) };
}

function rounded(values: readonly number[], at: number): number {
  return Number(percentile(values, at).toFixed(1));
}

function share(part: number, whole: number): number {
  return Number((part / whole).toFixed(3));
}

main({
  purpose: 'What a request-scoped toolbox costs a route, beside a route without one.',
  options: { rounds: count(5), seconds: count(2) },
  run: async ({ rounds, seconds }): Promise<RequestReport> => {
    const app = await NestFactory.create<NestExpressApplication>(RequestBenchModule, { logger: ['error'] });
    await app.listen(0, '127.0.0.1');
    try {
      await govern(app);
      const url = await app.getUrl();
      const openToolbox = await openings(app.get(ToolSearchService));
      const rates = new Map(ROUTES.map((route) => [route, [] as number[]]));
      for (let round = 0; round <= rounds; round++) {
        for (const [route, known] of rates) {
          const rate = await requestsPerSecond(`${url}/${route}`, seconds);
          // The first round is a warm-up.
          if (round > 0) known.push(rate);
        }
      }
      const rateOf = (route: (typeof ROUTES)[number]) => rounded(rates.get(route) ?? [], 0.5);
      const [plainRps, toolboxRps] = [rateOf('plain'), rateOf('toolbox')];
      const [nothingRps, injectedRps] = [rateOf('nothing'), rateOf('injected')];
      const injected = { toolboxRps: injectedRps, nothingRps, ratioToNothing: share(injectedRps, nothingRps) };
      return { adapter: 'express', plainRps, toolboxRps, ratio: share(toolboxRps, plainRps), injected, openToolbox };
    } finally {
      await app.close();
    }
  },
  text: ({ plainRps, toolboxRps, ratio, injected, openToolbox: { tools, coldUs, p50Us, p99Us } }) =>
    [
      `requests a second: ${plainRps} plain, ${toolboxRps} with the request's toolbox (${ratio})`,
      `injected: ${injected.nothingRps} with nothing, ${injected.toolboxRps} with the toolbox (${injected.ratioToNothing})`,
      `opening a toolbox over ${tools} tools: ${p50Us} µs (p99 ${p99Us}), ${coldUs} µs for a tenant's first`,
    ].join('\n'),
});
