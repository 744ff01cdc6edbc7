import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ToolContext } from '@tool-search/core';
import type { Preflight } from '@tool-search/core/operators';
import type { GivenProfile, NeededTool, ProfileStatus, StoredProfile } from '@tool-search/core/internal';
import { IsArray, IsObject, IsString } from 'class-validator';
import { ChangeBody, RemovedAnswer, StoredDecisionAnswer } from '../request/change.dto.js';
import { IsOptionalButNotNull } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

const EXPOSURES = ['bridge', 'all', 'deferred'] as const;

/** A profile. Unknown fields and invalid globs are rejected by name. */
export class ProfileBody implements Every<ProfileBody, GivenProfile> {
  @ApiPropertyOptional({ type: [String], description: 'Left out: no such list. Empty: nothing is allowed.' })
  readonly allow?: readonly string[];
  @ApiPropertyOptional({ type: [String], example: ['billing.delete_*'], description: 'Wins over every allow.' })
  readonly deny?: readonly string[];
  @ApiPropertyOptional({ type: [String], description: 'Tags that a tool must have.' })
  readonly requireTags?: readonly string[];
  @ApiPropertyOptional({
    type: [String],
    example: ['billing.list_invoices'],
    description: 'Names and globs of the tools that an agent needs, for the preflight. Left out: those of `allow`.',
  })
  readonly needs?: readonly string[];
  @ApiPropertyOptional({ enum: EXPOSURES, default: 'bridge' }) readonly exposure?: (typeof EXPOSURES)[number];
  @ApiPropertyOptional({ default: true, description: 'Whether listed names begin with the namespace.' })
  readonly prefix?: boolean;
  @ApiPropertyOptional({ maxLength: 1000 }) readonly instructions?: string;
  @ApiPropertyOptional({ type: [String], description: 'Scopes that a token needs here.' })
  readonly scopes?: readonly string[];
}

export class SetProfileBody extends ChangeBody {
  @ApiProperty({ type: ProfileBody })
  // The core library validates the profile: one check, and one list of fields.
  @IsObject()
  readonly profile: GivenProfile;
}

export class StoredProfileAnswer
  extends StoredDecisionAnswer
  implements Every<StoredProfileAnswer, Omit<StoredProfile, 'name'>>
{
  @ApiProperty({ type: ProfileBody, description: 'As it was given, without defaults.' }) readonly profile: GivenProfile;
}

export class ProfileAnswer implements Every<ProfileAnswer, Omit<ProfileStatus, 'stored'>> {
  @ApiProperty({ example: 'support' }) readonly name: string;
  @ApiPropertyOptional({ type: ProfileBody, description: 'Its profile in the options of the gateway.' })
  readonly code?: GivenProfile;
  @ApiPropertyOptional({ type: StoredProfileAnswer, description: 'The stored one; it narrows that of the options.' })
  readonly stored?: StoredProfileAnswer;
}

export class ProfileRemoved extends RemovedAnswer {}

export class PreflightBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: "A context as the application's code would give it.",
    example: { tenantId: 'acme', userId: 'ada', roles: ['finance'] },
  })
  @IsObject()
  readonly context: ToolContext;

  @ApiPropertyOptional({ type: [String], description: 'Names and globs in place of those of the profile.' })
  @IsOptionalButNotNull()
  @IsArray()
  @IsString({ each: true })
  readonly needs?: readonly string[];
}

const READINESS = ['ready', 'needs_approval', 'retry', 'blocked', 'unknown'] as const;
const OUTCOMES = ['ready', 'retry', 'blocked', 'unknown'] as const;

export class NeededToolAnswer implements Every<NeededToolAnswer, NeededTool> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ enum: READINESS, enumName: 'Readiness' }) readonly state: (typeof READINESS)[number];
  @ApiPropertyOptional({ description: 'What decided, for a tool that is not ready.', example: 'policy' })
  readonly layer?: string;
  @ApiPropertyOptional({ example: 'deny:billing.refund_*' }) readonly rule?: string;
  @ApiPropertyOptional({ example: 'the policy denies billing.refund_*' }) readonly reason?: string;
}

export class PreflightAnswer implements Every<PreflightAnswer, Preflight> {
  @ApiProperty({ enum: OUTCOMES, description: 'The worst of the tools.' })
  readonly outcome: (typeof OUTCOMES)[number];
  @ApiProperty({ type: [NeededToolAnswer] }) readonly tools: readonly NeededToolAnswer[];
}

export function profileAnswer({ name, code, stored }: ProfileStatus): ProfileAnswer {
  if (!stored) return { name, ...(code && { code }) };
  const { name: _name, ...rest } = stored;
  return { name, ...(code && { code }), stored: rest };
}
