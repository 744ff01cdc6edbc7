import type { Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { ToolCatalog, ToolPolicies } from '@tool-search/core';
import { EchoSource, isolationModule } from './isolation.app.js';
import { randomOf } from '../measuring/random.js';
import { SeasonalTools } from './seasonal-tools.js';
import { TenantExpectation } from './tenant-expectation.js';
import { type Send, TenantRequest } from './tenant-requests.js';
import { OWN, ownTools, SEASONAL, secretOf, SHARED, sharedTools, WORDS } from './tenant-tools.js';

/** Size of the scenario. */
export interface IsolationSize {
  readonly tenants: number;
  readonly operations: number;
  /** Concurrent requests, at most one per tenant. */
  readonly parallel: number;
  readonly seed: number;
}

/** Result of the scenario. */
export interface IsolationReport {
  readonly operations: number;
  readonly catalogChanges: number;
  readonly policyChanges: number;
  readonly calls: number;
  /** Description of each answer that differs from what its tenant must see. */
  readonly leaks: readonly string[];
}

// All callers use the same ids, so that only the tenant distinguishes them.
const SAME_IDS = { 'x-session': 'the-same-session-for-everybody', 'x-run': 'the-same-run-for-everybody' };
const CATALOG_CHANGES = 0.006;
const POLICY_CHANGES = 0.01;

/**
 * Many tenants use one application over HTTP concurrently, while tools are added and removed and tenants' policies
 * change. Their own sources, and most of their own tools, have the same names. Each answer is compared with what that
 * tenant must see. A leak is a foreign tool, description, schema, word, score, activation, offer, caller or count, a
 * withdrawn tool, or a missing tool of the tenant.
 */
export async function runIsolation(size: IsolationSize): Promise<IsolationReport> {
  const random = randomOf(size.seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const seasonal = new SeasonalTools();
  const tenants = Array.from({ length: size.tenants }, (_, index) => new TenantExpectation(`t${index}`));
  const shared = new EchoSource(SHARED, '', () => sharedTools(seasonal.present));
  const own = tenants.map(({ tenant }) => new EchoSource(OWN, tenant, () => ownTools(tenant)));
  const secrets = tenants.map(({ tenant }) => secretOf(tenant));
  const sharedNames = sharedTools(true).map(({ name }) => `${SHARED}.${name}`);
  const ownNames = tenants.flatMap(({ tenant }) => ownTools(tenant).map(({ name }) => `${OWN}.${name}`));

  const folder = mkdtempSync(join(tmpdir(), 'tool-search-isolation-'));
  const app = await NestFactory.create(isolationModule(join(folder, 'tools.sqlite'), [shared, ...own]), {
    logger: ['error'],
    forceCloseConnections: true,
  });
  await app.listen(0, '127.0.0.1');
  // If the machine stalls for seconds, an idle connection could be closed while the next request is on its way.
  (app.getHttpServer() as Server).keepAliveTimeout = 0;
  const url = await app.getUrl();
  const policies = app.get(ToolPolicies);
  const catalog = app.get(ToolCatalog);
  const leaks: string[] = [];
  const counts = { catalogChanges: 0, policyChanges: 0, calls: 0 };
  const busy = new Set<string>();

  const sendAs = (tenant: string, leak: (what: string) => void): Send => {
    return async (operation, body) => {
      const response = await fetch(`${url}/tenant/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant': tenant, ...SAME_IDS },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.status === 200) return JSON.parse(text);
      leak(`${operation} answers ${response.status}`);
      return undefined;
    };
  };

  const requestOnce = async (request: TenantRequest, tenant: string): Promise<void> => {
    const name = () => pick([pick(sharedNames), pick(ownNames)]);
    const secret = pick([secretOf(tenant), pick(secrets)]);
    switch (pick(['list', 'words', 'words', 'name', 'pattern', 'get', 'activate', 'call'])) {
      case 'list':
        return request.list();
      case 'words':
        return request.search(`${pick(WORDS)} ${pick([pick(WORDS), SEASONAL])} ${secret}`, 'bm25');
      case 'name':
        return request.search(name(), 'exact');
      case 'pattern':
        return request.search(secret, 'regex');
      case 'get':
        return request.get([...new Set([name(), name()])]);
      case 'activate':
        return request.activate([...new Set([name(), name()])]);
      default:
        counts.calls += 1;
        return request.call(name());
    }
  };

  const step = async (): Promise<void> => {
    // One request per tenant at a time, so that the expected result is known exactly; the other tenants' requests run
    // concurrently.
    const expected = pick(tenants.filter(({ tenant }) => !busy.has(tenant)));
    const { tenant } = expected;
    const dice = random();
    if (dice < POLICY_CHANGES) {
      expected.denied = expected.denied === undefined ? pick(WORDS) : undefined;
      policies.setTenant(tenant, expected.denied === undefined ? undefined : { deny: [`*${expected.denied}*`] });
      counts.policyChanges += 1;
    } else if (dice < POLICY_CHANGES + CATALOG_CHANGES && !seasonal.isChanging) {
      counts.catalogChanges += 1;
      await seasonal.change(() => catalog.refresh(SHARED));
    } else {
      busy.add(tenant);
      const leak = (what: string) => void leaks.push(`${tenant}: ${what}`);
      await seasonal.during((states) =>
        requestOnce(new TenantRequest(expected, states, sendAs(tenant, leak), leak), tenant),
      );
      busy.delete(tenant);
    }
  };

  try {
    let left = size.operations;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await step();
      }
    };
    await Promise.all(Array.from({ length: Math.min(size.parallel, size.tenants) }, worker));
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { operations: size.operations, ...counts, leaks };
}
