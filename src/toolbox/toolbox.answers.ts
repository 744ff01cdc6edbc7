import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
import type {
  DescribedTool,
  Loading,
  PausedTool,
  PromptParts,
  QueryVerdict,
  ScorePart,
  SideEffects,
  ToolDrift,
  ToolExample,
} from '@tool-search/core/internal';

// These classes only document the responses, which are the toolbox's own answers. `implements` keeps both in sync.

const OBJECT = { type: 'object', additionalProperties: true } as const;
const JSON_SCHEMA = { ...OBJECT, description: 'JSON Schema.' } as const;
const LOADING = { enum: ['always', 'deferred'], enumName: 'Loading' };
const CODE = { enum: [...TOOL_SEARCH_ERROR_CODES], enumName: 'ToolSearchErrorCode' };

export class MetaToolAnswer implements MetaTool {
  @ApiProperty({ example: 'tool_search' }) readonly name: string;
  @ApiProperty() readonly description: string;
  @ApiProperty(JSON_SCHEMA) readonly inputSchema: JsonSchema;
}

export class ListedToolAnswer implements Omit<ListedTool, 'definition'> {
  @ApiProperty({ example: 'billing.list_invoices' }) readonly name: string;
  @ApiProperty() readonly description: string;
  @ApiProperty(JSON_SCHEMA) readonly inputSchema: JsonSchema;
  @ApiProperty(LOADING) readonly loading: Loading;
  @ApiProperty({ description: 'This run or session has activated it.' }) readonly active: boolean;
}

export class PromptAnswer implements PromptParts {
  @ApiPropertyOptional({ description: 'How to use the meta tools.' }) readonly guidance?: string;
  @ApiPropertyOptional({ description: 'The tools that can be searched, in groups.' }) readonly directory?: string;
  @ApiPropertyOptional({ description: 'Tools that match the text.' }) readonly hints?: string;
}

export class SurfaceAnswer implements Pick<Surface, 'mode' | 'revision' | 'meta' | 'prompt'> {
  @ApiProperty({ enum: ['all', 'deferred', 'bridge', 'native'] }) readonly mode: Surface['mode'];
  @ApiProperty({ description: 'How the mode came about; in auto with what was counted.' }) readonly reason: string;
  @ApiProperty({ description: 'Another number when one of the tools that you may use changes.' })
  readonly revision: number;
  @ApiProperty({ type: [ListedToolAnswer], description: 'In stable order, new ones at the end.' })
  readonly tools: readonly ListedToolAnswer[];
  @ApiProperty({ type: [MetaToolAnswer] }) readonly meta: readonly MetaToolAnswer[];
  @ApiProperty({ description: 'Texts for the system prompt; empty where all tools are listed.' })
  readonly prompt: PromptAnswer;
}

/** The part of a score that one word or one bonus contributes. */
export class ScorePartAnswer implements ScorePart {
  @ApiProperty({ example: 'description', description: 'A field of the tool, or a bonus.' }) readonly field: string;
  @ApiPropertyOptional({ example: 'refund' }) readonly word?: string;
  @ApiPropertyOptional({ description: 'How the tool has the word, where it differs.' }) readonly as?: string;
  @ApiProperty() readonly score: number;
}

/** Near-identical tools that a hit represents. */
export class SimilarAnswer implements NonNullable<FoundTool['similar']> {
  @ApiProperty() readonly count: number;
  @ApiProperty({ type: [String], description: 'The best three.' }) readonly names: string[];
}

export class FoundToolAnswer implements FoundTool {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ description: 'One line of at most 160 characters.' }) readonly description: string;
  @ApiProperty({ minimum: 0, maximum: 1 }) readonly score: number;
  @ApiProperty({ description: 'How it was found.' }) readonly match: string;
  @ApiProperty(LOADING) readonly loading: Loading;
  @ApiProperty() readonly active: boolean;
  @ApiPropertyOptional({ enum: [false], description: 'Only where one search lists no more: get lists it.' })
  readonly offered?: false;
  @ApiPropertyOptional({ type: [Number], description: 'With several queries: the places of those that found it.' })
  readonly queries?: number[];
  @ApiPropertyOptional({ type: [String], description: 'Words of the query that it has.' }) readonly why?: string[];
  @ApiPropertyOptional() readonly similar?: SimilarAnswer;
  @ApiPropertyOptional({ type: [ScorePartAnswer], description: 'With explain: what the score is made of.' })
  readonly parts?: ScorePartAnswer[];
}

/** The result of one of several queries. */
export class QueryVerdictAnswer implements QueryVerdict {
  @ApiProperty({ description: 'Its place in the request, from 0.' }) readonly index: number;
  @ApiProperty({ enum: ['found', 'weak', 'none'] }) readonly verdict: QueryVerdict['verdict'];
  @ApiProperty({ type: [String] }) readonly unmatched: string[];
  @ApiPropertyOptional({ description: 'Tools that have one of its words; 60: 60 or more.' }) readonly matching?: number;
}

export class SearchTypeAnswer {
  @ApiProperty({ example: 'bm25' }) readonly requested: string;
  @ApiProperty({ example: 'bm25' }) readonly effective: string;
}

export class SearchAnswer implements SearchReply {
  @ApiProperty({ type: [FoundToolAnswer], description: 'Best first.' }) readonly tools: FoundToolAnswer[];
  @ApiProperty() readonly searchType: SearchTypeAnswer;
  @ApiProperty({ type: [String], description: 'Words that no visible tool knows.' }) readonly unmatched: string[];
  @ApiProperty({ enum: ['found', 'weak', 'none'], description: 'weak: most likely none of the tools fits.' })
  readonly verdict: SearchReply['verdict'];
  @ApiProperty({ description: 'Visible tools that are not always listed.' }) readonly totalDeferred: number;
  @ApiPropertyOptional({ description: 'Tools that have one of the words of the query; 60: 60 or more.' })
  readonly matching?: number;
  @ApiPropertyOptional({ type: [QueryVerdictAnswer], description: 'One for each of several queries.' })
  readonly queries?: QueryVerdictAnswer[];
  @ApiPropertyOptional({ description: 'For example that no word matches.' }) readonly notice?: string;
  @ApiPropertyOptional({ description: 'What to do next where the verdict is not found.' }) readonly hint?: string;
}

export class ExampleAnswer implements Partial<ToolExample> {
  @ApiProperty(OBJECT) readonly args: JsonObject;
  @ApiPropertyOptional() readonly description?: string;
  @ApiPropertyOptional({ type: [String] }) readonly tags?: string[];
}

export class DeprecationAnswer {
  @ApiPropertyOptional() readonly successor?: string;
}

export class DescribedToolAnswer implements DescribedTool {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiPropertyOptional() readonly title?: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ type: [String] }) readonly tags: string[];
  @ApiProperty({ enum: ['pure', 'read', 'write', 'external', 'stateful'], enumName: 'SideEffects' })
  readonly sideEffects: SideEffects;
  @ApiProperty(LOADING) readonly loading: Loading;
  @ApiProperty({ type: [String] }) readonly authScopes: string[];
  @ApiPropertyOptional() readonly costHint?: string;
  @ApiPropertyOptional({ description: 'Milliseconds a call usually takes.' }) readonly latencyHintMs?: number;
  @ApiPropertyOptional() readonly safetyNotes?: string;
  @ApiPropertyOptional() readonly deprecated?: DeprecationAnswer;
  @ApiPropertyOptional(JSON_SCHEMA) readonly inputSchema?: JsonSchema;
  @ApiPropertyOptional(JSON_SCHEMA) readonly outputSchema?: JsonSchema;
  @ApiPropertyOptional({ type: [ExampleAnswer] }) readonly examples?: ExampleAnswer[];
}

export class GetAnswer implements GetReply {
  @ApiProperty({ type: [DescribedToolAnswer] }) readonly tools: DescribedToolAnswer[];
  @ApiProperty({ type: [String], description: 'Hidden or unknown alike.' }) readonly unavailable: string[];
}

/** Answer of `POST /toolbox/activate`; every name is in exactly one list. */
export class ActivateAnswer implements ActivateReply {
  @ApiProperty({ type: [String] }) readonly activated: string[];
  @ApiProperty({ type: [String] }) readonly alreadyActive: string[];
  @ApiProperty({ type: [String], description: 'Hidden or unknown alike.' }) readonly unavailable: string[];
  @ApiProperty({ type: [String], description: 'No room left in the run or session.' }) readonly overLimit: string[];
}

/** A tool that is offered or activated when its run is paused. */
export class PausedToolAnswer implements Pick<PausedTool, 'name' | 'state'> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ enum: ['offered', 'activated'] }) readonly state: PausedTool['state'];
}

export class PauseAnswer implements PauseReceipt {
  @ApiProperty() readonly runId: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly pausedAt: number;
  @ApiProperty({ type: [PausedToolAnswer], description: 'In the order of the list.' })
  readonly tools: PausedToolAnswer[];
}

/** How a tool changed while its run was paused. */
export class ToolDriftAnswer implements ToolDrift {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ enum: ['same', 'changed', 'gone'] }) readonly drift: ToolDrift['drift'];
}

export class ResumeAnswer implements ResumeReply {
  @ApiProperty() readonly runId: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly pausedAt: number;
  @ApiProperty({ type: [ToolDriftAnswer], description: 'What was in play, in the order of the list.' })
  readonly tools: ToolDriftAnswer[];
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
export class CallAnswer implements Omit<Success, 'content'> {
  @ApiProperty({ enum: [true] }) readonly ok: true;
  @ApiProperty({ type: [ContentAnswer] }) readonly content: ContentAnswer[];
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
}

/** Answer of `POST /toolbox/call` if the call was refused or failed; the texts are for a model. */
export class CallRefusal implements Omit<ToolFailure, 'content'> {
  @ApiProperty({ enum: [false] }) readonly ok: false;
  @ApiProperty(CODE) readonly code: ToolSearchErrorCode;
  @ApiProperty({ description: 'What happened.' }) readonly message: string;
  @ApiPropertyOptional({ description: 'What to do next.' }) readonly hint?: string;
  @ApiPropertyOptional({ description: 'When to call again, in seconds.', example: 5 })
  readonly retryAfterSeconds?: number;
  @ApiPropertyOptional({ description: 'The limit that refused the call.', example: 'exports' })
  readonly limit?: string;
  @ApiPropertyOptional({ type: [ContentAnswer], description: 'What the tool itself said about its failure.' })
  readonly content?: ContentAnswer[];
  @ApiPropertyOptional(HANDLE) readonly handle?: string;
  @ApiPropertyOptional(NOTE) readonly note?: string;
}
