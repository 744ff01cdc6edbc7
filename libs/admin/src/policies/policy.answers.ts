import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { StoredPolicy, ToolPolicy } from '@tool-search/core';
import { PolicyBody } from './policy.requests.js';

/** Number of entries in each list; null if there is no such list. */
export class PolicyCounts implements Record<keyof ToolPolicy, number | null> {
  @ApiProperty({ type: Number, nullable: true, example: null }) readonly allow: number | null;
  @ApiProperty({ type: Number, nullable: true, example: 1 }) readonly deny: number | null;
  @ApiProperty({ type: Number, nullable: true, example: null }) readonly requireTags: number | null;
  @ApiProperty({ type: Number, nullable: true, example: 1 }) readonly approval: number | null;
}

/** A stored policy in a response. */
export class PolicyAnswer implements StoredPolicy {
  @ApiProperty({ example: 'acme', description: 'Empty: an agent in all tenants.' }) readonly tenantId: string;
  @ApiProperty({ example: '', description: "Empty: the tenant's own." }) readonly agentId: string;
  @ApiProperty({ type: PolicyBody }) readonly policy: ToolPolicy;
  @ApiProperty() readonly counts: PolicyCounts;
  @ApiPropertyOptional({ enum: [true], description: 'The allow list is empty, so every tool is refused.' })
  readonly allowsNothing?: true;
  @ApiProperty({ example: 'until the audit is over' }) readonly reason: string;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly changedAt: number;
  @ApiProperty({ description: 'The control revision that wrote it.', example: 12 }) readonly revision: number;
}

/** Response of `DELETE policies/…`. */
export class PolicyRemoved {
  @ApiProperty({ description: 'The control revision since which it is gone.', example: 13 }) readonly revision: number;
}

/** Converts a stored policy to a response, with the number of entries in each list. */
export function policyAnswer(stored: StoredPolicy): PolicyAnswer {
  const { allow, deny, requireTags, approval } = stored.policy;
  const counts = {
    allow: allow?.length ?? null,
    deny: deny?.length ?? null,
    requireTags: requireTags?.length ?? null,
    approval: approval?.length ?? null,
  };
  return { ...stored, counts, ...(counts.allow === 0 && { allowsNothing: true }) };
}
