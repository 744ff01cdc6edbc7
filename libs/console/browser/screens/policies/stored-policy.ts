import { api } from '../../api/client.js';
import type { PolicyAnswer, SetPolicyBody } from '../../api/routes.js';

/** Whose policy it is: a tenant's, an agent's, or an agent's in one tenant. */
export type PolicyOwner = Pick<PolicyAnswer, 'tenantId' | 'agentId'>;

/** Stores a policy. */
export function setPolicy({ tenantId, agentId }: PolicyOwner, body: SetPolicyBody): Promise<PolicyAnswer> {
  if (tenantId === '') return api('PUT policies/agents/{agentId}', { path: { agentId }, body });
  if (agentId === '') return api('PUT policies/tenants/{tenantId}', { path: { tenantId }, body });
  return api('PUT policies/tenants/{tenantId}/agents/{agentId}', { path: { tenantId, agentId }, body });
}

/** Removes a stored policy. */
export function removePolicy({ tenantId, agentId, revision }: PolicyAnswer, reason: string): Promise<unknown> {
  const query = { reason, expectedRevision: revision };
  if (tenantId === '') return api('DELETE policies/agents/{agentId}', { path: { agentId }, query });
  if (agentId === '') return api('DELETE policies/tenants/{tenantId}', { path: { tenantId }, query });
  return api('DELETE policies/tenants/{tenantId}/agents/{agentId}', { path: { tenantId, agentId }, query });
}
