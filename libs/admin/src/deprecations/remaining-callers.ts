import type { ToolCallRecords } from '@tool-search/core/operators';
import type { CallRecord } from '@tool-search/core/stores';

/** Who still calls a tool. */
export interface RemainingCaller {
  readonly tenantId: string;
  readonly userId: string;
  /** `''` for a call without an agent. */
  readonly agentId: string;
  readonly calls: number;
  /** Epoch milliseconds of the newest call. */
  readonly lastAt: number;
}

export interface RemainingCallers {
  /** Those with the newest calls first. */
  readonly callers: readonly RemainingCaller[];
  /** Number of calls that were read. */
  readonly calls: number;
  /** Whether these are all calls; otherwise the newest ones. */
  readonly isComplete: boolean;
}

const PAGE = 200;
const MAX_CALLS = 10_000;

/** Groups the newest calls of a tool by caller, at most 10,000 calls. @throws ToolSearchError `STORE_UNAVAILABLE` */
export async function remainingCallers(
  records: Pick<ToolCallRecords, 'list'>,
  tool: string,
  since: number,
): Promise<RemainingCallers> {
  const callers = new Map<string, RemainingCaller>();
  let calls = 0;
  for (let after: string | undefined; ;) {
    const page = await records.list({ kind: 'call', tool, since }, { limit: PAGE, ...(after && { after }) });
    for (const record of page) count(callers, record);
    calls += page.length;
    after = page.at(-1)?.id;
    const isComplete = page.length < PAGE;
    if (isComplete || calls >= MAX_CALLS) return { callers: [...callers.values()], calls, isComplete };
  }
}

// The newest calls come first, so the first one of a caller is its last.
function count(callers: Map<string, RemainingCaller>, { tenantId, userId, agentIds, at }: CallRecord): void {
  const agentId = agentIds[0] ?? '';
  const key = JSON.stringify([tenantId, userId, agentId]);
  const known = callers.get(key) ?? { tenantId, userId, agentId, calls: 0, lastAt: at };
  callers.set(key, { ...known, calls: known.calls + 1 });
}
