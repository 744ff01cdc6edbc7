import { CallOverview } from '@tool-search/core/internal';
import type { CallFilter, CallRecord, ToolCallStore } from '@tool-search/core/stores';
import { percentile } from '../measuring/measures.js';
import { randomOf } from '../measuring/random.js';

const TENANTS = 50;
const USERS = 200;
const TOOLS = 500;
const DAYS_MS = 7 * 86_400_000;
const START = 1_795_000_000_000;
const AT_ONCE = 5_000;
const PAGE = 51;

/** A record of one of many tenants, users and tools; three of a hundred calls are refused or fail. */
function madeRecord(index: number, records: number, next: () => number, start: number): CallRecord {
  const at = start + Math.floor((index / records) * DAYS_MS);
  const luck = next();
  const refused = luck < 0.01 ? 'policy' : luck < 0.015 ? 'kill_switch' : luck < 0.017 ? 'limit' : undefined;
  // A few tenants and tools make most of the calls.
  const few = (of: number) => Math.floor(next() ** 2 * of);
  return {
    id: `${at.toString(16).padStart(12, '0')}${(index & 0xffff).toString(16).padStart(4, '0')}0123456789abcdef`,
    at,
    kind: luck > 0.9 ? 'shown' : 'call',
    tenantId: `tenant-${few(TENANTS)}`,
    userId: `user-${few(USERS)}`,
    sessionId: `session-${Math.floor(index / 20)}`,
    runId: `run-${Math.floor(index / 10)}`,
    agentIds: [],
    step: index % 10,
    callId: `call-${index}`,
    tool: `area${few(TOOLS) % 20}.tool_${few(TOOLS)}`,
    definitionHash: 'f00dfeed'.repeat(8),
    decision: refused ? 'deny' : 'allow',
    layer: refused ?? 'approval',
    rule: refused ? 'deny:area1.*' : 'default',
    reason: refused ? 'the policy denies area1.*' : 'no rule refuses it',
    outcome:
      refused === 'limit' ? 'LIMIT_REACHED' : refused ? 'TOOL_NOT_AVAILABLE' : luck < 0.03 ? 'TOOL_FAILED' : 'ok',
    controlRevision: 12,
    catalogRevision: 3,
    policyHash: '0123456789abcdef',
    narrowed: false,
    ms: 12.5,
    argumentBytes: 120,
    resultBytes: 900,
    cached: false,
    tools: [],
    toolCount: 0,
  };
}

/** Fills a store with records of a week. @param start the beginning of the week, in epoch milliseconds */
export async function filled(store: ToolCallStore, records: number, start = START): Promise<void> {
  const next = randomOf(7);
  for (let from = 0; from < records; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, records - from);
    await store.add(Array.from({ length }, (_, index) => madeRecord(from + index, records, next, start)));
  }
}

/** What operators filter by, each with other values at each turn. */
function filters(turn: number, records: number): readonly CallFilter[] {
  const tenantId = `tenant-${turn % TENANTS}`;
  const tool = `area${turn % 20}.tool_${turn % TOOLS}`;
  const since = START + (turn % 7) * 86_400_000;
  const run = Math.floor((turn * 7919) % (records / 10));
  return [
    {},
    { tenantId },
    { tenantId, userId: `user-${turn % USERS}` },
    { tool },
    { tenantId, tool },
    { runId: `run-${run}` },
    { sessionId: `session-${Math.floor(run / 2)}` },
    { outcome: 'TOOL_FAILED' },
    { tenantId, outcome: 'LIMIT_REACHED' },
    { layer: 'kill_switch' },
    { tenantId, layer: 'policy' },
    { kind: 'call', tenantId },
    { since, until: since + 3_600_000 },
    { tenantId, since, until: since + 86_400_000 },
    { tool, outcome: 'TOOL_FAILED', since },
  ];
}

/** How long answers of the overview of a week take, in milliseconds. */
export interface OverviewTimes {
  /** The longest answer until all hours were read. */
  readonly overviewFirstMs: number;
  /** Until all hours were read. */
  readonly overviewReadMs: number;
  /** The answer when they were. */
  readonly overviewMs: number;
}

/** Asks for the overview of the week that {@link filled} has made until it is complete, and once more. */
export async function overviewTimes(store: ToolCallStore): Promise<OverviewTimes> {
  const overview = new CallOverview(
    (filter, spanMs) => store.groups(filter, spanMs),
    () => START + DAYS_MS,
  );
  const times: number[] = [];
  const began = performance.now();
  for (let isComplete = false; !isComplete;) {
    const started = performance.now();
    ({ isComplete } = await overview.of({ since: START, until: START + DAYS_MS }));
    times.push(performance.now() - started);
  }
  const overviewReadMs = Math.round(performance.now() - began);
  const started = performance.now();
  await overview.of({ since: START, until: START + DAYS_MS });
  const overviewMs = Math.round(performance.now() - started);
  return { overviewFirstMs: Math.round(Math.max(...times)), overviewReadMs, overviewMs };
}

/** The 99th percentile of the time of one page, in milliseconds: first pages and later ones of many filters. */
export async function pageTimes(store: ToolCallStore, records: number, turns: number): Promise<number> {
  const times: number[] = [];
  const page = async (filter: CallFilter, after?: string) => {
    const started = performance.now();
    const found = await store.list(filter, { limit: PAGE, ...(after !== undefined && { after }) });
    times.push(performance.now() - started);
    return found.length === PAGE ? found.at(-1)?.id : undefined;
  };
  // The first turn fills caches, and does not count.
  for (const filter of filters(0, records)) await page(filter);
  times.length = 0;
  for (let turn = 1; turn <= turns; turn++) {
    for (const filter of filters(turn, records)) {
      const second = await page(filter);
      if (second !== undefined) await page(filter, second);
    }
  }
  return percentile(times, 0.99);
}
