import type { AccessTokenClaims } from '@tool-search/gateway';
import type { User } from './user.js';

/** The user of a verified access token, by its claims `sub`, `tenant`, `plan` and `roles`; undefined without a tenant. */
export function userOfClaims({ sub, tenant, plan, roles }: AccessTokenClaims): User | undefined {
  if (typeof sub !== 'string' || typeof tenant !== 'string') return undefined;
  return {
    id: sub,
    tenantId: tenant,
    plan: plan === 'business' ? 'business' : 'starter',
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
  };
}
