import { ApiProperty } from '@nestjs/swagger';
import type {
  GapKind,
  GapQuery,
  LedgerCounts,
  SessionTokens,
  TenantGaps,
  TokenizerName,
  TokenTotals,
} from '@tool-search/core';

const TOKENIZERS = ['o200k_base', 'estimate', 'custom'] as const;

/** Token counters. */
class CountsAnswer implements LedgerCounts {
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

/** Sums of token counters. */
export class TokenTotalsAnswer extends CountsAnswer implements TokenTotals {
  @ApiProperty({ description: '`fullTokens` less `shownTokens`; may be below 0.', example: 8_488_800 })
  readonly savedTokens: number;
  @ApiProperty({ enum: TOKENIZERS, isArray: true, description: 'What counted.' })
  readonly tokenizers: readonly TokenizerName[];
}

/** Token sums of one session, by one tokenizer. */
export class SessionTokensAnswer extends CountsAnswer implements SessionTokens {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Empty: the contexts named no user.' }) readonly userId: string;
  @ApiProperty({ example: 's1', description: 'Empty: the contexts named no session.' }) readonly sessionId: string;
  @ApiProperty({ enum: TOKENIZERS }) readonly tokenizer: TokenizerName;
  @ApiProperty({ description: 'Epoch milliseconds at which the last hour with a count began.' })
  readonly lastHour: number;
}

/** Search outcomes of one tenant. */
export class TenantGapsAnswer implements TenantGaps {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 120 }) readonly searches: number;
  @ApiProperty({ description: 'Searches that nothing fits.', example: 9 }) readonly zeroHits: number;
  @ApiProperty({ description: 'Searches of whose hits none was called.', example: 14 }) readonly unused: number;
  @ApiProperty({ description: 'Times a run searched in circles.', example: 3 }) readonly loops: number;
}

/** The words of searches that found no suitable tool. */
export class GapQueryAnswer implements GapQuery {
  @ApiProperty({ enum: ['zero_hit', 'unused', 'looped'] }) readonly kind: GapKind;
  @ApiProperty({ example: 'send a fax' }) readonly query: string;
  @ApiProperty({ example: 4 }) readonly uses: number;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly lastUsedAt: number;
}

/** Response of `DELETE search-gaps`. */
export class GapsForgotten {
  @ApiProperty({ description: 'Hours of counts, and words.', example: 12 }) readonly removed: number;
}
