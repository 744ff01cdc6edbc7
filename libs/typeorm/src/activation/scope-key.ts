import type { ActivationScope } from '@tool-search/core/stores';

/** The columns that identify a run or session, in the order of the primary key. */
export const SCOPE_KEY = 'tenant_id, user_id, scope, scope_id';

/** The columns of the key as members of an {@link ActivationScope}. */
export const SCOPE_MEMBERS = 'tenant_id AS "tenantId", user_id AS "userId", scope, scope_id AS "scopeId"';

/** Its parameters are {@link scopeKey}. */
export const IS_SCOPE = 'tenant_id = ? AND user_id = ? AND scope = ? AND scope_id = ?';

export function scopeKey({ tenantId, userId, scope, scopeId }: ActivationScope): readonly string[] {
  return [tenantId, userId, scope, scopeId];
}

/** A scope without the other members of its record. */
export function scopeOf({ tenantId, userId, scope, scopeId }: ActivationScope): ActivationScope {
  return { tenantId, userId, scope, scopeId };
}
