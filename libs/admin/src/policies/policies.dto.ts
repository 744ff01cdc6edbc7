import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonSchema, ToolPolicy } from '@tool-search/core';
import type { ArgumentRule, StoredPolicy } from '@tool-search/core/internal';
import { IsObject } from 'class-validator';
import { ChangeBody, RemovedAnswer, StoredDecisionAnswer } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import { OptionalText } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class PolicyQuery extends PageQuery {
  @OptionalText({ description: 'The policies of this tenant and of its agents.' }) readonly tenantId?: string;
}

/** A rule on the arguments of calls. */
export class ArgumentRuleBody implements Every<ArgumentRuleBody, ArgumentRule> {
  @ApiProperty({ example: 'large-refund', description: 'Unique in its policy.' }) readonly id: string;
  @ApiProperty({ type: [String], example: ['billing.refund'], description: 'Names, aliases or globs of tools.' })
  readonly tools: readonly string[];
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { required: ['amount'], properties: { amount: { exclusiveMinimum: 1000 } } },
    description: 'JSON Schema; the rule applies if the arguments fit. Either this or unless is set.',
  })
  readonly when?: JsonSchema;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema; the rule applies if the arguments do not fit.',
  })
  readonly unless?: JsonSchema;
  @ApiProperty({ enum: ['deny', 'approve'], description: 'Refuses the call, or asks a second person to approve it.' })
  readonly then: 'deny' | 'approve';
  @ApiPropertyOptional({
    enum: ['session'],
    description: 'With approve: one approval for all calls in a session or run. Left out: one for each call.',
  })
  readonly scope?: 'session';
  @ApiProperty({ description: 'For operators.' }) readonly reason: string;
  @ApiPropertyOptional({ description: 'For the caller.' }) readonly message?: string;
}

/** A policy. Unknown fields and invalid globs are rejected by name. */
export class PolicyBody implements Every<PolicyBody, ToolPolicy> {
  @ApiPropertyOptional({ type: [String], description: 'Left out: no such list. Empty: nothing is allowed.' })
  readonly allow?: readonly string[];
  @ApiPropertyOptional({ type: [String], example: ['billing.delete_*'], description: 'Wins over every allow.' })
  readonly deny?: readonly string[];
  @ApiPropertyOptional({ type: [String], description: 'Tags that a tool must have.' })
  readonly requireTags?: readonly string[];
  @ApiPropertyOptional({
    type: 'array',
    items: {
      oneOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['tools', 'scope'],
          properties: { tools: { type: 'string' }, scope: { enum: ['session'] } },
        },
      ],
    },
    example: ['billing.refund_*', { tools: 'crm.export_*', scope: 'session' }],
    description: 'Tools that a second person must approve: each call, or once for all calls in a session or run.',
  })
  readonly approval?: NonNullable<ToolPolicy['approval']>;
  @ApiPropertyOptional({ type: [ArgumentRuleBody], description: 'Rules on the arguments of calls.' })
  readonly arguments?: readonly ArgumentRuleBody[];
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
  @ApiProperty({ type: Number, nullable: true, example: null }) readonly arguments: number | null;
}

export class PolicyAnswer extends StoredDecisionAnswer implements Every<PolicyAnswer, StoredPolicy> {
  @ApiProperty({ example: 'acme', description: 'Empty: an agent in all tenants.' }) readonly tenantId: string;
  @ApiProperty({ example: '', description: "Empty: the tenant's own." }) readonly agentId: string;
  @ApiProperty({ type: PolicyBody }) readonly policy: ToolPolicy;
  @ApiProperty() readonly counts: PolicyCounts;
  @ApiPropertyOptional({ enum: [true], description: 'The allow list is empty, so every tool is refused.' })
  readonly allowsNothing?: true;
}

export class PolicySetAnswer extends PolicyAnswer {
  @ApiProperty({
    type: [String],
    example: ['arguments.large-refund: no tool that it names has the argument amuont'],
    description: 'What is probably a mistake in the rules on arguments.',
  })
  readonly warnings: readonly string[];
}

export class PolicyRemoved extends RemovedAnswer {}

export function policyAnswer(stored: StoredPolicy): PolicyAnswer {
  const { allow, deny, requireTags, approval, arguments: rules } = stored.policy;
  const counts = {
    allow: allow?.length ?? null,
    deny: deny?.length ?? null,
    requireTags: requireTags?.length ?? null,
    approval: approval?.length ?? null,
    arguments: rules?.length ?? null,
  };
  return { ...stored, counts, ...(counts.allow === 0 && { allowsNothing: true }) };
}
