import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { ToolCatalog, type ToolDeclaration, ToolPolicies } from '@tool-search/core';
import { EchoSource, GROUPS, isolationModule, seesGroup } from './isolation.app.js';

/** How big the scenario is. */
export interface IsolationSize {
  readonly tenants: number;
  readonly operations: number;
  /** Requests under way at once. */
  readonly parallel: number;
  readonly seed: number;
}

/** What came of it. Every leak is described in words. */
export interface IsolationReport {
  readonly operations: number;
  readonly catalogChanges: number;
  readonly policyChanges: number;
  readonly calls: number;
  readonly leaks: readonly string[];
}

const PER_GROUP = 12;
const PER_TENANT = 5;
const WORDS = ['invoice', 'ticket', 'calendar', 'report', 'customer', 'order', 'contract', 'shipment'];
const SESSION = 'the-same-session-for-everybody';

/** What a tenant may see right now, by what was done to it; the expectation that answers are held against. */
class Expectation {
  denied: string | undefined;
  readonly activated = new Set<string>();
  constructor(readonly tenant: string) {}

  permits(name: string, extraWord: boolean): boolean {
    if (this.denied !== undefined && name.includes(this.denied)) return false;
    const own = /^own_(t\d+)\./.exec(name)?.[1];
    if (own !== undefined) return own === this.tenant;
    const group = /^shared\.g(\d+)_/.exec(name)?.[1];
    if (group === undefined) return false;
    return seesGroup(this.tenant, Number(group)) && (extraWord || !name.endsWith('_extra'));
  }
}

/**
 * Many tenants use one application over HTTP at once while tools come and go and tenants' policies change. Every answer
 * is held against what that tenant may see: a foreign tool, schema, activation, caller or count is a leak.
 */
export async function runIsolation(size: IsolationSize): Promise<IsolationReport> {
  const random = generator(size.seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let withExtra = false;
  let maybeExtra = false;
  const shared = new EchoSource('shared', '', () => sharedTools(withExtra));
  const tenants = Array.from({ length: size.tenants }, (_, index) => new Expectation(`t${index}`));
  const own = tenants.map(({ tenant }) => new EchoSource(`own_${tenant}`, tenant, () => ownTools(tenant)));
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-isolation-'));
  const app = await NestFactory.create(isolationModule(join(folder, 'tools.sqlite'), [shared, ...own]), {
    logger: ['error'],
    forceCloseConnections: true,
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const policies = app.get(ToolPolicies);
  const catalog = app.get(ToolCatalog);
  const leaks: string[] = [];
  const counts = { catalogChanges: 0, policyChanges: 0, calls: 0 };
  const busy = new Set<string>();
  const post = async (tenant: string, operation: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/tenant/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant': tenant, 'x-session': SESSION },
      body: JSON.stringify(body),
    });
    return response.json();
  };

  const step = async (): Promise<void> => {
    // One request a tenant at a time, so that what it may see is known exactly; the others are all on their way.
    const expectation = pick(tenants.filter(({ tenant }) => !busy.has(tenant)));
    const { tenant } = expectation;
    const leak = (what: string) => void leaks.push(`${tenant}: ${what}`);
    const check = (name: string, where: string) => {
      if (!expectation.permits(name, maybeExtra)) leak(`${where} shows ${name}`);
    };
    const dice = random();
    if (dice < 0.01) {
      expectation.denied = expectation.denied === undefined ? pick(WORDS) : undefined;
      policies.setTenant(tenant, expectation.denied === undefined ? undefined : { deny: [`*${expectation.denied}*`] });
      counts.policyChanges += 1;
      return;
    }
    if (dice < 0.012) {
      maybeExtra = true;
      withExtra = !withExtra;
      await catalog.refresh('shared');
      counts.catalogChanges += 1;
      return;
    }
    busy.add(tenant);
    try {
      const target = pick([
        ...sharedTools(true).map(({ name }) => `shared.${name}`),
        `own_${pick(tenants).tenant}.${pick(WORDS)}_0`,
      ]);
      const operation = pick(['list', 'search', 'search', 'get', 'activate', 'call']);
      if (operation === 'list') {
        const listed = (await post(tenant, 'list', {})) as { name: string; active: boolean; description: string }[];
        for (const { name, active, description } of listed) {
          check(name, 'the list');
          if (active && !expectation.activated.has(name)) leak(`somebody else's activation of ${name}`);
          if (/of t\d+ only/.test(description) && !description.includes(`of ${tenant} only`))
            leak(`a foreign description of ${name}`);
        }
      } else if (operation === 'search') {
        const found = (await post(tenant, 'search', { query: `${pick(WORDS)} ${pick(WORDS)}`, limit: 20 })) as {
          tools: { name: string }[];
          totalDeferred: number;
          unmatched: string[];
        };
        for (const { name } of found.tools) check(name, 'a search');
        const totals = [true, false].map((extra) => visibleCount(expectation, extra));
        if (!totals.includes(found.totalDeferred))
          leak(`a total of ${found.totalDeferred} instead of ${totals.join(' or ')}`);
      } else if (operation === 'get') {
        const got = (await post(tenant, 'get', { names: [target] })) as { tools?: { name: string }[] };
        for (const { name } of got.tools ?? []) check(name, 'tool_get');
      } else if (operation === 'activate') {
        const done = (await post(tenant, 'activate', { names: [target] })) as {
          activated: string[];
          alreadyActive: string[];
        };
        for (const name of [...done.activated, ...done.alreadyActive]) check(name, 'activation');
        for (const name of done.alreadyActive) {
          if (!expectation.activated.has(name)) leak(`${name} was active through somebody else`);
        }
        for (const name of done.activated) expectation.activated.add(name);
      } else {
        counts.calls += 1;
        const result = (await post(tenant, 'call', { name: target, arguments: { note: tenant } })) as {
          ok: boolean;
          content?: { text: string }[];
        };
        if (result.ok) {
          check(target, 'a call');
          expectation.activated.add(target);
          const said = JSON.parse(result.content?.[0]?.text ?? '{}') as {
            tenantId?: string;
            input?: { note?: string };
          };
          if (said.tenantId !== tenant || said.input?.note !== tenant) leak(`the answer of ${said.tenantId}'s call`);
        }
      }
    } finally {
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
    await Promise.all(Array.from({ length: size.parallel }, worker));
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { operations: size.operations, ...counts, leaks };
}

function sharedTools(withExtra: boolean): ToolDeclaration[] {
  return Array.from({ length: GROUPS }, (_, group) => group).flatMap((group) =>
    Array.from({ length: withExtra ? PER_GROUP + 1 : PER_GROUP }, (_, index): ToolDeclaration => {
      const word = WORDS[(group + index) % WORDS.length] ?? '';
      const name = index === PER_GROUP ? `g${group}_${word}_extra` : `g${group}_${word}_${index}`;
      return {
        name,
        description: `Work on a ${word} of group ${group}.`,
        extra: { group },
        inputSchema: { type: 'object' },
      };
    }),
  );
}

function ownTools(tenant: string): ToolDeclaration[] {
  return Array.from({ length: PER_TENANT }, (_, index): ToolDeclaration => {
    const word = WORDS[index % WORDS.length] ?? '';
    return { name: `${word}_${index}`, description: `A ${word} of ${tenant} only.`, inputSchema: { type: 'object' } };
  });
}

function visibleCount(expectation: Expectation, extra: boolean): number {
  const names = [
    ...sharedTools(extra).map(({ name }) => `shared.${name}`),
    ...ownTools(expectation.tenant).map(({ name }) => `own_${expectation.tenant}.${name}`),
  ];
  return names.filter((name) => expectation.permits(name, extra)).length;
}

/** Mulberry32: small, seedable, good enough to shuffle a scenario. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
