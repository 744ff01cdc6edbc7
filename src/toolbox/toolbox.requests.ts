import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Every } from '@tool-search/admin';
import type { SearchRequest, SurfaceRequest } from '@tool-search/core';
import {
  type DescribeOptions,
  EXPOSURE_MODES,
  type Loading,
  LOADINGS,
  ON_DRIFT,
  type OnDrift,
  PATTERN_FIELDS,
  type PatternField,
  type ResumeOptions,
  SEARCH_TYPES,
  type SearchType,
} from '@tool-search/core/internal';
import { Allow, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

// The toolbox validates all values itself, with the same codes for every caller. These classes reject unknown fields
// and document the bodies.

const MODES = [...EXPOSURE_MODES, 'auto', 'on', 'off'] as const;

/** A setting that fits into a query. */
type NamedMode = Extract<SurfaceRequest['mode'], string>;

export class SurfaceQuery implements Every<SurfaceQuery, Pick<SurfaceRequest, 'text'> & { readonly mode?: NamedMode }> {
  @IsOptional()
  @IsString()
  @MaxLength(4000)
  @ApiPropertyOptional({ maxLength: 4000, example: 'refund an invoice', description: "The user's request, for hints." })
  readonly text?: string;
  @IsOptional()
  @IsIn(MODES)
  @ApiPropertyOptional({ enum: MODES, description: 'Instead of the setting of the application.' })
  readonly mode?: (typeof MODES)[number];
}

export class SearchBody implements Every<SearchBody, SearchRequest> {
  @Allow() @ApiPropertyOptional({ example: 'refund an invoice' }) readonly query?: string;
  @Allow()
  @ApiPropertyOptional({ type: [String], maxItems: 5, description: 'Instead of query: one for each step of the task.' })
  readonly queries?: readonly string[];
  @Allow()
  @ApiPropertyOptional({ enum: SEARCH_TYPES, default: 'bm25' })
  readonly type?: SearchType;
  @Allow() @ApiPropertyOptional({ minimum: 1, maximum: 20, default: 5 }) readonly limit?: number;
  @Allow() @ApiPropertyOptional({ example: 'billing' }) readonly namespace?: string;
  @Allow() @ApiPropertyOptional({ default: false }) readonly includeAlwaysLoaded?: boolean;
  @Allow()
  @ApiPropertyOptional({ enum: LOADINGS, description: 'Instead of includeAlwaysLoaded.' })
  readonly loading?: Loading;
  @Allow()
  @ApiPropertyOptional({ enum: PATTERN_FIELDS, isArray: true, description: 'Where regex looks.' })
  readonly fields?: readonly PatternField[];
  @Allow() @ApiPropertyOptional({ default: false, description: 'Adds parts to each hit.' }) readonly explain?: boolean;
}

export class GetBody implements Every<GetBody, DescribeOptions> {
  @Allow()
  @ApiProperty({ type: [String], minItems: 1, maxItems: 10, example: ['billing.refund_invoice'] })
  readonly names: string[];
  @Allow() @ApiPropertyOptional({ default: true }) readonly includeSchemas?: boolean;
  @Allow() @ApiPropertyOptional({ default: true }) readonly includeExamples?: boolean;
}

export class ActivateBody {
  @Allow()
  @ApiProperty({ type: [String], minItems: 1, maxItems: 10, example: ['files.read_text_file'] })
  readonly names: string[];
}

export class CallBody {
  @Allow() @ApiProperty({ example: 'billing.list_invoices' }) readonly name: string;
  @Allow() @ApiProperty({ type: Object, example: { status: 'paid' } }) readonly arguments: unknown;
}

export class ResumeBody implements Every<ResumeBody, ResumeOptions> {
  @Allow()
  @ApiPropertyOptional({ enum: ON_DRIFT, description: 'What becomes of drifted tools.' })
  readonly onDrift?: OnDrift;
}
