import { firstOf } from '../../collections/records.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlRecord } from '../control/control-store.js';
import { fieldsOf } from '../control/record-fields.js';
import { approvalRule, type PolicyRefusal, policyRefusal, toolPolicy, type ToolPolicy } from './tool-policy.js';

/** Owner of a policy: a tenant, an agent of one tenant, or an agent of all tenants (`tenantId: ''`). */
export interface PolicyOwner {
  readonly tenantId: string;
  /** `''` = the tenant's own policy. */
  readonly agentId: string;
}

/** A policy in the control store. */
export interface StoredPolicy extends PolicyOwner {
  readonly policy: ToolPolicy;
  readonly reason: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  /** The control revision that wrote it. */
  readonly revision: number;
}

/** Returns the key under which a stored policy is kept. */
export function policyKey({ tenantId, agentId }: PolicyOwner): string {
  return JSON.stringify([tenantId, agentId]);
}

/**
 * Parses a stored record.
 *
 * @throws ToolSearchError `INTERNAL`, `INVALID_CONFIGURATION` or `INVALID_REQUEST` for an invalid one
 */
export function storedPolicyOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): StoredPolicy {
  return {
    // Throws for a record without tenant and agent: it would apply to no caller.
    ...policyOwner(fieldsOf(value, ['tenantId', 'agentId'])),
    policy: toolPolicy(value['policy'], 'a stored policy'),
    ...fieldsOf(value, ['reason', 'actor'], ['changedAt']),
    revision,
  };
}

/** All stored policies of one control revision, immutable. */
export class StoredPolicySet {
  readonly #byKey: ReadonlyMap<string, StoredPolicy>;

  constructor(policies: readonly StoredPolicy[]) {
    this.#byKey = new Map(policies.map((stored) => [policyKey(stored), stored]));
  }

  get size(): number {
    return this.#byKey.size;
  }

  has(owner: PolicyOwner): boolean {
    return this.#byKey.has(policyKey(owner));
  }

  refusal(tool: ToolDefinition, tenantId: string, agentIds: readonly string[]): PolicyRefusal | undefined {
    return firstOf(this.#applying(tenantId, agentIds), ([level, { policy }]) => {
      const refusal = policyRefusal(policy, tool);
      return refusal && { ...refusal, rule: `${level}:${refusal.rule}` };
    });
  }

  approval(tool: ToolDefinition, tenantId: string, agentIds: readonly string[]): string | undefined {
    return firstOf(this.#applying(tenantId, agentIds), ([level, { policy }]) => {
      const rule = approvalRule(policy, tool);
      return rule && `${level}:${rule}`;
    });
  }

  revisions(tenantId: string, agentIds: readonly string[]): readonly number[] {
    return Array.from(this.#applying(tenantId, agentIds), ([, { revision }]) => revision);
  }

  *#applying(tenantId: string, agentIds: readonly string[]): IterableIterator<readonly [string, StoredPolicy]> {
    if (this.#byKey.size === 0) return;
    const own = this.#byKey.get(policyKey({ tenantId, agentId: '' }));
    if (own) yield ['stored-tenant', own];
    for (const agentId of agentIds) {
      for (const whose of ['', tenantId]) {
        const policy = this.#byKey.get(policyKey({ tenantId: whose, agentId }));
        if (policy) yield ['stored-agent', policy];
      }
    }
  }
}

/** Validates an owner. @throws ToolSearchError `INVALID_REQUEST` */
export function policyOwner({ tenantId = '', agentId = '' }: Partial<PolicyOwner>): PolicyOwner {
  for (const id of [tenantId, agentId]) {
    if (typeof id !== 'string' || id.length > 256) {
      throw new ToolSearchError('INVALID_REQUEST', 'A tenant or agent id has at most 256 characters.');
    }
  }
  if (tenantId === '' && agentId === '') {
    throw new ToolSearchError('INVALID_REQUEST', 'A stored policy belongs to a tenant or to an agent.', {
      hint: "What holds for everybody is the module's own policy, which the application's code says.",
    });
  }
  return { tenantId, agentId };
}
