import type { ToolContext } from '@tool-search/core';

/** The tenants that an operator may see, and whether the operator may change anything. */
export interface OperatorAccess {
  readonly tenants: readonly string[] | 'all';
  readonly readOnly: boolean;
}

/** The access that a context gives; undefined for a caller who is no operator, or an operator of no tenant. */
export function operatorAccess({ admin = false }: ToolContext): OperatorAccess | undefined {
  if (typeof admin === 'boolean') return admin ? { tenants: 'all', readOnly: false } : undefined;
  const { tenants, readOnly = false } = admin;
  return tenants.length === 0 ? undefined : { tenants, readOnly };
}
