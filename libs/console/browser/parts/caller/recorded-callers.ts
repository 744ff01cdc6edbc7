import { api } from '../../api/client.js';
import type { CallAnswer } from '../../api/routes.js';
import { callerName } from '../words.js';
import { callerNow, readCaller, setCaller } from './caller.js';
import { callerJson, isSeen } from './caller-json.js';

const READ = 100;
/** The caller of a call as JSON, as far as the record names it. */
export function callerOf({ tenantId, userId, sessionId, runId, agentIds: [agentId = ''] }: CallAnswer): string {
  const known = Object.entries({ tenantId, userId, sessionId, runId, agentId }).filter(([, id]) => id !== '');
  return callerJson(Object.fromEntries(known));
}

/** A caller of recorded calls, without session and run. */
export interface RecentCaller {
  /** `user@tenant`, and the agent. */
  readonly name: string;
  /** As JSON. */
  readonly context: string;
}

/** Who called last, newest first, each once. @param tenantId `''`: of all tenants */
export async function recentCallers(tenantId: string, most: number, signal?: AbortSignal) {
  const query = { kind: 'call', limit: READ, tenantId } as const;
  const { items } = await api('GET calls', { query, ...(signal && { signal }) });
  const found = new Map<string, RecentCaller>();
  for (const call of items) {
    const context = callerOf({ ...call, sessionId: '', runId: '' });
    const name = callerName(call);
    const [agent] = call.agentIds;
    found.set(context, { name: agent === undefined ? name : `${name}, agent ${agent}`, context });
  }
  return [...found.values()].slice(0, most);
}

/**
 * Asks as another tenant, unless the typed caller is of it already: as the one who called last, if a call is recorded.
 *
 * @param tenantId `''` keeps the caller
 */
export async function askAsTenant(tenantId: string): Promise<void> {
  const unnamed = JSON.stringify({ tenantId });
  const typed = callerNow('left');
  if (tenantId === '' || (typed !== unnamed && readCaller(typed)?.tenantId === tenantId)) return;
  setCaller('left', unnamed);
  const [newest] = await recentCallers(tenantId, 1);
  // Somebody may have typed meanwhile.
  if (newest && callerNow('left') === unnamed) setCaller('left', newest.context);
}

/** The ids of callers in the newest recorded calls, for completion. */
export interface RecordedIds {
  /** The values of a field, of the tenant where one is typed; those with characters that are not seen are left out. */
  of(field: string, tenantId: string): readonly string[];
}

/** Reads which ids were recorded. */
export async function recordedIds(signal: AbortSignal): Promise<RecordedIds> {
  const { items } = await api('GET calls', { query: { limit: READ }, signal });
  const of = (field: string, tenantId: string) => {
    const isOfOne = items.some((call) => call.tenantId === tenantId);
    const found = items
      .filter((call) => field === 'tenantId' || !isOfOne || call.tenantId === tenantId)
      .map(({ agentIds: [agentId = ''], tenantId: of, userId, sessionId, runId }) => {
        const ids: Readonly<Record<string, string>> = { tenantId: of, userId, agentId, sessionId, runId };
        return ids[field] ?? '';
      });
    return [...new Set(found)].filter((id) => id !== '' && isSeen(id));
  };
  return { of };
}
