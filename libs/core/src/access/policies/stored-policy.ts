import { z } from 'zod';
import { firstOf } from '../../collections/records.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { hasArgumentRules, type NamedRule, rulesOn } from '../arguments/argument-verdict.js';
import type { ReadRecord } from '../control/control-kind.js';
import { readFields } from '../control/record-fields.js';
import { type StoredDecision, storedDecision } from '../control/stored-decision.js';
import { type AskingRule, strictest } from './approval-rule.js';
import { approvalRule, type PolicyRefusal, policyRefusal, toolPolicy, type ToolPolicy } from './tool-policy.js';

const storedOwner = z.object({
  tenantId: z.string(),
  /** `''` = the tenant's own policy. */
  agentId: z.string(),
});

/** Owner of a policy: a tenant, an agent of one tenant, or an agent of all tenants (`tenantId: ''`). */
export interface PolicyOwner extends Readonly<z.output<typeof storedOwner>> {}

/** A policy in the control store. */
export interface StoredPolicy extends PolicyOwner, StoredDecision {
  readonly policy: ToolPolicy;
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
export function storedPolicyOf({ value, revision }: ReadRecord): StoredPolicy {
  return {
    // Throws for a record without tenant and agent: it would apply to no caller.
    ...policyOwner(readFields(storedOwner, value)),
    policy: toolPolicy(value['policy'], 'a stored policy'),
    ...readFields(storedDecision, value),
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

  /** Number of policies of a tenant, with those of its agents. */
  sizeOf(tenantId: string): number {
    let size = 0;
    for (const stored of this.#byKey.values()) if (stored.tenantId === tenantId) size += 1;
    return size;
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

  approval(tool: ToolDefinition, tenantId: string, agentIds: readonly string[]): AskingRule | undefined {
    const rules = [...this.#applying(tenantId, agentIds)].map(([level, { policy }]) => {
      const asking = approvalRule(policy, tool);
      return asking && { ...asking, rule: `${level}:${asking.rule}` };
    });
    return strictest(rules);
  }

  argumentRules(tool: ToolDefinition, tenantId: string, agentIds: readonly string[]): readonly NamedRule[] {
    if (this.#byKey.size === 0) return [];
    return Array.from(this.#applying(tenantId, agentIds)).flatMap(([level, { policy }]) =>
      rulesOn(policy, tool, `${level}:`),
    );
  }

  /** All policies with rules on arguments. */
  argumentPolicies(): readonly ToolPolicy[] {
    return Array.from(this.#byKey.values(), ({ policy }) => policy).filter(hasArgumentRules);
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
