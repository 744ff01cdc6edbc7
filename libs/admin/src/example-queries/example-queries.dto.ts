import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ToolQueries, WritingSpend, WritingStatus } from '@tool-search/core/internal';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, MaxLength } from 'class-validator';
import { ChangeBody } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import { OptionalText } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

const MAX_QUERIES = 20;
const ORIGINS = ['operator', 'file', 'writer', 'none'] as const;
const WRITINGS = ['written', 'pending', 'given_up', 'not_wanted'] as const;
const STATES = ['off', 'idle', 'writing', 'waiting', 'budget_spent', 'stopped'] as const;

export class ExampleQueriesQuery extends PageQuery {
  @OptionalText({ description: 'Tools of this source only.' }) readonly source?: string;

  @OptionalText({ description: 'Shared tools and those of this tenant. Left out: of all tenants.' })
  readonly tenantId?: string;

  @OptionalText({ description: 'Start of the name.' }) readonly q?: string;
}

export class SetQueriesBody extends ChangeBody {
  @ApiProperty({
    type: [String],
    maxItems: MAX_QUERIES,
    example: ['give a shopper half of their money back'],
    description: "Searched beside the author's own, for exactly this definition. Empty: only the author's own.",
  })
  @IsArray()
  @ArrayMaxSize(MAX_QUERIES)
  @IsString({ each: true })
  // The core library checks the length in use and names the query.
  @MaxLength(1000, { each: true })
  readonly queries: readonly string[];
}

export class AddQueriesBody extends ChangeBody {
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_QUERIES, example: ['undo a payment'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_QUERIES)
  @IsString({ each: true })
  @MaxLength(1000, { each: true })
  readonly queries: readonly string[];
}

export class ToolQueriesAnswer implements Every<ToolQueriesAnswer, Omit<ToolQueries, 'tool'>> {
  @ApiProperty({ example: 'eq_9a7c3e5d1b2f4a6c8e0d2b4f', description: 'Of this definition.' }) readonly id: string;
  @ApiProperty({ example: 'billing.refund' }) readonly name: string;
  @ApiProperty({ example: 'billing' }) readonly source: string;
  @ApiProperty({ example: '', description: 'The tenant whose own it is; empty: shared.' }) readonly owner: string;
  @ApiProperty({ description: 'The queries are of exactly this definition.' }) readonly hash: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ type: [String], description: "The author's own, which come first." }) readonly own: readonly string[];
  @ApiProperty({ type: [String], description: "Those beside the author's." }) readonly added: readonly string[];
  @ApiProperty({ enum: ORIGINS }) readonly origin: (typeof ORIGINS)[number];
  @ApiProperty({ enum: WRITINGS }) readonly writing: (typeof WRITINGS)[number];
  @ApiPropertyOptional({ example: 'gpt-6-luna' }) readonly writer?: string;
  @ApiProperty({ example: 12, description: "The control revision of an operator's change; 0: none." })
  readonly revision: number;
}

export class WritingLimitsAnswer implements Every<WritingLimitsAnswer, WritingSpend['limits']> {
  @ApiProperty({ example: 1_000_000 }) readonly tokens: number;
  @ApiPropertyOptional({ example: 5 }) readonly money?: number;
}

export class WritingSpendAnswer implements Every<WritingSpendAnswer, WritingSpend> {
  @ApiProperty({ example: 250_000 }) readonly inputTokens: number;
  @ApiProperty({ example: 45_000 }) readonly outputTokens: number;
  @ApiProperty({ example: 0.15, description: 'In the currency of the prices.' }) readonly money: number;
  @ApiProperty() readonly limits: WritingLimitsAnswer;
}

export class WritingStatusAnswer implements Every<WritingStatusAnswer, WritingStatus> {
  @ApiProperty({ enum: STATES })
  readonly state: (typeof STATES)[number];
  @ApiPropertyOptional({ example: 'gpt-6-luna' }) readonly writer?: string;
  @ApiProperty({ example: 1200, description: 'Tools for which a writer is asked.' }) readonly wanted: number;
  @ApiProperty({ example: 1100 }) readonly written: number;
  @ApiProperty({ example: 98 }) readonly pending: number;
  @ApiProperty({ example: 2, description: 'Tools for which nothing usable was written.' }) readonly givenUp: number;
  @ApiPropertyOptional({ description: 'Why the writer failed last, until it answers again.' }) readonly reason?: string;
  @ApiProperty({ description: 'By all instances, over all time.' }) readonly spend: WritingSpendAnswer;
}
