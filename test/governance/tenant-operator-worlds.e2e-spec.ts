import { isFull } from '../support/tier.cjs';
import fc from 'fast-check';
import type { ToolContext } from '@tool-search/core';
import { startTenantOperatorApp, type TenantOperatorApp } from '../support/tenant-operator-app.js';
import type { RequestOptions } from '../support/reference-server.js';

/*
 * An operator of the tenant acme must not learn anything about globex. Each test builds two applications with the same
 * history of acme. In one of them globex has tools of its own, calls, searches, activations, approvals and decisions
 * of operators. Every answer to the operator of acme must be the same in both.
 */

const OF_ACME = { tenants: ['acme'] };
const ADA: ToolContext = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
const HOMER: ToolContext = { tenantId: 'globex', userId: 'homer', sessionId: 's1' };
const REASON = { reason: 'incident 7' };

// Numbers of one sequence for everybody, random ids and times.
const NOT_COMPARED = new Set(
  'revision seq hash prevHash id at askedAt engagedAt loadedAt usedAt callId ms changedAt expiresAt since until next startedAt ageMs activatedAt lastUsedAt touchedAt durationMs instanceId controlRevision catalogRevision hour oldest'.split(
    ' ',
  ),
);

const GLOBEX_STEPS = [
  'call',
  'call own tool',
  'search in vain',
  'search',
  'activate',
  'ask approval',
  'kill switch',
  'kill switch for everybody',
  'policy',
  'surface',
] as const;
type GlobexStep = (typeof GLOBEX_STEPS)[number];

async function asGlobex({ service, admin }: TenantOperatorApp, step: GlobexStep): Promise<void> {
  const toolbox = service.open(HOMER);
  const decide = (path: string, body: object, method = 'POST') =>
    admin(true, path, { method, body: { ...body, ...REASON } });
  switch (step) {
    case 'call':
      return void (await toolbox.call('billing.list', {}));
    case 'call own tool':
      return void (await toolbox.call('globex_own.secret_export', {}));
    case 'search in vain':
      return void (await toolbox.search({ query: 'zyxgarble' }));
    case 'search':
      return void (await toolbox.search({ query: 'secret export' }));
    case 'activate':
      return void (await toolbox.activate(['billing.delete_all']));
    case 'ask approval':
      await decide('policies/tenants/globex', { policy: { approval: ['billing.refund'] } }, 'PUT');
      return void (await toolbox.call('billing.refund', {}));
    case 'kill switch':
      return void (await decide('kill-switches', { kind: 'tool', value: 'billing.refund', tenantId: 'globex' }));
    case 'kill switch for everybody':
      return void (await decide('kill-switches', { kind: 'tool', value: 'globex_own.secret_export' }));
    case 'policy':
      return void (await decide('policies/tenants/globex', { policy: { deny: ['billing.list'] } }, 'PUT'));
    case 'surface':
      return void (await toolbox.surface({ text: 'refund' }));
  }
}

async function asAcme({ service, admin }: TenantOperatorApp): Promise<void> {
  const toolbox = service.open(ADA);
  await toolbox.surface({ text: 'refund' });
  await toolbox.search({ query: 'refund' });
  await toolbox.search({ query: 'qqqgarble' });
  await toolbox.call('billing.list', {});
  await toolbox.activate(['billing.refund']);
  await admin(OF_ACME, 'policies/tenants/acme', {
    method: 'PUT',
    body: { policy: { approval: ['billing.delete_all'] }, ...REASON },
  });
  await toolbox.call('billing.delete_all', {});
}

type Request = readonly [path: string, options?: RequestOptions];

const TARGET = { kind: 'glob', value: '*', tenantId: 'acme', ...REASON };
const OWN_TARGET = { kind: 'tool', value: 'globex_own.secret_export', tenantId: 'acme', ...REASON };
const CONTEXT = { tenantId: 'acme', userId: 'ada' };

const REQUESTS: readonly Request[] = [
  ...[
    'me',
    ...[
      'status',
      'kill-switches',
      'kill-switches/history',
      'policies',
      'catalog',
      'sources',
      'quarantine',
      'reported',
      'approvals',
      'activations',
      'user-credentials',
      'audit',
      'audit/export',
      'calls',
      'calls/summary',
      'calls/costs',
      'calls/export',
      'runs/x',
      'tokens',
      'tokens/sessions',
      'tokens/hours',
      'search-gaps',
      'search-gaps/queries',
    ].map((path) => `${path}?tenantId=acme`),
    'calls?tenantId=acme&userId=homer',
    'catalog/globex_own.secret_export?owner=globex&tenantId=acme',
    'activations?tenantId=acme&tool=billing.refund&limit=1',
  ].map((path): Request => [path]),
  ...['billing.refund', 'billing.list', 'globex_own.secret_export', 'nobody.knows'].flatMap((tool): Request[] => [
    ['explain', { body: { tool, context: CONTEXT } }],
    ['explain/past', { body: { tool, context: CONTEXT, at: 1 } }],
    ['explain/states', { body: { tools: [tool, 'globex_own.secret_export'], context: CONTEXT } }],
    ['explain/diff', { body: { tool, left: CONTEXT, right: { tenantId: 'acme', userId: 'bob' } } }],
  ]),
  ['previews/search', { body: { context: CONTEXT, query: 'secret export' } }],
  ['previews/surface', { body: { context: CONTEXT, text: 'refund' } }],
  ['previews/diff', { body: { left: CONTEXT, right: { tenantId: 'acme', userId: 'bob', roles: ['x'] } } }],
  ['kill-switches/preview', { body: { kind: 'glob', value: '*', tenantId: 'acme' } }],
  ['kill-switches/preview', { body: { kind: 'tool', value: 'globex_own.secret_export', tenantId: 'acme' } }],
  ['dry-run/kill-switches', { body: { kind: 'glob', value: '*', tenantId: 'acme' } }],
  ['dry-run/policies', { body: { policy: { deny: ['*'] }, tenantId: 'acme' } }],
  ['kill-switches?waitMs=1000', { body: OWN_TARGET }],
  ['kill-switches?waitMs=1000', { body: { ...TARGET, confirm: 'all' } }],
  ['kill-switches/release', { body: { ...OWN_TARGET, expectedRevision: 0 } }],
  ['quarantine/approve', { body: { source: 'globex_own', owner: 'acme', confirm: ['x'], ...REASON } }],
  ['sources/globex_own/reload', { body: { owner: 'acme', ...REASON } }],
  ['sources/acme_own/reload', { body: { owner: 'acme', ...REASON } }],
  ['search-gaps?tenantId=acme&reason=test', { method: 'DELETE' }],
  ['activations?tenantId=acme&reason=test', { method: 'DELETE' }],
  ['calls?tenantId=acme&confirm=all&reason=test', { method: 'DELETE' }],
];

/** What the operator of acme is answered, request by request. */
async function answersIn(steps: readonly GlobexStep[] | undefined): Promise<readonly string[]> {
  const application = await startTenantOperatorApp(steps ? ['secret_export', 'secret_import'] : []);
  try {
    const [early, late] = [steps?.slice(0, steps.length / 2) ?? [], steps?.slice(steps.length / 2) ?? []];
    for (const step of early) await asGlobex(application, step);
    await asAcme(application);
    for (const step of late) await asGlobex(application, step);
    const answers: string[] = [];
    for (const [path, options] of REQUESTS) {
      const { status, text } = await application.admin(OF_ACME, path, options);
      answers.push(`${options?.method ?? (options ? 'POST' : 'GET')} ${path}: ${status} ${comparable(text)}`);
    }
    return answers;
  } finally {
    await application.app.close();
  }
}

function differing(answers: readonly string[], expected: readonly string[]): readonly string[] {
  return answers.flatMap((answer, index) => (answer === expected[index] ? [] : [answer, `${expected[index]}`]));
}

// JSON or JSON lines.
function comparable(text: string): string {
  return text
    .replace(/at revision \d+/, 'at revision N')
    .split('\n')
    .map((line) => (line.startsWith('{') ? JSON.stringify(JSON.parse(line), without) : line))
    .join('\n');
}

function without(key: string, value: unknown): unknown {
  return NOT_COMPARED.has(key) ? undefined : value;
}

(isFull ? describe : describe.skip)('an operator of acme', () => {
  it('does not depend on what globex has, does and decides', async () => {
    const alone = await answersIn(undefined);
    expect(alone.filter((answer) => / 5\d\d | 403 /.test(answer.slice(0, 120)))).toEqual([]);
    expect(alone.join()).toContain('qqqgarble');
    expect(differing(await answersIn([...GLOBEX_STEPS]), alone)).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...GLOBEX_STEPS), { minLength: 1, maxLength: 12 }), async (steps) => {
        expect(differing(await answersIn(steps), alone)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});
