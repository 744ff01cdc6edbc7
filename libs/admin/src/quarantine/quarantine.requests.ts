import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { SourceApproval } from '@tool-search/core';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Length } from 'class-validator';
import { ReasonBody } from '../request/change.body.js';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';

/** Body of `POST quarantine/approve`. */
export class ApproveSourceBody extends ReasonBody implements Omit<SourceApproval, 'ids'> {
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
