import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import {
  GAP_KINDS,
  type LedgerCounts,
  type TokenizerName,
  TOKENIZERS,
  type TokenTotals,
} from '@tool-search/core/internal';
import type {
  GapKind,
  GapQuery,
  HourTokens,
  SessionTokens,
  TenantGaps,
  LedgerFilter,
  GapFilter,
} from '@tool-search/core/stores';
import type { Period } from '../request/period.js';
import { IsString, Length } from 'class-validator';
import { PageQuery } from '../request/page.js';
import {
  GivenReason,
  OptionalOneOf,
  OptionalString,
  OptionalText,
  OptionalTextOrEmpty,
  OptionalWholeNumber,
} from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class TokenQuery implements Every<TokenQuery, GapFilter> {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalWholeNumber({ description: 'Epoch milliseconds; the whole hour counts.' }, 0) readonly since?: number;
}

export class TokenHoursQuery
  extends TokenQuery
  implements Every<TokenHoursQuery, Pick<LedgerFilter, 'tenantId' | 'since' | 'until'>>
{
  @OptionalWholeNumber({ description: 'Epoch milliseconds, exclusive.' }, 0) readonly until?: number;
}

export class SessionTokenQuery
  extends IntersectionType(PageQuery, TokenQuery)
  implements Every<SessionTokenQuery, Omit<LedgerFilter, 'until'>>
{
  @OptionalTextOrEmpty({ example: 'ada', description: 'Empty: those of contexts that name no user.' })
  readonly userId?: string;

  @OptionalTextOrEmpty({ example: 's1', description: 'Empty: what belongs to no session.' })
  readonly sessionId?: string;
}

export class GapsQuery extends IntersectionType(PageQuery, TokenQuery) {}

export class GapWordsQuery extends PageQuery {
  @ApiProperty({ example: 'acme' })
  @IsString()
  @Length(1, 256)
  readonly tenantId: string;

  @OptionalOneOf(GAP_KINDS, 'GapKind') readonly kind?: GapKind;
}

export class ForgetGapsQuery {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @GivenReason('the catalog was rebuilt') readonly reason: string;

  @OptionalString({ example: 'all', description: 'Confirms that those of every tenant are meant.' })
  readonly confirm?: string;
}

class CountsAnswer implements Every<CountsAnswer, LedgerCounts> {
  @ApiProperty({ description: 'Times a model was given tools.', example: 40 }) readonly steps: number;
  @ApiProperty({ description: 'What plain lists would have cost.', example: 8_520_000 }) readonly fullTokens: number;
  @ApiProperty({ description: 'Definitions, meta tools and prompt parts.', example: 31_200 })
  readonly shownTokens: number;
  @ApiProperty({ description: 'Calls of meta tools that search, read or load.', example: 25 })
  readonly metaCalls: number;
  @ApiProperty({ description: 'Their arguments and answers, each counted once.', example: 9_800 })
  readonly searchTokens: number;
  @ApiProperty({ description: "Steps that kept the prompt's prefix.", example: 30 }) readonly cacheKept: number;
  @ApiProperty({ description: 'Steps that had another one.', example: 2 }) readonly cacheBroken: number;
}

export class TokenTotalsAnswer extends CountsAnswer implements Every<TokenTotalsAnswer, TokenTotals> {
  @ApiPropertyOptional({
    description: 'Tokens that writing example queries has cost over all time; only without a filter.',
    example: 295_000,
  })
  readonly writingTokens?: number;

  @ApiProperty({ description: '`fullTokens` less `shownTokens`; may be below 0.', example: 8_488_800 })
  readonly savedTokens: number;
  @ApiProperty({ enum: TOKENIZERS, isArray: true, description: 'What counted.' })
  readonly tokenizers: readonly TokenizerName[];
}

export class HourTokensAnswer extends CountsAnswer implements Every<HourTokensAnswer, HourTokens> {
  @ApiProperty({ description: 'Start of the hour, in epoch milliseconds.' }) readonly hour: number;
  @ApiProperty({ enum: TOKENIZERS }) readonly tokenizer: TokenizerName;
}

export class TokenHoursAnswer implements Period {
  @ApiProperty({ description: 'Epoch milliseconds, inclusive.' }) readonly since: number;
  @ApiProperty({ description: 'Epoch milliseconds, exclusive.' }) readonly until: number;
  @ApiProperty({ type: [HourTokensAnswer], description: 'The oldest first; an hour without a step is absent.' })
  readonly items: readonly HourTokensAnswer[];
}

export class SessionTokensAnswer extends CountsAnswer implements Every<SessionTokensAnswer, SessionTokens> {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Empty: the contexts named no user.' }) readonly userId: string;
  @ApiProperty({ example: 's1', description: 'Empty: the contexts named no session.' }) readonly sessionId: string;
  @ApiProperty({ enum: TOKENIZERS }) readonly tokenizer: TokenizerName;
  @ApiProperty({ description: 'Epoch milliseconds at which the last hour with a count began.' })
  readonly lastHour: number;
}

export class TenantGapsAnswer implements Every<TenantGapsAnswer, TenantGaps> {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 120 }) readonly searches: number;
  @ApiProperty({ description: 'Searches that nothing fits.', example: 9 }) readonly zeroHits: number;
  @ApiProperty({ description: 'Searches of whose hits none was called.', example: 14 }) readonly unused: number;
  @ApiProperty({ description: 'Times a run searched in circles.', example: 3 }) readonly loops: number;
}

export class GapQueryAnswer implements Every<GapQueryAnswer, GapQuery> {
  @ApiProperty({ enum: GAP_KINDS }) readonly kind: GapKind;
  @ApiProperty({ example: 'send a fax' }) readonly query: string;
  @ApiProperty({ example: 4 }) readonly uses: number;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly lastUsedAt: number;
}

export class GapsForgotten {
  @ApiProperty({ description: 'Hours of counts, and words.', example: 12 }) readonly removed: number;
}
