import { api } from '../api/client.js';
import type { CallAnswer } from '../api/routes.js';
import { callerName } from './words.js';

const READ = 100;
/** Characters that are not seen, or that change the reading order: ids of others may have them. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => {
    return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }).join('');

/** The caller of a call as JSON, as far as the record names it. */
export function callerOf({ tenantId, userId, sessionId, runId, agentIds: [agentId = ''] }: CallAnswer): string {
  const known = Object.entries({ tenantId, userId, sessionId, runId, agentId }).filter(([, id]) => id !== '');
  return JSON.stringify(Object.fromEntries(known), undefined, 1).replaceAll(UNSEEN, escaped);
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
