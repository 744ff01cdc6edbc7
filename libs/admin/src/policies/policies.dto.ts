import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ToolPolicy } from '@tool-search/core';
import type { StoredPolicy } from '@tool-search/core/operators';
import { IsObject } from 'class-validator';
import { ChangeBody } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import { OptionalText } from '../request/validation.decorators.js';

export class PolicyQuery extends PageQuery {
  @OptionalText({ description: 'The policies of this tenant and of its agents.' }) readonly tenantId?: string;
}

/** A policy. Unknown fields and invalid globs are rejected by name. */
export class PolicyBody implements ToolPolicy {
  @ApiPropertyOptional({ type: [String], description: 'Left out: no such list. Empty: nothing is allowed.' })
  readonly allow?: readonly string[];
  @ApiPropertyOptional({ type: [String], example: ['billing.delete_*'], description: 'Wins over every allow.' })
  readonly deny?: readonly string[];
  @ApiPropertyOptional({ type: [String], description: 'Tags that a tool must have.' })
  readonly requireTags?: readonly string[];
  @ApiPropertyOptional({
    type: [String],
    example: ['billing.refund_*'],
    description: 'Tools that a second person must approve for a session or run.',
  })
  readonly approval?: readonly string[];
}

export class SetPolicyBody extends ChangeBody {
  @ApiProperty({ type: PolicyBody })
  // The core library validates the policy: one check, and one list of fields.
  @IsObject()
  readonly policy: ToolPolicy;
}

/** Number of entries in each list; null if there is no such list. */
export class PolicyCounts implements Record<keyof ToolPolicy, number | null> {
  @ApiProperty({ type: Number, nullable: true, example: null }) readonly allow: number | null;
  @ApiProperty({ type: Number, nullable: true, example: 1 }) readonly deny: number | null;
  @ApiProperty({ type: Number, nullable: true, example: null }) readonly requireTags: number | null;
  @ApiProperty({ type: Number, nullable: true, example: 1 }) readonly approval: number | null;
}

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

export class PolicyRemoved {
  @ApiProperty({ description: 'The control revision since which it is gone.', example: 13 }) readonly revision: number;
}

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
