import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { OperatorRequest } from '@tool-search/core/operators';
import type { ControlInstance } from '@tool-search/core/stores';
import {
  type EngageRequest,
  KILL_SWITCH_KINDS,
  type KillSwitch,
  type KillSwitchReceipt,
  type KillSwitchTarget,
} from '@tool-search/core/internal';
import { IsBoolean, IsIn, IsString } from 'class-validator';
import { ReasonBody } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import {
  IsOptionalButNotNull,
  OptionalInteger,
  OptionalOneOf,
  OptionalString,
  OptionalText,
  OptionalWholeNumber,
  SeenRevision,
} from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class KillSwitchQuery extends PageQuery {
  @OptionalText({ description: 'Switches that hold for this tenant: its own and those for everybody.' })
  readonly tenantId?: string;

  @OptionalText({ example: 'refund', description: 'Switches whose target or reason contains it.' }, 128)
  readonly contains?: string;

  @OptionalOneOf(['live', 'expired'], 'KillSwitchState') readonly state?: 'live' | 'expired';
}

export class WaitQuery {
  @OptionalWholeNumber(
    {
      minimum: 0,
      maximum: 30_000,
      description: 'Milliseconds to wait until all live instances decide by the change; the answer then names them.',
    },
    0,
    30_000,
  )
  readonly waitMs?: number;
}

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

  @OptionalText({ example: 'acme', description: 'Left out: everybody.' }) readonly tenantId?: string;
}

export class EngageBody
  extends TargetBody
  implements Every<EngageBody, Omit<EngageRequest, 'actor' | 'idempotencyKey'>>
{
  @OptionalInteger({ description: 'The revision of the switch as you saw it, 0 if there was none.' }, 0)
  readonly expectedRevision?: number;

  @OptionalInteger({ description: 'Epoch milliseconds, at most a year ahead. Left out: until it is released.' }, 1)
  readonly expiresAt?: number;

  @ApiPropertyOptional({ default: false, description: 'Give up calls that are running.' })
  @IsOptionalButNotNull()
  @IsBoolean()
  readonly abortRunning?: boolean;

  @OptionalString({ example: 'all', description: 'Confirms a switch that turns everything off.' })
  readonly confirm?: string;
}

export class ReleaseBody extends ReasonBody implements Required<Pick<OperatorRequest, 'reason' | 'expectedRevision'>> {
  @SeenRevision('The revision of the switch as you saw it.')
  readonly expectedRevision: number;
}

export class ReleaseTargetBody
  extends TargetBody
  implements Required<Pick<OperatorRequest, 'reason' | 'expectedRevision'>>
{
  @SeenRevision('The revision of the switch as you saw it; 0 if you saw none.')
  readonly expectedRevision: number;
}

export class KillSwitchAnswer implements Every<KillSwitchAnswer, KillSwitch> {
  @ApiProperty({ example: 'ks_3f1c0a9d2b7e4f5a6c8d9e01' }) readonly id: string;
  @ApiProperty({ enum: KILL_SWITCH_KINDS, example: 'tool' }) readonly kind: KillSwitch['kind'];
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly value: string;
  @ApiProperty({ example: 'acme', description: 'Empty: everybody.' }) readonly tenantId: string;
  @ApiProperty({ example: 'refunds twice since the deploy of 14:00' }) readonly reason: string;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly engagedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds; 0 = never.', example: 0 }) readonly expiresAt: number;
  @ApiProperty() readonly abortRunning: boolean;
  @ApiProperty({ description: 'Tools that it matched when it was engaged.', example: 1 }) readonly matched: number;
  @ApiProperty({ description: 'The control revision that wrote it.', example: 12 }) readonly revision: number;
}

export class ListedKillSwitch extends KillSwitchAnswer {
  @ApiProperty({ description: 'Whether it counts; an expired one stays until it is released.' }) readonly live: boolean;
}

export class InstanceAnswer implements Every<InstanceAnswer, ControlInstance> {
  @ApiProperty({ example: '1d7f5f0e-3c55-4d0c-9d0f-3f8f6a2b1c00' }) readonly id: string;
  @ApiProperty({ description: 'The control revision by which it decides.', example: 12 })
  readonly appliedRevision: number;
  @ApiProperty({ description: 'Milliseconds since it last said so.', example: 140 }) readonly silentMs: number;
}

export class KillSwitchChanged implements Every<KillSwitchChanged, KillSwitchReceipt> {
  @ApiProperty() readonly killSwitch: KillSwitchAnswer;
  @ApiProperty({ description: 'The control revision since which it holds.', example: 12 }) readonly revision: number;
  @ApiProperty({ description: 'Tools that it matched when it was engaged.', example: 1 }) readonly matched: number;
  @ApiPropertyOptional({ description: 'For example that it matches no tool now.' }) readonly warning?: string;
  @ApiPropertyOptional({ type: [InstanceAnswer], description: 'With waitMs: the live instances.' })
  readonly instances?: readonly InstanceAnswer[];
  @ApiPropertyOptional({ type: [String], description: 'With waitMs: instances that do not decide by it yet.' })
  readonly pending?: readonly string[];
}
