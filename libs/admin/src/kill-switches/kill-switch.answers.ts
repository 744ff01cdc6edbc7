import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ControlInstance, KILL_SWITCH_KINDS, type KillSwitch, type KillSwitchReceipt } from '@tool-search/core';

/** A kill switch in a response. */
export class KillSwitchAnswer implements KillSwitch {
  @ApiProperty({ example: 'ks_3f1c0a9d2b7e4f5a6c8d9e01' }) readonly id: string;
  @ApiProperty({ enum: KILL_SWITCH_KINDS, example: 'tool' }) readonly kind: KillSwitch['kind'];
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly value: string;
  @ApiProperty({ example: 'acme', description: 'Empty: everybody.' }) readonly tenantId: string;
  @ApiProperty({ example: 'refunds twice since the deploy of 14:00' }) readonly reason: string;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly engagedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds; 0 = never.', example: 0 }) readonly expiresAt: number;
  @ApiProperty() readonly abortRunning: boolean;
  @ApiProperty({ description: 'Tools it met when it was engaged.', example: 1 }) readonly matched: number;
  @ApiProperty({ description: 'The control revision that wrote it.', example: 12 }) readonly revision: number;
}

/** A kill switch in a list. */
export class ListedKillSwitch extends KillSwitchAnswer {
  @ApiProperty({ description: 'Whether it counts; an expired one stays until it is released.' }) readonly live: boolean;
}

/** An application process that shares the control store. */
export class InstanceAnswer implements ControlInstance {
  @ApiProperty({ example: '1d7f5f0e-3c55-4d0c-9d0f-3f8f6a2b1c00' }) readonly id: string;
  @ApiProperty({ description: 'The control revision by which it decides.', example: 12 })
  readonly appliedRevision: number;
  @ApiProperty({ description: 'Milliseconds since it last said so.', example: 140 }) readonly silentMs: number;
}

/** Response of a change of a kill switch. */
export class KillSwitchChanged implements KillSwitchReceipt {
  @ApiProperty() readonly killSwitch: KillSwitchAnswer;
  @ApiProperty({ description: 'The control revision since which it holds.', example: 12 }) readonly revision: number;
  @ApiProperty({ description: 'Tools it met when it was engaged.', example: 1 }) readonly matched: number;
  @ApiPropertyOptional({ description: 'For example that it meets no tool now.' }) readonly warning?: string;
  @ApiPropertyOptional({ type: [InstanceAnswer], description: 'With waitMs: the live instances.' })
  readonly instances?: readonly InstanceAnswer[];
  @ApiPropertyOptional({ type: [String], description: 'With waitMs: instances that do not decide by it yet.' })
  readonly pending?: readonly string[];
}
