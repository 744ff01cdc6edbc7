import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import type { Deprecation } from '@tool-search/core/operators';
import type { StoredDeprecation } from '@tool-search/core/internal';
import type { RemainingCaller, RemainingCallers } from './remaining-callers.js';
import { IsObject } from 'class-validator';
import { ChangeBody, RemovedAnswer, StoredDecisionAnswer } from '../request/change.dto.js';
import { OptionalWholeNumber } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

/** Times are ISO 8601: a date (UTC) or a date with a time and an offset. Unknown members are rejected by name. */
export class DeprecationBody implements Every<DeprecationBody, Deprecation> {
  @ApiPropertyOptional({ example: '2026-10-01' }) readonly since?: string;
  @ApiPropertyOptional({ example: 'billing.repay', description: 'Canonical name of the tool to use instead.' })
  readonly successor?: string;
  @ApiPropertyOptional({ example: '2027-01-01', description: 'From then on a call answers TOOL_RETIRED.' })
  readonly sunset?: string;
}

export class SetDeprecationBody extends ChangeBody {
  @ApiProperty({ type: DeprecationBody })
  // The core library validates the deprecation: one check, and one list of members.
  @IsObject()
  readonly deprecation: Deprecation;
}

export class DeprecationAnswer
  extends IntersectionType(DeprecationBody, StoredDecisionAnswer)
  implements Every<DeprecationAnswer, StoredDeprecation>
{
  @ApiProperty({ example: 'billing.refund' }) readonly tool: string;
}

/** Query of `GET deprecations/:tool/callers`. */
export class CallersQuery {
  @OptionalWholeNumber({ description: 'Epoch milliseconds. Left out: the last 30 days.' }, 0) readonly since?: number;
}

export class CallerAnswer implements Every<CallerAnswer, RemainingCaller> {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada' }) readonly userId: string;
  @ApiProperty({ example: 'chat', description: 'Empty: without an agent.' }) readonly agentId: string;
  @ApiProperty({ example: 12 }) readonly calls: number;
  @ApiProperty({ description: 'Epoch milliseconds of the newest call.', example: 1_795_000_000_000 })
  readonly lastAt: number;
}

export class CallersAnswer implements Every<CallersAnswer, RemainingCallers> {
  @ApiProperty({ type: [CallerAnswer], description: 'Those with the newest calls first.' })
  readonly callers: readonly CallerAnswer[];
  @ApiProperty({ description: 'Calls that were read.', example: 12 }) readonly calls: number;
  @ApiProperty({ description: 'False: only the newest 10,000 calls were read.' }) readonly isComplete: boolean;
}

export class DeprecationRemoved extends RemovedAnswer {}
