import { nextTurn } from '../../async/time-slicer.js';
import type { CallPage } from './tool-call-store.js';
import type { CallFilter, CallRecord } from './call-record.js';

/** How costs are grouped. */
export const COST_GROUPS = ['tenant_and_tool', 'tool', 'tenant'] as const;

/** Which records are added up, and how. */
export interface CostQuestion extends Pick<CallFilter, 'tenantId' | 'since' | 'until'> {
  /** @default 'tenant_and_tool' */
  readonly by?: (typeof COST_GROUPS)[number];
  /** How many of the newest records are read, 1 to 50,000. @default 10000 */
  readonly records?: number;
  /** How many groups the answer holds, 1 to 200; the dearest. @default 50 */
  readonly limit?: number;
}

/** Tokens that models were sent for a tool of a tenant, counted once; a conversation sends them again at each step. */
export interface TokenCost {
  /** `''` if costs are grouped by tool. */
  readonly tenantId: string;
  /** `''` if costs are grouped by tenant. */
  readonly tool: string;
  /** How often the definition was shown. */
  readonly shown: number;
  readonly definitionTokens: number;
  /** How many calls ran. */
  readonly calls: number;
  readonly resultTokens: number;
}

/** The answer to a {@link CostQuestion}. */
export interface TokenCosts {
  /** The dearest first, by definitions and results together. */
  readonly items: readonly TokenCost[];
  /** How many groups there are. */
  readonly groups: number;
  /** Tokens of all groups together. */
  readonly definitionTokens: number;
  readonly resultTokens: number;
  /** How many records were read. */
  readonly records: number;
  /** Whether no older record matches. */
  readonly isComplete: boolean;
  /** Start of the oldest record that was read, in epoch milliseconds; absent without any. */
  readonly oldest?: number;
}

type Reader = { readonly list: (filter: CallFilter, page: CallPage) => Promise<readonly CallRecord[]> };

const DEFAULT_RECORDS = 10_000;
const MAX_RECORDS = 50_000;
const PAGE = 200;
const DEFAULT_ITEMS = 50;
const MAX_ITEMS = 200;

/** Adds up the newest records, page by page, so that memory stays small and other requests are served in between. */
export async function tokenCosts(reader: Reader, question: CostQuestion): Promise<TokenCosts> {
  const {
    by = 'tenant_and_tool',
    records: wanted = DEFAULT_RECORDS,
    limit: items = DEFAULT_ITEMS,
    ...filter
  } = question;
  const most = between(1, wanted, MAX_RECORDS);
  const costs = new Costs(by);
  let [records, isComplete, after, oldest] = [
    0,
    false,
    undefined as string | undefined,
    undefined as number | undefined,
  ];
  while (!isComplete && records < most) {
    const limit = Math.min(PAGE, most - records);
    const page = await reader.list(filter, { limit, ...(after !== undefined && { after }) });
    for (const record of page) costs.add(record);
    records += page.length;
    after = page.at(-1)?.id;
    oldest = page.at(-1)?.at ?? oldest;
    isComplete = page.length < limit;
    // SQLite answers without giving way to other requests.
    await nextTurn();
  }
  return {
    ...costs.dearest(between(1, items, MAX_ITEMS)),
    records,
    isComplete,
    ...(oldest !== undefined && { oldest }),
  };
}

class Costs {
  readonly #groups = new Map<string, { -readonly [Key in keyof TokenCost]: TokenCost[Key] }>();

  constructor(private readonly by: NonNullable<CostQuestion['by']>) {}

  add({ kind, tenantId, tool, tools, toolTokens = [], resultTokens }: CallRecord): void {
    if (kind === 'shown') {
      for (const [index, tokens] of toolTokens.entries()) {
        const group = this.#group(tenantId, tools[index] ?? '');
        group.shown += 1;
        group.definitionTokens += tokens;
      }
    } else if (kind === 'call' && resultTokens !== undefined) {
      const group = this.#group(tenantId, tool);
      group.calls += 1;
      group.resultTokens += resultTokens;
    }
  }

  dearest(limit: number): Pick<TokenCosts, 'items' | 'groups' | 'definitionTokens' | 'resultTokens'> {
    const all = [...this.#groups.values()].sort((left, right) => sumOf(right) - sumOf(left));
    const total = (of: (cost: TokenCost) => number) => all.reduce((sum, cost) => sum + of(cost), 0);
    return {
      items: all.slice(0, limit),
      groups: all.length,
      definitionTokens: total(({ definitionTokens }) => definitionTokens),
      resultTokens: total(({ resultTokens }) => resultTokens),
    };
  }

  #group(ofTenant: string, ofTool: string) {
    const tenantId = this.by === 'tool' ? '' : ofTenant;
    const tool = this.by === 'tenant' ? '' : ofTool;
    const key = JSON.stringify([tenantId, tool]);
    let group = this.#groups.get(key);
    if (!group) {
      group = { tenantId, tool, shown: 0, definitionTokens: 0, calls: 0, resultTokens: 0 };
      this.#groups.set(key, group);
    }
    return group;
  }
}

function sumOf({ definitionTokens, resultTokens }: TokenCost): number {
  return definitionTokens + resultTokens;
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, Math.trunc(value)), most);
}
