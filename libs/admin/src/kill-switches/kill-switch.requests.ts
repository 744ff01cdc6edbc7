import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type EngageRequest, KILL_SWITCH_KINDS, type KillSwitchTarget } from '@tool-search/core';
import { IsBoolean, IsIn, IsInt, IsString, Length, Min } from 'class-validator';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';
import { ReasonBody } from '../request/change.body.js';
import { WholeNumber } from '../request/whole-number.decorator.js';

/** Query of `GET kill-switches`. */
export class KillSwitchQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Switches that hold for this tenant: its own and those for everybody.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;

  @ApiPropertyOptional({ enum: ['live', 'expired'], enumName: 'KillSwitchState' })
  @IsOptionalButNotNull()
  @IsIn(['live', 'expired'])
  readonly state?: 'live' | 'expired';
}

/** How long to wait until other instances have applied the change. */
export class WaitQuery {
  @ApiPropertyOptional({
    minimum: 0,
    maximum: 30_000,
    description: 'Milliseconds to wait until all live instances decide by the change; the answer then names them.',
  })
  @IsOptionalButNotNull()
  @WholeNumber(0, 30_000)
  readonly waitMs?: number;
}

/** The tools that a switch disables, and the tenant for which it disables them. */
class TargetBody extends ReasonBody implements Omit<KillSwitchTarget, 'tenantId'> {
  @ApiProperty({ enum: KILL_SWITCH_KINDS, example: 'tool' })
  @IsIn(KILL_SWITCH_KINDS)
  readonly kind: KillSwitchTarget['kind'];

  @ApiProperty({
    example: 'billing.refund_invoice',
    description: 'A name, a glob (`*` crosses dots), a namespace with those below it, a tag, or a side-effect class.',
  })
  @IsString()
  readonly value: string;

  @ApiPropertyOptional({ example: 'acme', description: 'Left out: everybody.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;
}

/** Body of `POST kill-switches`. */
export class EngageBody extends TargetBody implements Omit<EngageRequest, 'actor' | 'idempotencyKey'> {
  @ApiPropertyOptional({ description: 'The revision of the switch as you saw it, 0 if there was none.' })
  @IsOptionalButNotNull()
  @IsInt()
  @Min(0)
  readonly expectedRevision?: number;

  @ApiPropertyOptional({ description: 'Epoch milliseconds, at most a year ahead. Left out: until it is released.' })
  @IsOptionalButNotNull()
  @IsInt()
  @Min(1)
  readonly expiresAt?: number;

  @ApiPropertyOptional({ default: false, description: 'Give up calls that are running.' })
  @IsOptionalButNotNull()
  @IsBoolean()
  readonly abortRunning?: boolean;

  @ApiPropertyOptional({ example: 'all', description: 'Confirms a switch that turns everything off.' })
  @IsOptionalButNotNull()
  @IsString()
  readonly confirm?: string;
}

/** Body of `POST kill-switches/:id/release`. */
export class ReleaseBody extends ReasonBody {
  @ApiProperty({ example: 12, description: 'The revision of the switch as you saw it.' })
  @IsInt()
  @Min(0)
  readonly expectedRevision: number;
}

/** Body of `POST kill-switches/release`. */
export class ReleaseTargetBody extends TargetBody {
  @ApiProperty({ example: 12, description: 'The revision of the switch as you saw it; 0 if you saw none.' })
  @IsInt()
  @Min(0)
  readonly expectedRevision: number;
}
