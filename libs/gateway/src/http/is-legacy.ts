import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '@tool-search/core/internal';

/**
 * Whether a request belongs to a revision before 2026-07-28, as the SDK decides it. A request that names its revision
 * in `_meta` never does, which is seen at once; the SDK would parse it a second time. Only `initialize` needs a whole
 * and valid `_meta`, so the SDK decides about it.
 */
export async function isLegacy(web: Request, message: unknown): Promise<boolean> {
  if (web.method === 'GET' || web.method === 'DELETE') return true;
  return namesRevision(message) ? false : isLegacyRequest(web, message ?? null);
}

function namesRevision(message: unknown): boolean {
  if (!isObject(message) || !('id' in message) || 'result' in message || 'error' in message) return false;
  const { method, params } = message;
  if (typeof method !== 'string' || method === 'initialize' || !isObject(params) || !isObject(params['_meta']))
    return false;
  return typeof params['_meta'][PROTOCOL_VERSION_META_KEY] === 'string';
}
