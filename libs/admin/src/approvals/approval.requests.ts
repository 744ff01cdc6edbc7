import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Approval } from '@tool-search/core';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { ChangeBody } from '../request/change.body.js';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';

const STATUSES = ['pending', 'approved', 'refused'] as const;

const WEEK_MS = 604_800_000;

/** Query of `GET approvals`. */
export class ApprovalQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'acme' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;

  @ApiPropertyOptional({ enum: STATUSES, enumName: 'ApprovalStatus' })
  @IsOptionalButNotNull()
  @IsIn(STATUSES)
  readonly status?: Approval['status'];
}

/** Body of `POST approvals/:id/approve`. */
export class ApproveBody extends ChangeBody {
  @ApiPropertyOptional({
    minimum: 1,
    maximum: WEEK_MS,
    example: 3_600_000,
    description: 'Milliseconds for which it holds, at most a week. Left out: an hour, or what the module says.',
  })
  @IsOptionalButNotNull()
  @IsInt()
  @Min(1)
  @Max(WEEK_MS)
  readonly forMs?: number;
}
