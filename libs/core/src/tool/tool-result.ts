import type { JsonValue } from '../json/json.js';
import type { ToolContent } from './tool-definition.js';
import { isToolSearchError, type ToolSearchErrorCode } from './tool-search.error.js';

/** A refusal or failure in words a model can act on. */
export interface ToolFailure {
  readonly ok: false;
  readonly code: ToolSearchErrorCode;
  readonly message: string;
  readonly hint?: string;
  /** What the tool itself said to the model when it answered with an error of its own. */
  readonly content?: readonly ToolContent[];
  /** As that of a success: a tool that fails is active all the same. */
  readonly receipt?: string;
}

/** What a tool call answers. A model's fault is an answer, never an exception. */
export type ToolResult =
  | {
      readonly ok: true;
      readonly content: readonly ToolContent[];
      readonly structured?: JsonValue;
      /** The output was larger than the bound and has been cut. */
      readonly truncated?: true;
      /** This call activated the tool. */
      readonly activated?: true;
      /** To be kept in the conversation, at the end of the result's text; only where activations are kept in messages. */
      readonly receipt?: string;
    }
  | ToolFailure;

/** A failure with its code, message and hint. */
export function failure(code: ToolSearchErrorCode, message: string, hint?: string): ToolFailure {
  return { ok: false, code, message, ...(hint === undefined ? {} : { hint }) };
}

/**
 * The failure a caller may see for an error: a {@link ToolSearchError} keeps its words, anything else becomes `INTERNAL`
 * without a trace of its text.
 */
export function failureOf(error: unknown): ToolFailure {
  if (isToolSearchError(error)) return failure(error.code, error.message, error.hint);
  return failure(
    'INTERNAL',
    'Something went wrong on our side.',
    'Try again later; the operator finds the cause in the log.',
  );
}

/** The refusal for every tool that is hidden, killed, denied or unknown: the same bytes for each of them. */
export function notAvailable(): ToolFailure {
  return failure(
    'TOOL_NOT_AVAILABLE',
    'This tool is not available.',
    'Use tool_search to find tools you can use, then call one by the name it returns.',
  );
}

/** All text of a result, joined by blank lines; what a text-only model reads. */
export function contentText(content: readonly ToolContent[]): string {
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'resource') return block.resource.text ?? `[resource ${block.resource.uri}]`;
      if (block.type === 'resource_link') return `[resource ${block.uri}]`;
      return `[${block.type} ${block.mimeType}]`;
    })
    .join('\n\n');
}

/**
 * A whole result as the text that a model reads and a conversation keeps, for whoever speaks to a model: its text, or its
 * structured content where there is none, a note where it was cut; of a refusal the coded object as JSON. A receipt comes last.
 */
export function resultText(result: ToolResult): string {
  const text = result.ok ? successText(result) : JSON.stringify(failureObject(result));
  return result.receipt === undefined ? text : `${text}\n\n${result.receipt}`;
}

/** A refusal or failure as a model reads it: what the tool said itself as text, no receipt. */
export function failureObject({ ok, code, message, hint, content }: ToolFailure): Omit<ToolFailure, 'content'> & {
  readonly content?: string;
} {
  const said = content === undefined ? '' : contentText(content);
  return { ok, code, message, ...(hint !== undefined && { hint }), ...(said !== '' && { content: said }) };
}

function successText({ content, structured, truncated }: Extract<ToolResult, { ok: true }>): string {
  const cut = truncated ? [CUT_NOTE] : [];
  if (content.length > 0) return [contentText(content), ...cut].join('\n\n');
  if (structured !== undefined) return [JSON.stringify(structured), ...cut].join('\n\n');
  return cut[0] ?? 'The tool ran and returned nothing.';
}

/** What a model is told of a result that was larger than the bound. */
export const CUT_NOTE = '[cut: the result was too large]';
