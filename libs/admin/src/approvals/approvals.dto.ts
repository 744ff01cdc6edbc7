import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Approval, OperatorRequest } from '@tool-search/core/operators';
import { APPROVAL_STATUSES, type WaitingCall } from '@tool-search/core/internal';
import { IsInt, Max, Min } from 'class-validator';
import { ReasonBody } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import {
  IsOptionalButNotNull,
  OptionalInteger,
  OptionalOneOf,
  OptionalText,
} from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

const COVERAGES = ['call', 'session'] as const;
const SCOPES = ['run', 'session'] as const;

const WEEK_MS = 604_800_000;
const MAX_NOTE = 500;

export class ApprovalQuery extends PageQuery {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalOneOf(APPROVAL_STATUSES, 'ApprovalStatus') readonly status?: Approval['status'];
}

/** A decision about an approval: about one that nobody has decided, or in place of the decision that it names. */
export class DecisionBody extends ReasonBody implements Pick<OperatorRequest, 'expectedRevision'> {
  @OptionalInteger(
    {
      example: 12,
      description:
        'The revision of the decision that this one replaces. Left out or 0: nobody has decided yet. A conflict, which ' +
        'names who has decided, if it is at another revision.',
    },
    0,
  )
  readonly expectedRevision?: number;
}

export class ApproveBody extends DecisionBody {
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

  @OptionalText(
    {
      maxLength: MAX_NOTE,
      example: 'Tell the customer that it takes two days.',
      description:
        'One line that the model reads with the result of the approved call. Only for an approval of one call.',
    },
    MAX_NOTE,
  )
  readonly note?: string;
}

export class ApprovalAnswer implements Every<ApprovalAnswer, Approval> {
  @ApiProperty({ example: 'ap_5e1d7b9c3a2f4e6d8c0b1a2f3e4d5c6b' }) readonly id: string;
  @ApiProperty({ enum: APPROVAL_STATUSES }) readonly status: Approval['status'];
  @ApiProperty({
    enum: COVERAGES,
    description:
      'One call with exactly these arguments, or every call of the tool in the run or session until it expires.',
  })
  readonly covers: (typeof COVERAGES)[number];
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Who asked; empty: the context named nobody.' }) readonly userId: string;
  @ApiProperty({ enum: SCOPES }) readonly scope: (typeof SCOPES)[number];
  @ApiProperty({ example: 's1' }) readonly scopeId: string;
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ description: 'It holds for exactly this definition.' }) readonly hash: string;
  @ApiProperty({ example: 'stored-tenant:approval:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ description: 'Hash of the arguments of the one call; empty: it covers a session.' })
  readonly digest: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly askedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly expiresAt: number;
  @ApiProperty({ example: 'olga@ops', description: 'Who decided; empty: nobody yet.' }) readonly actor: string;
  @ApiProperty() readonly reason: string;
  @ApiProperty({ description: 'What the model reads with the result of the approved call; empty: nothing.' })
  readonly note: string;
  @ApiProperty({ description: 'The control revision of the decision; 0: none yet.', example: 12 })
  readonly revision: number;
}

class WaitingCallAnswer implements Every<WaitingCallAnswer, WaitingCall> {
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
    example: 'invoiceId: "inv_1001"\namount: 5',
    description:
      'Of an approval for one call: its arguments by members, one a line, redacted if the application has a redactor, each ' +
      'with its beginning and how much is missing. Left out: they were erased.',
  })
  readonly arguments?: string;
  @ApiPropertyOptional({
    description:
      'Of an approval for a session: the newest recorded call that waits; only where arguments are recorded, and while nobody has decided.',
  })
  readonly call?: WaitingCallAnswer;
}
