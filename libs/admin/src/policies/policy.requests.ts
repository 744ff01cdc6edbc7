import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ToolPolicy } from '@tool-search/core';
import { IsObject, IsString, Length } from 'class-validator';
import { ChangeBody } from '../request/change.body.js';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';
import { WholeNumber } from '../request/whole-number.decorator.js';

/** Query of `GET policies`. */
export class PolicyQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'The policies of this tenant and of its agents.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;
}

/** A policy. Unknown fields and invalid globs are rejected by name. */
export class PolicyBody implements ToolPolicy {
  @ApiPropertyOptional({ type: [String], description: 'Left out: no such list. Empty: nothing is allowed.' })
  readonly allow?: readonly string[];
  @ApiPropertyOptional({ type: [String], example: ['billing.delete_*'], description: 'Wins over every allow.' })
  readonly deny?: readonly string[];
  @ApiPropertyOptional({ type: [String], description: 'Tags that a tool must have.' })
  readonly requireTags?: readonly string[];
  @ApiPropertyOptional({
    type: [String],
    example: ['billing.refund_*'],
    description: 'Tools that a second person must approve for a session or run.',
  })
  readonly approval?: readonly string[];
}

/** Body of `PUT policies/…`. */
export class SetPolicyBody extends ChangeBody {
  @ApiProperty({ type: PolicyBody })
  // The core library validates the policy: one check, and one list of fields.
  @IsObject()
  readonly policy: ToolPolicy;
}

/** Query of `DELETE policies/…`. Not a body, because many clients send none with DELETE. */
export class RemovePolicyQuery {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'the audit is over' })
  @IsString()
  readonly reason: string;

  @ApiPropertyOptional({ example: 12, description: 'The revision of the policy as you saw it.' })
  @IsOptionalButNotNull()
  @WholeNumber(0)
  readonly expectedRevision?: number;
}
