import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { OperatorRequest } from '@tool-search/core';
import { IsInt, IsString, Min } from 'class-validator';
import { Optional } from './optional.decorator.js';

/** Why, which every change says. How long a reason may be is the domain's to say. */
export class ReasonBody implements Pick<OperatorRequest, 'reason'> {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'refunds twice since the deploy of 14:00' })
  @IsString()
  readonly reason: string;
}

/** A change that may say what it was made upon. */
export class ChangeBody extends ReasonBody implements Pick<OperatorRequest, 'expectedRevision'> {
  @ApiPropertyOptional({
    example: 12,
    description: 'The revision as you saw it, 0 if there was none; a conflict if it has changed since.',
  })
  @Optional()
  @IsInt()
  @Min(0)
  readonly expectedRevision?: number;
}
