import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { SearchRequest, SurfaceRequest } from '@tool-search/core';
import {
  type Loading,
  ON_DRIFT,
  type OnDrift,
  type PatternField,
  type ResumeOptions,
  type SearchType,
} from '@tool-search/core/internal';
import { Allow, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

// The toolbox validates all values itself, with the same codes for every caller. These classes reject unknown fields
// and document the bodies.

const MODES = ['all', 'deferred', 'bridge', 'native', 'auto', 'on', 'off'] as const;

export class SurfaceQuery implements SurfaceRequest {
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

export class SearchBody implements SearchRequest {
  @Allow() @ApiPropertyOptional({ example: 'refund an invoice' }) readonly query?: string;
  @Allow()
  @ApiPropertyOptional({ type: [String], maxItems: 5, description: 'Instead of query: one for each step of the task.' })
  readonly queries?: string[];
  @Allow()
  @ApiPropertyOptional({ enum: ['bm25', 'fts', 'regex', 'exact'], default: 'bm25' })
  readonly type?: SearchType;
  @Allow() @ApiPropertyOptional({ minimum: 1, maximum: 20, default: 5 }) readonly limit?: number;
  @Allow() @ApiPropertyOptional({ example: 'billing' }) readonly namespace?: string;
  @Allow() @ApiPropertyOptional({ default: false }) readonly includeAlwaysLoaded?: boolean;
  @Allow()
  @ApiPropertyOptional({ enum: ['always', 'deferred'], description: 'Instead of includeAlwaysLoaded.' })
  readonly loading?: Loading;
  @Allow()
  @ApiPropertyOptional({ enum: ['name', 'tags', 'description'], isArray: true, description: 'Where regex looks.' })
  readonly fields?: PatternField[];
  @Allow() @ApiPropertyOptional({ default: false, description: 'Adds parts to each hit.' }) readonly explain?: boolean;
}

export class GetBody {
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

export class ResumeBody implements ResumeOptions {
  @Allow()
  @ApiPropertyOptional({ enum: ON_DRIFT, description: 'What becomes of drifted tools.' })
  readonly onDrift?: OnDrift;
}
