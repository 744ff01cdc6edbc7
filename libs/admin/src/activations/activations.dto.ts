import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ACTIVATION_REASONS } from '@tool-search/core/internal';
import type { ActivationFilter, ActivationRecord, ActivationStats } from '@tool-search/core/stores';
import { PageQuery } from '../request/page.js';
import {
  GivenReason,
  OptionalOneOf,
  OptionalString,
  OptionalText,
  OptionalTextOrEmpty,
} from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

const SCOPES = ['run', 'session'] as const;

export class ActivationQuery extends PageQuery implements Every<ActivationQuery, ActivationFilter> {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;

  @OptionalTextOrEmpty({ example: 'ada', description: 'Empty: those of contexts that name no user.' })
  readonly userId?: string;

  @OptionalOneOf(SCOPES, 'ActivationScopeKind') readonly scope?: (typeof SCOPES)[number];
  @OptionalText({ example: 's1', description: 'The id of the run or session.' }) readonly scopeId?: string;
  @OptionalText({ example: 'billing.refund_invoice' }) readonly tool?: string;
}

export class RevokeQuery extends OmitType(ActivationQuery, ['limit', 'cursor']) {
  @GivenReason('the tool was renamed') readonly reason: string;

  @OptionalString({ example: 'all', description: 'Confirms that all activations of everybody are meant.' })
  readonly confirm?: string;
}

export class ActivationAnswer implements Every<ActivationAnswer, ActivationRecord> {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Empty: the context named no user.' }) readonly userId: string;
  @ApiProperty({ enum: SCOPES }) readonly scope: (typeof SCOPES)[number];
  @ApiProperty({ example: 's1' }) readonly scopeId: string;
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ enum: ACTIVATION_REASONS }) readonly reason: ActivationRecord['reason'];
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly activatedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds of the last use, to the minute.', example: 1_795_000_060_000 })
  readonly usedAt: number;
  @ApiProperty({ description: 'Tokens of the definition.', example: 120 }) readonly tokens: number;
}

export class ActivationStatsAnswer implements Every<ActivationStatsAnswer, ActivationStats> {
  @ApiProperty({ description: 'Runs and sessions in use.', example: 40 }) readonly scopes: number;
  @ApiProperty({ example: 161 }) readonly activations: number;
  @ApiProperty({ example: 20_312 }) readonly tokens: number;
  @ApiProperty({ description: 'Runs and sessions that wait for a sweep.', example: 3 }) readonly idleScopes: number;
  @ApiPropertyOptional({ description: 'Epoch milliseconds of the use that is longest ago.' })
  readonly oldestUseAt?: number;
}

export class ActivationsRemoved {
  @ApiProperty({ description: 'Activations, or of a sweep runs and sessions.', example: 4 }) readonly removed: number;
}
