import { segment } from '../../api/client.js';
import type { Policy } from '../../api/decision-types.js';

/** Path of a stored policy. */
export function policyPath({ tenantId, agentId }: Pick<Policy, 'tenantId' | 'agentId'>): string {
  if (tenantId === '') return `policies/agents/${segment(agentId)}`;
  const tenant = `policies/tenants/${segment(tenantId)}`;
  return agentId === '' ? tenant : `${tenant}/agents/${segment(agentId)}`;
}
