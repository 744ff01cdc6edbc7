import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TOOL_SEARCH_ERROR_CODES, type ToolPolicy } from '@tool-search/core';
import {
  DECISIONS,
  type DryRunEffect,
  type DryRunExample,
  type DryRunGroup,
  type DryRunReport,
  KILL_SWITCH_KINDS,
  type KillSwitchTarget,
  LAYERS,
  type PolicyOwner,
  type ToolLimit,
} from '@tool-search/core/internal';
import { IsIn, IsObject, IsString, Max } from 'class-validator';
import { LimitBody } from '../limits/limits.dto.js';
import { PolicyBody } from '../policies/policies.dto.js';
import { IsOptionalButNotNull, OptionalInteger, OptionalText } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

class DryRunBody {
  @Max(10_000)
  @OptionalInteger({ minimum: 1, maximum: 10_000, default: 1000, description: 'How many of the newest calls.' }, 1)
  readonly calls?: number;
}

export class DryKillSwitchBody extends DryRunBody implements Omit<KillSwitchTarget, 'tenantId'> {
  @ApiProperty({ enum: KILL_SWITCH_KINDS, example: 'tool' })
  @IsIn(KILL_SWITCH_KINDS)
  readonly kind: KillSwitchTarget['kind'];

  @ApiProperty({ example: 'billing.refund_invoice' })
  @IsString()
  readonly value: string;

  @OptionalText({ example: 'acme', description: 'Left out: everybody.' }) readonly tenantId?: string;
}

export class DryPolicyBody extends DryRunBody implements Every<DryPolicyBody, Partial<PolicyOwner>> {
  @OptionalText({ example: 'acme', description: 'The tenant; left out: the agent in all tenants.' })
  readonly tenantId?: string;
  @OptionalText({ example: 'helper', description: "Left out: the tenant's own policy." }) readonly agentId?: string;

  @ApiPropertyOptional({ type: PolicyBody, description: 'Left out: the policy would be removed.' })
  @IsObject()
  @IsOptionalButNotNull()
  readonly policy?: ToolPolicy;
}

export class DryLimitBody extends DryRunBody {
  @ApiProperty({ example: 'refunds', description: 'Calls that a limit of this id refused are unknown.' })
  @IsString()
  readonly id: string;

  @ApiProperty({ type: LimitBody })
  // The core library validates the limit: one check, and one list of fields.
  @IsObject()
  readonly limit: Omit<ToolLimit, 'id'>;
}

const BECOMES = ['refused', 'approval', 'unknown'] as const;
const EVIDENCE = ['recorded', 'recomputed', 'not_recorded'] as const;

class EffectAnswer implements Every<EffectAnswer, DryRunEffect> {
  @ApiProperty({ enum: BECOMES }) readonly becomes: (typeof BECOMES)[number];
  @ApiProperty({
    enum: EVIDENCE,
    enumName: 'Evidence',
    description: 'From the record alone, recomputed with the definition of the call, or unknown.',
  })
  readonly evidence: (typeof EVIDENCE)[number];
}

export class DryRunGroupAnswer extends EffectAnswer implements Every<DryRunGroupAnswer, DryRunGroup> {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ example: 12 }) readonly calls: number;
}

export class DryRunExampleAnswer extends EffectAnswer implements Every<DryRunExampleAnswer, DryRunExample> {
  @ApiProperty() readonly id: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly at: number;
  @ApiProperty() readonly tenantId: string;
  @ApiProperty() readonly userId: string;
  @ApiProperty() readonly runId: string;
  @ApiProperty() readonly tool: string;
  @ApiProperty({ enum: DECISIONS }) readonly decision: DryRunExample['decision'];
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer' }) readonly layer: DryRunExample['layer'];
  @ApiProperty({ enum: ['ok', ...TOOL_SEARCH_ERROR_CODES], enumName: 'CallOutcome' })
  readonly outcome: DryRunExample['outcome'];
}

export class DryRunAnswer implements Every<DryRunAnswer, DryRunReport> {
  @ApiProperty({ description: 'How many calls were looked at.', example: 1000 }) readonly calls: number;
  @ApiProperty({ description: 'Start of the oldest of them, in epoch milliseconds.' }) readonly since: number;
  @ApiProperty({ example: 12 }) readonly refused: number;
  @ApiProperty({ example: 0 }) readonly approval: number;
  @ApiProperty({
    example: 3,
    description:
      'Nobody can know: the tool has changed since, its arguments were not recorded, or layers and call policies would have ' +
      'decided that were not asked then. Call policies are never asked by a dry run.',
  })
  readonly unknown: number;
  @ApiProperty({ example: 985 }) readonly unchanged: number;
  @ApiProperty({ type: [DryRunGroupAnswer], description: 'The largest 100.' })
  readonly groups: readonly DryRunGroupAnswer[];
  @ApiProperty({ type: [DryRunExampleAnswer], description: 'The newest 20.' })
  readonly examples: readonly DryRunExampleAnswer[];
}
