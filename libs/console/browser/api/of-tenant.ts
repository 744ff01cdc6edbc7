import type { Request } from './client.js';

const DECISION_BY_ID = /^(approvals|quarantine)\/[^/]+\/(approve|refuse|reject)$/;
const TARGET = /^(kill-switches|kill-switches\/(release|preview)|dry-run\/[a-z-]+)$/;
/** Their URL or body names the tenant, or they are about no tenant. */
const NAMED = /^(me|policies\/(tenants|agents)\/.*)$/;

/** The request with the tenant where the route wants it, unless it names one. */
export function ofTenant(path: string, request: Request, tenantId: string | undefined): Request {
  if (tenantId === undefined || NAMED.test(path)) return request;
  const { body, method = body ? 'POST' : 'GET', query = {} } = request;
  if (TARGET.test(path) && body) return { ...request, body: { tenantId, ...body } };
  if (method === 'POST' && !DECISION_BY_ID.test(path)) return request;
  return { ...request, query: { ...query, tenantId: query['tenantId'] || tenantId } };
}
