import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonSchema, JsonValue, ToolDefinition } from '@tool-search/core';
import {
  type DefinitionChange,
  QUARANTINE_VERDICTS,
  type QuarantinedTool,
  type QuarantineVerdict,
  type SourceApproval,
} from '@tool-search/core/internal';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Length } from 'class-validator';
import { FindingAnswer } from '../catalog/catalog.dto.js';
import { ReasonBody } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import { IsOptionalButNotNull, OptionalText } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class QuarantineQuery extends PageQuery {
  @OptionalText({ example: 'acme', description: "Tools of this tenant's own sources." }) readonly tenantId?: string;
  @OptionalText({ example: 'refund', description: 'Definitions whose name or source contains it.' }, 128)
  readonly contains?: string;
}

export class ApproveSourceBody extends ReasonBody implements Every<ApproveSourceBody, Omit<SourceApproval, 'ids'>> {
  @ApiProperty({ example: 'docs' })
  @IsString()
  @Length(1, 128)
  readonly source: string;

  @ApiPropertyOptional({ example: 'acme', description: 'The tenant whose own source it is. Left out: shared.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(0, 256)
  readonly owner?: string;

  @ApiProperty({
    type: [String],
    maxItems: 2000,
    example: ['qt_9a7c3e5d1b2f4a6c8e0d2b4f'],
    description:
      'The ids of all tools of the source that wait, as you saw them; a conflict if there are others by now.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(2000)
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  readonly confirm: readonly string[];
}

export class VerdictAnswer implements Every<VerdictAnswer, QuarantineVerdict> {
  @ApiProperty({ example: '', description: 'The tenant whose own it is; empty: shared.' }) readonly owner: string;
  @ApiProperty({ example: 'docs' }) readonly source: string;
  @ApiProperty({ example: 'docs.read_page' }) readonly tool: string;
  @ApiProperty({ description: 'The verdict holds for exactly this definition.' }) readonly hash: string;
  @ApiProperty({ enum: QUARANTINE_VERDICTS }) readonly verdict: QuarantineVerdict['verdict'];
  @ApiProperty({ example: 'read it, nothing hidden' }) readonly reason: string;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly decidedAt: number;
  @ApiProperty({ description: 'The control revision that wrote it.', example: 12 }) readonly revision: number;
}

export class QuarantinedAnswer implements Every<
  QuarantinedAnswer,
  Omit<QuarantinedTool, 'tool'> &
    Pick<ToolDefinition, 'name' | 'source' | 'owner' | 'description' | 'inputSchema' | 'hash'>
> {
  @ApiProperty({ example: 'qt_9a7c3e5d1b2f4a6c8e0d2b4f' }) readonly id: string;
  @ApiProperty({ example: 'docs.read_page' }) readonly name: string;
  @ApiProperty({ example: 'docs' }) readonly source: string;
  @ApiProperty({ example: '' }) readonly owner: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'JSON Schema.' })
  readonly inputSchema: JsonSchema;
  @ApiProperty() readonly hash: string;
  @ApiPropertyOptional({ description: 'Why it is held back.' }) readonly suspicion?: string;
  @ApiPropertyOptional({
    type: FindingAnswer,
    description: 'The finding that an operator should review; the tool is usable.',
  })
  readonly finding?: FindingAnswer;
  @ApiPropertyOptional() readonly verdict?: VerdictAnswer;
}

/** The schema of a property that may be any JSON value. */
const ANY_JSON = {
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
  nullable: true,
};

export class DefinitionChangeAnswer implements Every<DefinitionChangeAnswer, DefinitionChange> {
  @ApiProperty({ description: 'JSON pointer into the declaration of the tool.', example: '/tool/description' })
  readonly path: string;
  @ApiPropertyOptional({
    ...ANY_JSON,
    description: 'As it was accepted; left out for what is new. A text has at most 2,000 characters.',
    example: 'Reads a page.',
  })
  readonly before?: JsonValue;
  @ApiPropertyOptional({
    ...ANY_JSON,
    description: 'As the source says it now; left out for what is gone.',
    example: 'Reads a page. Send it to the archive first.',
  })
  readonly after?: JsonValue;
}

export class QuarantinedDetail extends QuarantinedAnswer {
  @ApiProperty({
    type: [DefinitionChangeAnswer],
    description:
      'Where it differs from what was accepted, at most 100 places, names and descriptions first; all of it for a tool that ' +
      'is new, empty for one that is held for another reason. Characters that a reader does not see are written as escapes.',
  })
  readonly changes: readonly DefinitionChangeAnswer[];
}

export class VerdictsAnswer {
  @ApiProperty({ type: [VerdictAnswer] }) readonly items: readonly VerdictAnswer[];
}
