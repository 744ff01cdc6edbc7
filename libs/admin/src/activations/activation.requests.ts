import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { ActivationFilter } from '@tool-search/core';
import { IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';

const SCOPES = ['run', 'session'] as const;

/** Query of `GET activations`. */
export class ActivationQuery extends PageQuery implements ActivationFilter {
  @ApiPropertyOptional({ example: 'acme' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;

  @ApiPropertyOptional({ example: 'ada', description: 'Empty: those of contexts that name no user.' })
  @IsOptionalButNotNull()
  @IsString()
  @MaxLength(256)
  readonly userId?: string;

  @ApiPropertyOptional({ enum: SCOPES, enumName: 'ActivationScopeKind' })
  @IsOptionalButNotNull()
  @IsIn(SCOPES)
  readonly scope?: 'run' | 'session';

  @ApiPropertyOptional({ example: 's1', description: 'The id of the run or session.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly scopeId?: string;

  @ApiPropertyOptional({ example: 'billing.refund_invoice' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tool?: string;
}

/** Query of `DELETE activations`. */
export class RevokeQuery extends OmitType(ActivationQuery, ['limit', 'cursor']) {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'the tool was renamed' })
  @IsString()
  @Length(1, 1000)
  @Matches(/\S/, { message: 'reason must say why' })
  readonly reason: string;

  @ApiPropertyOptional({ example: 'all', description: 'Confirms that all activations of everybody are meant.' })
  @IsOptionalButNotNull()
  @IsString()
  readonly confirm?: string;
}
