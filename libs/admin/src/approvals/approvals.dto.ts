import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Approval, WaitingCall } from '@tool-search/core/operators';
import { IsInt, Max, Min } from 'class-validator';
import { ChangeBody } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import { IsOptionalButNotNull, OptionalOneOf, OptionalText } from '../request/validation.decorators.js';

const STATUSES = ['pending', 'approved', 'refused'] as const;

const WEEK_MS = 604_800_000;

export class ApprovalQuery extends PageQuery {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalOneOf(STATUSES, 'ApprovalStatus') readonly status?: Approval['status'];
}

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

export class ApprovalAnswer implements Approval {
  @ApiProperty({ example: 'ap_5e1d7b9c3a2f4e6d8c0b1a2f3e4d5c6b' }) readonly id: string;
  @ApiProperty({ enum: ['pending', 'approved', 'refused'] }) readonly status: Approval['status'];
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Who asked; empty: the context named nobody.' }) readonly userId: string;
  @ApiProperty({ enum: ['run', 'session'] }) readonly scope: Approval['scope'];
  @ApiProperty({ example: 's1' }) readonly scopeId: string;
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ description: 'It holds for exactly this definition.' }) readonly hash: string;
  @ApiProperty({ example: 'stored-tenant:approval:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly askedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly expiresAt: number;
  @ApiProperty({ example: 'olga@ops', description: 'Who decided; empty: nobody yet.' }) readonly actor: string;
  @ApiProperty() readonly reason: string;
  @ApiProperty({ description: 'The control revision of the decision; 0: none yet.', example: 12 })
  readonly revision: number;
}

class WaitingCallAnswer implements WaitingCall {
  @ApiProperty({ description: 'Id of its record.' }) readonly id: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly at: number;
  @ApiProperty({ example: 38 }) readonly argumentBytes: number;
  @ApiPropertyOptional({
    example: '{"invoiceId":"inv_1001","amount":5}',
    description: 'As JSON, redacted. Left out: longer than `record.maxChars`, or the redactor failed.',
  })
  readonly arguments?: string;
  @ApiPropertyOptional({
    example: 'invoiceId: "inv_1001"\namount: 5',
    description:
      'The arguments by members, one a line, each with its beginning and how much is missing. Left out: too many members.',
  })
  readonly shown?: string;
}

export class ListedApproval extends ApprovalAnswer {
  @ApiProperty({ description: 'Whether the application records the arguments of this tool (`record.arguments`).' })
  readonly recordsArguments: boolean;
  @ApiPropertyOptional({
    description:
      'The newest recorded call that waits; only where arguments are recorded, and while nobody has decided.',
  })
  readonly call?: WaitingCallAnswer;
}
