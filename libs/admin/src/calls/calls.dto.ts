import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { TOOL_SEARCH_ERROR_CODES } from '@tool-search/core';
import type { CallFilter, CallRecord, CallSum } from '@tool-search/core/stores';
import {
  CALL_KINDS,
  type CallFigures,
  type CallOverviewAnswer as CallOverview,
  COST_GROUPS,
  DECISIONS,
  LAYERS,
  type TokenCost,
  type TokenCosts,
} from '@tool-search/core/internal';
import type { RunStep } from './run-steps.js';
import type { Period } from '../request/period.js';
import { IsIn } from 'class-validator';
import { PageQuery } from '../request/page.js';
import {
  GivenReason,
  IsOptionalButNotNull,
  OptionalOneOf,
  OptionalString,
  OptionalText,
  OptionalTextOrEmpty,
  OptionalWholeNumber,
} from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

const OUTCOMES = ['ok', ...TOOL_SEARCH_ERROR_CODES] as const;

class CallFilterQuery implements Every<CallFilterQuery, CallFilter> {
  @OptionalOneOf(CALL_KINDS, 'CallKind') readonly kind?: CallRecord['kind'];
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalTextOrEmpty({ example: 'ada', description: 'Empty: those of contexts that name no user.' })
  readonly userId?: string;
  @OptionalText({ example: 's1' }) readonly sessionId?: string;
  @OptionalText({ example: 'r1' }) readonly runId?: string;
  @OptionalText({ example: 'billing.refund_invoice', description: 'Canonical name.' }) readonly tool?: string;
  @OptionalOneOf(OUTCOMES, 'CallOutcome') readonly outcome?: CallRecord['outcome'];
  @OptionalOneOf(LAYERS, 'DecidingLayer') readonly layer?: CallRecord['layer'];
  @OptionalWholeNumber({ description: 'Epoch milliseconds, inclusive.' }, 0) readonly since?: number;
  @OptionalWholeNumber({ description: 'Epoch milliseconds, exclusive.' }, 0) readonly until?: number;
}

export class CallsQuery extends IntersectionType(PageQuery, CallFilterQuery) {}

export class CallSummaryQuery extends OmitType(CallFilterQuery, ['kind']) {}

export class CallExportQuery extends CallFilterQuery {
  @ApiPropertyOptional({ enum: ['jsonl', 'csv'], default: 'jsonl' })
  @IsIn(['jsonl', 'csv'])
  @IsOptionalButNotNull()
  readonly format: 'jsonl' | 'csv' = 'jsonl';
}

export class RunQuery extends PageQuery {
  @OptionalText({ example: 'acme', description: 'Runs of different tenants may have the same id.' })
  readonly tenantId?: string;
}

export class EraseCallsQuery {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalText({ example: 'ada', description: 'One user of the tenant.' }) readonly userId?: string;
  @GivenReason('the user asked for it') readonly reason: string;

  @OptionalString({ example: 'all', description: 'Confirms that all records of the tenant are meant.' })
  readonly confirm?: string;
}

export class CallAnswer implements Every<CallAnswer, CallRecord> {
  @ApiProperty({ example: '01a2b3c4d5e600011f2e3d4c5b6a7988' }) readonly id: string;
  @ApiProperty({ description: 'Start, in epoch milliseconds.', example: 1_795_000_000_000 }) readonly at: number;
  @ApiProperty({ enum: [...CALL_KINDS], enumName: 'CallKind' }) readonly kind: CallRecord['kind'];
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Empty if the context named none; the same for the ids below.' })
  readonly userId: string;
  @ApiProperty({ example: 's1' }) readonly sessionId: string;
  @ApiProperty({ example: 'r1' }) readonly runId: string;
  @ApiProperty({ type: [String], description: 'The agent, then the agents that it acts for.' })
  readonly agentIds: readonly string[];
  @ApiProperty({ description: 'How many surfaces this process had shown to the run.', example: 2 })
  readonly step: number;
  @ApiProperty({ description: 'As in the event `tool.called`; empty if the gate refused the call.' })
  readonly callId: string;
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ description: 'Hash of the definition.' }) readonly definitionHash: string;
  @ApiProperty({ enum: DECISIONS }) readonly decision: CallRecord['decision'];
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer' }) readonly layer: CallRecord['layer'];
  @ApiProperty({ example: 'deny:billing.refund_*' }) readonly rule: string;
  @ApiProperty({
    description: 'Why; for `shown` the mode, for `searched` the verdict, for `completed` how many were refused.',
    example: 'the policy denies billing.refund_*',
  })
  readonly reason: string;
  @ApiProperty({ enum: OUTCOMES, enumName: 'CallOutcome', example: 'ok' }) readonly outcome: CallRecord['outcome'];
  @ApiProperty({ example: 12 }) readonly controlRevision: number;
  @ApiProperty({ example: 3, description: 'Of the process that decided.' }) readonly catalogRevision: number;
  @ApiProperty({ description: "Hash of the application's own policy." }) readonly policyHash: string;
  @ApiProperty({ description: 'The toolbox was narrowed by code.' }) readonly narrowed: boolean;
  @ApiProperty({ example: 12.5 }) readonly ms: number;
  @ApiProperty({ example: 24 }) readonly argumentBytes: number;
  @ApiProperty({ example: 512 }) readonly resultBytes: number;
  @ApiProperty() readonly cached: boolean;
  @ApiProperty({ type: [String], description: 'Names that were shown, found, read or loaded; the first 200.' })
  readonly tools: readonly string[];
  @ApiProperty({
    description: 'How many there were; for `completed` how often suggestions were asked for.',
    example: 0,
  })
  readonly toolCount: number;
  @ApiPropertyOptional({ type: [Number], description: 'Tokens of the definitions in `tools`, if they were shown.' })
  readonly toolTokens?: readonly number[];
  @ApiPropertyOptional({ description: 'Tokens of the texts of the result, if the call ran.', example: 130 })
  readonly resultTokens?: number;
  @ApiPropertyOptional({ description: 'As JSON, redacted; only if the application records arguments.' })
  readonly arguments?: string;
  @ApiPropertyOptional({ description: 'Redacted and cut; only if the application records results.' })
  readonly result?: string;
}

export class CallSumAnswer implements Every<CallSumAnswer, CallSum> {
  @ApiProperty({ description: 'Start of the hour, in epoch milliseconds.' }) readonly hour: number;
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer' }) readonly layer: CallSum['layer'];
  @ApiProperty({ enum: DECISIONS }) readonly decision: CallSum['decision'];
  @ApiProperty({ enum: OUTCOMES, enumName: 'CallOutcome' }) readonly outcome: CallSum['outcome'];
  @ApiProperty({ example: 120 }) readonly calls: number;
}

class CallSummaryPeriod implements Period {
  @ApiProperty({ description: 'Epoch milliseconds, inclusive.' }) readonly since: number;
  @ApiProperty({ description: 'Epoch milliseconds, exclusive.' }) readonly until: number;
}

export class CallSummaryAnswer extends CallSummaryPeriod {
  @ApiProperty({ type: [CallSumAnswer] }) readonly items: readonly CallSumAnswer[];
}

export class CallOverviewQuery extends PickType(CallFilterQuery, ['tenantId', 'since', 'until']) {}

export class CallFiguresAnswer implements Every<CallFiguresAnswer, CallFigures> {
  @ApiProperty({ example: 1200 }) readonly calls: number;
  @ApiProperty({ description: 'Those that a layer refused, and those that wait for an approval.', example: 12 })
  readonly refused: number;
  @ApiProperty({ description: 'Those that ran and did not end well.', example: 3 }) readonly failed: number;
  @ApiPropertyOptional({
    description: 'Milliseconds within which half of those that ran ended, about; absent where none ran.',
    example: 8.5,
  })
  readonly p50Ms?: number;
  @ApiPropertyOptional({ description: 'The same of 95 of 100.', example: 180 }) readonly p95Ms?: number;
}

export class CallSpanAnswer extends CallFiguresAnswer implements Every<CallSpanAnswer, CallOverview['spans'][number]> {
  @ApiProperty({ description: 'Start of the span, in epoch milliseconds.' }) readonly from: number;
}

export class RefusalAnswer implements Every<RefusalAnswer, CallOverview['refusals'][number]> {
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer' }) readonly layer: CallRecord['layer'];
  @ApiProperty({ example: 12 }) readonly calls: number;
}

export class SourceFiguresAnswer
  extends CallFiguresAnswer
  implements Every<SourceFiguresAnswer, CallOverview['prefixes'][number]>
{
  @ApiProperty({ description: "The first part of the tools' names.", example: 'billing' }) readonly prefix: string;
  @ApiPropertyOptional({ description: 'The source that has tools with such names now.', example: 'app' })
  readonly source?: string;
}

export class TenantFiguresAnswer
  extends CallFiguresAnswer
  implements Every<TenantFiguresAnswer, CallOverview['tenants'][number]>
{
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
}

/** The answer of the core, with the source of each prefix. */
export class CallOverviewAnswer
  extends CallSummaryPeriod
  implements Every<CallOverviewAnswer, Omit<CallOverview, 'prefixes'>>
{
  @ApiProperty({ description: 'Length of a span: a minute, or an hour in a period of more than two hours.' })
  readonly stepMs: number;
  @ApiProperty({
    description:
      'Whether all calls are added up; if not, ask again in a moment. A part with more than 100,000 groups of calls never is.',
  })
  readonly isComplete: boolean;
  @ApiProperty() readonly total: CallFiguresAnswer;
  @ApiProperty({ type: [CallSpanAnswer], description: 'The spans with calls, the oldest first.' })
  readonly spans: readonly CallSpanAnswer[];
  @ApiProperty({ type: [RefusalAnswer], description: 'How many calls each layer refused, the most first.' })
  readonly refusals: readonly RefusalAnswer[];
  @ApiProperty({ type: [SourceFiguresAnswer], description: 'At most 50, those with most calls first.' })
  readonly sources: readonly SourceFiguresAnswer[];
  @ApiProperty({ type: [TenantFiguresAnswer], description: 'At most 50, those with most calls first.' })
  readonly tenants: readonly TenantFiguresAnswer[];
}

export class CallCostsQuery extends PickType(CallFilterQuery, ['tenantId', 'since', 'until']) {
  @OptionalOneOf(COST_GROUPS, 'CostGroup') readonly by?: (typeof COST_GROUPS)[number];

  @OptionalWholeNumber({ description: 'How many of the newest records are read.', default: 10_000 }, 1, 50_000)
  readonly records?: number;

  @OptionalWholeNumber({ description: 'How many groups the answer holds.', default: 50 }, 1, 200)
  readonly limit?: number;
}

export class CallCostAnswer implements Every<CallCostAnswer, TokenCost> {
  @ApiProperty({ example: 'acme', description: 'Empty if costs are grouped by tool.' }) readonly tenantId: string;
  @ApiProperty({ example: 'crm.find', description: 'Empty if costs are grouped by tenant.' }) readonly tool: string;
  @ApiProperty({ description: 'How often the definition was shown.', example: 40 }) readonly shown: number;
  @ApiProperty({ example: 4_800 }) readonly definitionTokens: number;
  @ApiProperty({ description: 'How many calls ran.', example: 12 }) readonly calls: number;
  @ApiProperty({ example: 9_600 }) readonly resultTokens: number;
}

export class CallCostsAnswer implements Every<CallCostsAnswer, TokenCosts> {
  @ApiProperty({ type: [CallCostAnswer], description: 'The dearest first.' }) readonly items: readonly CallCostAnswer[];
  @ApiProperty({ description: 'How many groups there are.', example: 120 }) readonly groups: number;
  @ApiProperty({ description: 'Of all groups together.', example: 52_000 }) readonly definitionTokens: number;
  @ApiProperty({ description: 'Of all groups together.', example: 81_000 }) readonly resultTokens: number;
  @ApiProperty({ description: 'How many records were read.', example: 10_000 }) readonly records: number;
  @ApiProperty({ description: 'No older record matches.' }) readonly isComplete: boolean;
  @ApiPropertyOptional({ description: 'Start of the oldest record that was read, in epoch milliseconds.' })
  readonly oldest?: number;
}

export class RunStepAnswer implements RunStep {
  @ApiProperty({ description: 'Counted by the process that showed it.', example: 1 }) readonly step: number;
  @ApiPropertyOptional({ description: 'What was shown; absent before the first surface, and where a page continues.' })
  readonly shown?: CallAnswer;
  @ApiProperty({ type: [CallAnswer], description: 'Searches, reads, loads and calls, in their order.' })
  readonly did: readonly CallAnswer[];
}

export class CallsErased {
  @ApiProperty({ example: 120 }) readonly removed: number;
}
