import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  type GivenLimit,
  LIMIT_DIMENSIONS,
  type LimitStatus,
  type LimitUsage,
  type NamedCounter,
  SIDE_EFFECTS,
  type ToolLimit,
} from '@tool-search/core/internal';
import { IsObject } from 'class-validator';
import { ChangeBody, RemovedAnswer, StoredDecisionAnswer } from '../request/change.dto.js';
import { PageQuery } from '../request/page.js';
import { OptionalText } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

/** Query of `GET limits`: which counter to read of limits that have several. */
export class LimitQuery extends PageQuery implements Every<LimitQuery, NamedCounter> {
  @OptionalText({ description: 'Counters of this tenant.' }) readonly tenantId?: string;
  @OptionalText({ description: 'Counters of this user; needs tenantId.' }) readonly userId?: string;
  @OptionalText({ description: 'Counters of this agent.' }) readonly agentId?: string;
  @OptionalText({ description: 'Counters of this session; needs tenantId.' }) readonly sessionId?: string;
  @OptionalText({ description: 'Counters of this tool, by its canonical name.' }) readonly tool?: string;
  @OptionalText({ description: 'Counters of this namespace.' }) readonly namespace?: string;
}

/** The calls that a limit concerns: all given members must match. */
export class LimitMatchBody implements Every<LimitMatchBody, NonNullable<GivenLimit['match']>> {
  @ApiPropertyOptional() readonly tenantId?: string;
  @ApiPropertyOptional() readonly userId?: string;
  @ApiPropertyOptional({ description: 'Also its sub-agents.' }) readonly agentId?: string;
  @ApiPropertyOptional() readonly sessionId?: string;
  @ApiPropertyOptional({ description: 'A name or glob.', example: 'billing.refund_*' }) readonly tool?: string;
  @ApiPropertyOptional({ description: 'It and those below it.' }) readonly namespace?: string;
  @ApiPropertyOptional() readonly tag?: string;
  @ApiPropertyOptional({ enum: SIDE_EFFECTS, enumName: 'SideEffects' })
  readonly sideEffects?: (typeof SIDE_EFFECTS)[number];
}

export class RateBody implements Every<RateBody, NonNullable<GivenLimit['rate']>> {
  @ApiProperty({ minimum: 1, example: 10 }) readonly calls: number;
  @ApiProperty({ minimum: 1000, example: 60_000 }) readonly windowMs: number;
  @ApiPropertyOptional({ enum: ['sliding', 'fixed'], default: 'sliding' }) readonly window?: 'sliding' | 'fixed';
}

export class ConcurrencyBody implements Every<ConcurrencyBody, NonNullable<GivenLimit['concurrency']>> {
  @ApiProperty({ minimum: 1, maximum: 1000, example: 2 }) readonly calls: number;
}

export class BudgetBody implements Every<BudgetBody, NonNullable<GivenLimit['budget']>> {
  @ApiPropertyOptional({ description: '`calls`, `tokens` or a unit of `limits.cost`.', default: 'calls' })
  readonly of?: string;
  @ApiProperty({ minimum: 1, example: 1000 }) readonly max: number;
  @ApiPropertyOptional({ enum: ['day', 'month'], default: 'day' }) readonly every?: 'day' | 'month';
  @ApiPropertyOptional({ default: 'UTC', example: 'Europe/Berlin' }) readonly timeZone?: string;
}

/** A limit, with exactly one of `rate`, `concurrency` and `budget`. Unknown fields are rejected by name. */
export class LimitBody implements Every<LimitBody, Omit<GivenLimit, 'id'>> {
  @ApiPropertyOptional({ type: LimitMatchBody, description: 'Left out: every call.' }) readonly match?: LimitMatchBody;
  @ApiPropertyOptional({ enum: LIMIT_DIMENSIONS, isArray: true, description: 'What has a counter of its own.' })
  readonly per?: ToolLimit['per'];
  @ApiPropertyOptional({ type: RateBody }) readonly rate?: RateBody;
  @ApiPropertyOptional({ type: ConcurrencyBody }) readonly concurrency?: ConcurrencyBody;
  @ApiPropertyOptional({ type: BudgetBody }) readonly budget?: BudgetBody;
  @ApiPropertyOptional({ default: true, description: 'Refuse calls while the counters cannot be read.' })
  readonly hard?: boolean;
}

export class SetLimitBody extends ChangeBody {
  @ApiProperty({ type: LimitBody })
  // The core library validates the limit: one check, and one list of fields.
  @IsObject()
  readonly limit: Omit<GivenLimit, 'id'>;
}

export class UsageAnswer implements Every<UsageAnswer, LimitUsage> {
  @ApiProperty({ description: 'Above `max` if calls used more than was reserved.', example: 3 }) readonly used: number;
  @ApiProperty({ example: 10 }) readonly max: number;
  @ApiProperty({ example: 7 }) readonly remaining: number;
}

export class LimitChangeAnswer extends StoredDecisionAnswer {}

export class NamedLimit extends LimitBody implements Every<NamedLimit, GivenLimit> {
  @ApiProperty({ example: 'refunds' }) readonly id: string;
}

export class LimitAnswer implements Every<LimitAnswer, LimitStatus> {
  @ApiProperty({ type: NamedLimit }) readonly limit: ToolLimit;
  @ApiPropertyOptional({ type: LimitChangeAnswer, description: 'Left out for a limit in code.' })
  readonly stored?: LimitChangeAnswer;
  @ApiPropertyOptional({
    type: UsageAnswer,
    description: 'Left out where the limit has several counters and none is named.',
  })
  readonly usage?: UsageAnswer;
}

export class LimitRemoved extends RemovedAnswer {}
