import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import type { GapKind } from '@tool-search/core';
import { IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';
import { WholeNumber } from '../request/whole-number.decorator.js';

const KINDS = ['zero_hit', 'unused', 'looped'] as const;

/** Filter for token sums. */
export class TokenQuery {
  @ApiPropertyOptional({ example: 'acme' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;

  @ApiPropertyOptional({ description: 'Epoch milliseconds; the whole hour counts.' })
  @IsOptionalButNotNull()
  @WholeNumber(0)
  readonly since?: number;
}

/** Query for token sums by session. */
export class SessionTokenQuery extends IntersectionType(PageQuery, TokenQuery) {
  @ApiPropertyOptional({ example: 'ada', description: 'Empty: those of contexts that name no user.' })
  @IsOptionalButNotNull()
  @IsString()
  @MaxLength(256)
  readonly userId?: string;

  @ApiPropertyOptional({ example: 's1', description: 'Empty: what belongs to no session.' })
  @IsOptionalButNotNull()
  @IsString()
  @MaxLength(256)
  readonly sessionId?: string;
}

/** Query of `GET search-gaps`. */
export class GapsQuery extends IntersectionType(PageQuery, TokenQuery) {}

/** Query of `GET search-gaps/queries`. */
export class GapWordsQuery extends PageQuery {
  @ApiProperty({ example: 'acme' })
  @IsString()
  @Length(1, 256)
  readonly tenantId: string;

  @ApiPropertyOptional({ enum: KINDS, enumName: 'GapKind' })
  @IsOptionalButNotNull()
  @IsIn(KINDS)
  readonly kind?: GapKind;
}

/** Query of `DELETE search-gaps`. */
export class ForgetGapsQuery {
  @ApiPropertyOptional({ example: 'acme' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;

  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'the catalog was rebuilt' })
  @IsString()
  @Length(1, 1000)
  @Matches(/\S/, { message: 'reason must say why' })
  readonly reason: string;

  @ApiPropertyOptional({ example: 'all', description: 'Confirms that those of every tenant are meant.' })
  @IsOptionalButNotNull()
  @IsString()
  readonly confirm?: string;
}
