import type { Page } from 'playwright-core';
import type { HostileScreen } from './hostile-texts.js';

export const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> & "quotes"';
/** Markup, marks that turn the direction, controls and unseen characters. */
export const NASTY = `${MARKUP} \u202egnp.exe\u202c \u2066\u200fabc \u0000\u001b[31m\u0007 `;
/** Longer than any screen shows at once. */
const TEXT = NASTY.padEnd(5000, 'a long text ');
const TEXTS = [TEXT];

const totals = { steps: 1, fullTokens: 2, shownTokens: 1, savedTokens: 1, metaCalls: 1, searchTokens: 1 };
const who = { tenantId: TEXT, userId: TEXT, sessionId: TEXT, actor: TEXT, reason: TEXT, at: 1, revision: 1 };
const tool = { name: TEXT, source: TEXT, owner: TEXT, namespace: TEXT, description: TEXT, hash: TEXT, tags: TEXTS };
const finding = { code: TEXT, reason: TEXT };
const verdict = { verdict: 'approved', reason: TEXT, actor: TEXT, decidedAt: 1, revision: 1 };
const sizes = { ms: 1, argumentBytes: 1, resultBytes: 1, toolCount: 1, step: 1, controlRevision: 1 };
const decision = { decision: 'deny', layer: TEXT, rule: TEXT, outcome: TEXT, cached: false };
const input = { tool: TEXT, tools: TEXTS, agentIds: TEXTS, arguments: TEXT, result: TEXT };
const call = { ...who, ...sizes, ...decision, ...input, id: 'hostile', kind: 'call', runId: '' };
const CALLER = JSON.stringify({ tenantId: TEXT, [TEXT]: TEXTS });
const layers = ['visibility', TEXT].map((layer) => ({ layer, verdict: 'deny', rule: TEXT, reason: TEXT }));
const parts = [{ field: TEXT, word: TEXT, as: TEXT, score: 1 }];
const hit = { ...tool, score: 1, match: TEXT, parts, tokens: 1 };
const listed = { name: TEXT, description: TEXT, tokens: 1 };
const views = { visible: 1, only: 1, tools: [{ name: TEXT, layer: TEXT, rule: TEXT, reason: TEXT }] };
const instances = [{ id: TEXT, appliedRevision: 1, silentMs: 1 }];
const radius = {
  matched: 1,
  tools: TEXTS,
  sources: TEXTS,
  alreadyOff: 0,
  activations: 1,
  tenants: TEXTS,
  revision: 1,
};
const dryRun = {
  calls: 1,
  refused: 1,
  approval: 0,
  unknown: 0,
  since: 1,
  groups: [{ tenantId: TEXT, tool: TEXT, becomes: 'refused', evidence: 'recomputed', calls: 1 }],
};
const figures = { calls: 3, refused: 1, failed: 1, p50Ms: 1, p95Ms: 2 };
const list = (item: object) => ({ items: [item] });

const press = (name: string) => (page: Page) =>
  page.locator('main table :is(button, a)', { hasText: name }).first().click();

/** Every screen, with answers of its routes that are hostile in all fields but those of fixed words. */
export const HOSTILE_SCREENS: readonly HostileScreen[] = [
  {
    screen: '',
    title: 'Overview',
    answers: {
      status: {
        state: 'closed',
        revision: 1,
        ageMs: 1,
        writable: true,
        reason: TEXT,
        instanceId: TEXT,
        instances,
        counts: { tools: 1, sources: 1, sourcesNotReady: 1, killSwitches: 1, reported: 1, quarantined: 1 },
        queues: [{ source: TEXT, owner: TEXT, limit: 1, running: 1, waiting: 1 }],
      },
      'calls/overview': {
        since: 0,
        until: 3_600_000,
        stepMs: 60_000,
        isComplete: false,
        total: figures,
        spans: [{ ...figures, from: 60_000 }],
        refusals: [{ layer: TEXT, calls: 1 }],
        sources: [{ ...figures, prefix: TEXT, source: TEXT }],
        tenants: [{ ...figures, tenantId: TEXT }],
      },
    },
  },
  {
    screen: 'tools',
    title: 'Tools',
    answers: {
      catalog: list({
        ...tool,
        kind: TEXT,
        title: TEXT,
        sideEffects: TEXT,
        loading: TEXT,
        finding,
        decision: { outcome: 'deny', layer: TEXT, rule: TEXT, reason: TEXT },
      }),
      'catalog/': {
        ...tool,
        sideEffects: TEXT,
        inputSchema: { description: TEXT },
        aliases: TEXTS,
        exampleQueries: TEXTS,
      },
    },
    act: press('<img'),
  },
  {
    screen: `explain?${new URLSearchParams({ tool: 'x', caller: CALLER, at: '1' }).toString()}`,
    title: 'Why not?',
    answers: {
      explain: { tool: TEXT, outcome: 'deny', layers },
      'explain/past': { tool: TEXT, at: 1, outcome: 'deny', record: TEXT, narrowed: true, layers },
    },
  },
  {
    screen: 'playground',
    title: 'Playground',
    answers: {
      'previews/search': {
        verdict: TEXT,
        hits: [hit],
        unmatched: TEXTS,
        hint: TEXT,
        answerTokens: 1,
        tokenizer: TEXT,
      },
      'previews/surface': {
        mode: TEXT,
        reason: TEXT,
        tools: [listed],
        listed: 1,
        visible: 1,
        meta: [listed],
        prompt: { guidance: TEXT },
        shownTokens: 1,
        fullTokens: 1,
        tokenizer: TEXT,
      },
      'previews/diff': { both: 1, left: views, right: views },
    },
    act: (page) => page.fill('input[name=query]', 'anything'),
  },
  {
    screen: 'kill-switches?kind=tool&value=x',
    title: 'Kill switches',
    answers: {
      'kill-switches': list({
        ...who,
        id: 'hostile',
        kind: TEXT,
        value: TEXT,
        engagedAt: 1,
        expiresAt: 0,
        abortRunning: false,
        matched: 1,
        live: true,
      }),
      'kill-switches/preview': radius,
      'dry-run/kill-switches': dryRun,
    },
    act: press('Turn on again…'),
  },
  {
    screen: 'quarantine',
    title: 'Quarantine',
    answers: {
      quarantine: list({ ...tool, id: 'held', suspicion: TEXT }),
      reported: list({ ...tool, id: 'reported', finding, verdict }),
      'quarantine/': {
        ...tool,
        id: 'held',
        suspicion: TEXT,
        changes: [{ path: TEXT, before: TEXT, after: { text: TEXT } }],
      },
      'kill-switches/preview': radius,
      'dry-run/kill-switches': dryRun,
    },
    act: press('<img'),
  },
  {
    screen: 'approvals',
    title: 'Approvals',
    answers: {
      approvals: list({
        ...who,
        id: 'hostile',
        status: 'pending',
        scope: 'session',
        scopeId: TEXT,
        tool: TEXT,
        hash: TEXT,
        rule: TEXT,
        askedAt: 1,
        expiresAt: 2,
        recordsArguments: true,
        call: { at: 1, argumentBytes: 1, arguments: TEXT },
      }),
    },
    act: press('Approve…'),
  },
  {
    screen: 'policies',
    title: 'Access policies',
    answers: {
      policies: list({ ...who, agentId: TEXT, policy: { deny: TEXTS }, changedAt: 1 }),
      'dry-run/policies': dryRun,
    },
    act: (page) => page.fill('section input[name=tenant]', 'acme'),
  },
  {
    screen: 'calls',
    title: 'Calls',
    answers: {
      calls: list(call),
      'calls/summary': {
        since: 0,
        until: 3_600_000,
        items: [{ hour: 0, layer: TEXT, decision: 'deny', outcome: TEXT, calls: 1 }],
      },
    },
    act: press('Follow'),
  },
  {
    screen: 'sessions',
    title: 'Sessions',
    answers: {
      activations: list({ ...who, scope: 'session', scopeId: TEXT, tool: TEXT, activatedAt: 1, usedAt: 1, tokens: 1 }),
    },
  },
  {
    screen: 'tokens',
    title: 'Tokens',
    answers: {
      tokens: { ...totals, tokenizers: TEXTS },
      'tokens/sessions': list({ ...totals, ...who, tokenizer: TEXT, lastHour: 1 }),
      'tokens/hours': { since: 0, until: 3_600_000, items: [{ ...totals, hour: 0, tokenizer: TEXT }] },
      'calls/costs': {
        items: [{ tenantId: TEXT, tool: TEXT, shown: 1, definitionTokens: 1, calls: 1, resultTokens: 1 }],
        groups: 1,
        records: 1,
        isComplete: true,
      },
      'previews/surface': { tools: [listed] },
    },
  },
  {
    screen: 'gaps',
    title: 'Search gaps',
    answers: {
      'search-gaps': list({ tenantId: TEXT, searches: 1, zeroHits: 1, unused: 1, loops: 1 }),
      'search-gaps/queries': list({ kind: 'zero_hit', query: TEXT, uses: 1, lastUsedAt: 1 }),
    },
    act: press('Its words'),
  },
  {
    screen: 'sources',
    title: 'Sources',
    answers: {
      sources: list({
        source: TEXT,
        owner: TEXT,
        state: 'degraded',
        tools: 1,
        refusedCount: 1,
        refused: [{ name: TEXT, ...finding }],
        held: 1,
        reportedCount: 1,
        reason: TEXT,
      }),
    },
    act: (page) => page.locator('main summary').first().click(),
  },
  { screen: 'clients', title: 'Clients', answers: { calls: list(call) } },
  {
    screen: 'audit',
    title: 'Audit',
    answers: {
      audit: list({ ...who, seq: 1, action: TEXT, subject: TEXT, before: { text: TEXT }, after: { text: TEXT } }),
    },
    act: (page) => page.locator('main summary').first().click(),
  },
];

/** How a route fails that says so in hostile texts. */
export const HOSTILE_PROBLEM = { code: TEXT, detail: TEXT, hint: TEXT };
