import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Every } from '@tool-search/admin';
import {
  type ActivateReply,
  type FoundTool,
  type GetReply,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type ListedTool,
  type MetaTool,
  type PauseReceipt,
  type ResumeReply,
  type SearchReply,
  type Surface,
  TOOL_SEARCH_ERROR_CODES,
  type ToolContent,
  type ToolFailure,
  type ToolResult,
  type ToolSearchErrorCode,
} from '@tool-search/core';
import {
  type DescribedTool,
  DRIFTS,
  EXPOSURE_MODES,
  type Loading,
  LOADINGS,
  PAUSED_STATES,
  type PausedTool,
  type PromptParts,
  type QueryVerdict,
  type ScorePart,
  SEARCH_VERDICTS,
  SIDE_EFFECTS,
  type SideEffects,
  type ToolDrift,
} from '@tool-search/core/internal';
import type { Deprecation } from '@tool-search/core/operators';

// These classes only document the responses, which are the toolbox's own answers. `Every` keeps both in sync.

const OBJECT = { type: 'object', additionalProperties: true } as const;
const JSON_SCHEMA = { ...OBJECT, description: 'JSON Schema.' } as const;
const LOADING = { enum: LOADINGS, enumName: 'Loading' };
const RECEIPT = {
  description:
    'Keep it in the conversation: it proves the activation. Only where activations are kept in messages and a tool was activated.',
};
const CODE = { enum: [...TOOL_SEARCH_ERROR_CODES], enumName: 'ToolSearchErrorCode' };

export class MetaToolAnswer implements Every<MetaToolAnswer, MetaTool> {
  @ApiProperty({ example: 'tool_search' }) readonly name: string;
  @ApiProperty() readonly description: string;
  @ApiProperty(JSON_SCHEMA) readonly inputSchema: JsonSchema;
}

export class ListedToolAnswer implements Every<ListedToolAnswer, Omit<ListedTool, 'definition'>> {
  @ApiProperty({ example: 'billing.list_invoices' }) readonly name: string;
  @ApiProperty() readonly description: string;
  @ApiProperty(JSON_SCHEMA) readonly inputSchema: JsonSchema;
  @ApiProperty(LOADING) readonly loading: Loading;
  @ApiProperty({ description: 'This run or session has activated it.' }) readonly active: boolean;
}

export class SurfacePromptAnswer implements Every<SurfacePromptAnswer, PromptParts> {
  @ApiPropertyOptional({ description: 'How to use the meta tools.' }) readonly guidance?: string;
  @ApiPropertyOptional({ description: 'The tools that can be searched, in groups.' }) readonly directory?: string;
  @ApiPropertyOptional({ description: 'Tools that match the text.' }) readonly hints?: string;
}

export class SurfaceAnswer implements Every<SurfaceAnswer, Pick<Surface, 'mode' | 'revision' | 'meta' | 'prompt'>> {
  @ApiProperty({ enum: EXPOSURE_MODES }) readonly mode: Surface['mode'];
  @ApiProperty({ description: 'How the mode came about; in auto with what was counted.' }) readonly reason: string;
  @ApiProperty({ description: 'Another number when one of the tools that you may use changes.' })
  readonly revision: number;
  @ApiProperty({ type: [ListedToolAnswer], description: 'In stable order, new ones at the end.' })
  readonly tools: readonly ListedToolAnswer[];
  @ApiProperty({ type: [MetaToolAnswer] }) readonly meta: readonly MetaToolAnswer[];
  @ApiProperty({ description: 'Texts for the system prompt; empty where all tools are listed.' })
  readonly prompt: SurfacePromptAnswer;
}

/** The part of a score that one word or one bonus contributes. */
export class FoundToolPartAnswer implements Every<FoundToolPartAnswer, ScorePart> {
  @ApiProperty({ example: 'description', description: 'A field of the tool, or a bonus.' }) readonly field: string;
  @ApiPropertyOptional({ example: 'refund' }) readonly word?: string;
  @ApiPropertyOptional({ description: 'How the tool has the word, where it differs.' }) readonly as?: string;
  @ApiProperty() readonly score: number;
}

/** Near-identical tools that a hit represents. */
export class SimilarAnswer implements Every<SimilarAnswer, NonNullable<FoundTool['similar']>> {
  @ApiProperty() readonly count: number;
  @ApiProperty({ type: [String], description: 'The best three.' }) readonly names: readonly string[];
}

/** That a tool should not be used any more. */
export class ToolDeprecationAnswer implements Every<ToolDeprecationAnswer, Deprecation> {
  @ApiPropertyOptional({ example: '2026-01-31', description: 'Since when: a date or a time in ISO 8601.' })
  readonly since?: string;
  @ApiPropertyOptional({ example: 'billing.refund', description: 'The tool to use instead, if you may see it.' })
  readonly successor?: string;
  @ApiPropertyOptional({
    example: '2026-12-31',
    description: 'When it stops: a date or a time in ISO 8601. From then on it is not found, and calls are refused.',
  })
  readonly sunset?: string;
}

export class FoundToolAnswer implements Every<FoundToolAnswer, FoundTool> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ description: 'One line of at most 160 characters.' }) readonly description: string;
  @ApiProperty({ minimum: 0, maximum: 1 }) readonly score: number;
  @ApiProperty({ description: 'How it was found.' }) readonly match: string;
  @ApiProperty(LOADING) readonly loading: Loading;
  @ApiProperty() readonly active: boolean;
  @ApiPropertyOptional({ enum: [false], description: 'Only where one search lists no more: get lists it.' })
  readonly offered?: false;
  @ApiPropertyOptional({ description: 'Only of a tool that should not be used any more.' })
  readonly deprecated?: ToolDeprecationAnswer;
  @ApiPropertyOptional({ type: [Number], description: 'With several queries: the places of those that found it.' })
  readonly queries?: readonly number[];
  @ApiPropertyOptional({ type: [String], description: 'Words of the query that it has.' })
  readonly why?: readonly string[];
  @ApiPropertyOptional() readonly similar?: SimilarAnswer;
  @ApiPropertyOptional({ type: [FoundToolPartAnswer], description: 'With explain: what the score is made of.' })
  readonly parts?: readonly FoundToolPartAnswer[];
}

/** The result of one of several queries. */
export class QueryVerdictAnswer implements Every<QueryVerdictAnswer, QueryVerdict> {
  @ApiProperty({ description: 'Its place in the request, from 0.' }) readonly index: number;
  @ApiProperty({ enum: SEARCH_VERDICTS }) readonly verdict: QueryVerdict['verdict'];
  @ApiProperty({ type: [String] }) readonly unmatched: readonly string[];
  @ApiPropertyOptional({ description: 'Tools that have one of its words; 60: 60 or more.' }) readonly matching?: number;
}

export class SearchTypeAnswer implements Every<SearchTypeAnswer, SearchReply['searchType']> {
  @ApiProperty({ example: 'bm25' }) readonly requested: string;
  @ApiProperty({ example: 'bm25' }) readonly effective: string;
}

export class SearchAnswer implements Every<SearchAnswer, SearchReply> {
  @ApiProperty({ type: [FoundToolAnswer], description: 'Best first.' }) readonly tools: readonly FoundToolAnswer[];
  @ApiProperty() readonly searchType: SearchTypeAnswer;
  @ApiProperty({ type: [String], description: 'Words that no visible tool knows.' })
  readonly unmatched: readonly string[];
  @ApiProperty({ enum: SEARCH_VERDICTS, description: 'weak: most likely none of the tools fits.' })
  readonly verdict: SearchReply['verdict'];
  @ApiProperty({ description: 'Visible tools that are not always listed.' }) readonly totalDeferred: number;
  @ApiPropertyOptional({ description: 'Tools that have one of the words of the query; 60: 60 or more.' })
  readonly matching?: number;
  @ApiPropertyOptional({ type: [QueryVerdictAnswer], description: 'One for each of several queries.' })
  readonly queries?: readonly QueryVerdictAnswer[];
  @ApiPropertyOptional({ description: 'For example that no word matches.' }) readonly notice?: string;
  @ApiPropertyOptional({ description: 'What to do next where the verdict is not found.' }) readonly hint?: string;
  @ApiPropertyOptional(RECEIPT) readonly receipt?: string;
}

export class ExampleAnswer implements Every<ExampleAnswer, NonNullable<DescribedTool['examples']>[number]> {
  @ApiProperty(OBJECT) readonly args: JsonObject;
  @ApiPropertyOptional() readonly description?: string;
  @ApiPropertyOptional({ type: [String] }) readonly tags?: readonly string[];
}

export class DescribedToolAnswer implements Every<DescribedToolAnswer, DescribedTool> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiPropertyOptional() readonly title?: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ type: [String] }) readonly tags: readonly string[];
  @ApiProperty({ enum: SIDE_EFFECTS, enumName: 'SideEffects' })
  readonly sideEffects: SideEffects;
  @ApiProperty(LOADING) readonly loading: Loading;
  @ApiProperty({ type: [String] }) readonly authScopes: readonly string[];
  @ApiPropertyOptional() readonly costHint?: string;
  @ApiPropertyOptional({ description: 'Milliseconds a call usually takes.' }) readonly latencyHintMs?: number;
  @ApiPropertyOptional() readonly safetyNotes?: string;
  @ApiPropertyOptional({ description: 'Only of a tool that should not be used any more.' })
  readonly deprecated?: ToolDeprecationAnswer;
  @ApiPropertyOptional(JSON_SCHEMA) readonly inputSchema?: JsonSchema;
  @ApiPropertyOptional(JSON_SCHEMA) readonly outputSchema?: JsonSchema;
  @ApiPropertyOptional({ type: [ExampleAnswer] }) readonly examples?: readonly ExampleAnswer[];
}

export class GetAnswer implements Every<GetAnswer, GetReply> {
  @ApiProperty({ type: [DescribedToolAnswer] }) readonly tools: readonly DescribedToolAnswer[];
  @ApiProperty({ type: [String], description: 'Hidden or unknown alike.' }) readonly unavailable: readonly string[];
}

/** A tool that cannot be activated before it is approved. */
export class WaitingToolAnswer implements Every<WaitingToolAnswer, NonNullable<ActivateReply['waiting']>[number]> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ ...CODE, description: 'Why it waits.' }) readonly code: ToolSearchErrorCode;
}

/** Answer of `POST /toolbox/activate`; every name is in exactly one list. */
export class ActivateAnswer implements Every<ActivateAnswer, ActivateReply> {
  @ApiProperty({ type: [String] }) readonly activated: readonly string[];
  @ApiProperty({ type: [String] }) readonly alreadyActive: readonly string[];
  @ApiProperty({ type: [String], description: 'Hidden or unknown alike.' }) readonly unavailable: readonly string[];
  @ApiProperty({ type: [String], description: 'No room left in the run or session.' })
  readonly overLimit: readonly string[];
  @ApiPropertyOptional({ type: [WaitingToolAnswer], description: 'Those that wait for an approval.' })
  readonly waiting?: readonly WaitingToolAnswer[];
  @ApiPropertyOptional(RECEIPT) readonly receipt?: string;
}

/** A tool that is offered or activated when its run is paused. */
export class PausedToolAnswer implements Every<PausedToolAnswer, Pick<PausedTool, 'name' | 'state'>> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ enum: PAUSED_STATES }) readonly state: PausedTool['state'];
}

export class PauseAnswer implements Every<PauseAnswer, PauseReceipt> {
  @ApiProperty() readonly runId: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly pausedAt: number;
  @ApiProperty({ type: [PausedToolAnswer], description: 'In the order of the list.' })
  readonly tools: readonly PausedToolAnswer[];
}

/** How a tool changed while its run was paused. */
export class ToolDriftAnswer implements Every<ToolDriftAnswer, ToolDrift> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ enum: DRIFTS }) readonly drift: ToolDrift['drift'];
}

export class ResumeAnswer implements Every<ResumeAnswer, ResumeReply> {
  @ApiProperty() readonly runId: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly pausedAt: number;
  @ApiProperty({ type: [ToolDriftAnswer], description: 'What was in play, in the order of the list.' })
  readonly tools: readonly ToolDriftAnswer[];
  @ApiProperty({ description: 'Some tool that the run can or could see has changed.' })
  readonly catalogChanged: boolean;
  @ApiProperty({ description: 'Operators have changed something.' }) readonly policyChanged: boolean;
}

/** A block of a tool's output, as in MCP; `type` determines the other fields. */
export class ContentAnswer {
  @ApiProperty({ enum: ['text', 'image', 'audio', 'resource_link', 'resource'] }) readonly type: ToolContent['type'];
  @ApiPropertyOptional() readonly text?: string;
  @ApiPropertyOptional({ description: 'Base64.' }) readonly data?: string;
  @ApiPropertyOptional() readonly mimeType?: string;
  @ApiPropertyOptional() readonly uri?: string;
  @ApiPropertyOptional() readonly name?: string;
  @ApiPropertyOptional({ ...OBJECT, description: 'uri, mimeType, and text or blob.' }) readonly resource?: object;
}

type Success = Extract<ToolResult, { ok: true }>;

const HANDLE = {
  description: 'Of a result that was shortened: call `tool_result` with it to read on.',
  example: 'r_x7Qe…',
};
const NOTE = { description: 'What is missing, and how to read on; for the end of the text that a model reads.' };

/** Answer of `POST /toolbox/call` if the tool has run. */
export class CallSuccess implements Every<CallSuccess, Omit<Success, 'content'>> {
  @ApiProperty({ enum: [true] }) readonly ok: true;
  @ApiProperty({ type: [ContentAnswer] }) readonly content: readonly ContentAnswer[];
  @ApiPropertyOptional({
    description: 'The same as JSON, any value.',
    oneOf: [
      OBJECT,
      { type: 'array', items: {} },
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean', nullable: true },
    ],
  })
  readonly structured?: JsonValue;
  @ApiPropertyOptional({ enum: [true], description: 'The output was too large and has been cut.' })
  readonly truncated?: true;
  @ApiPropertyOptional(HANDLE) readonly handle?: string;
  @ApiPropertyOptional(NOTE) readonly note?: string;
  @ApiPropertyOptional({ enum: [true], description: 'This call activated the tool.' }) readonly activated?: true;
  @ApiPropertyOptional(RECEIPT) readonly receipt?: string;
}

/** Answer of `POST /toolbox/call` if the call was refused or failed; the texts are for a model. */
export class CallRefusal implements Every<CallRefusal, Omit<ToolFailure, 'content'>> {
  @ApiProperty({ enum: [false] }) readonly ok: false;
  @ApiProperty(CODE) readonly code: ToolSearchErrorCode;
  @ApiProperty({ description: 'What happened.' }) readonly message: string;
  @ApiPropertyOptional({ description: 'What to do next.' }) readonly hint?: string;
  @ApiPropertyOptional({ description: 'When to call again, in seconds.', example: 5 })
  readonly retryAfterSeconds?: number;
  @ApiPropertyOptional({ description: 'The limit that refused the call.', example: 'exports' })
  readonly limit?: string;
  @ApiPropertyOptional({ type: [ContentAnswer], description: 'What the tool itself said about its failure.' })
  readonly content?: readonly ContentAnswer[];
  @ApiPropertyOptional(HANDLE) readonly handle?: string;
  @ApiPropertyOptional(NOTE) readonly note?: string;
  @ApiPropertyOptional(RECEIPT) readonly receipt?: string;
}
