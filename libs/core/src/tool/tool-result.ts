import type { JsonValue } from '../json/json.js';
import type { ToolContent } from './tool-definition.js';
import { type MetaNames, OWN_META_NAMES } from './meta-names.js';
import { hintOf, isToolSearchError, type ToolSearchErrorCode } from './tool-search.error.js';

/** A refusal or failure, worded so that a model can act on it. */
export interface ToolFailure {
  readonly ok: false;
  readonly code: ToolSearchErrorCode;
  readonly message: string;
  readonly hint?: string;
  /** Seconds after which it is worth calling again; set by refusals that pass with time. */
  readonly retryAfterSeconds?: number;
  /** The limit that refused the call, with `LIMIT_REACHED`. */
  readonly limit?: string;
  /** The tool's own error output, if it reported an error. */
  readonly content?: readonly ToolContent[];
  /** As in a success. */
  readonly handle?: string;
  /** As in a success. */
  readonly note?: string;
  /** As in a success: a tool that fails is activated too. */
  readonly receipt?: string;
}

/** The result of a tool call. Mistakes of a model are results, never exceptions. */
export type ToolResult =
  | {
      readonly ok: true;
      readonly content: readonly ToolContent[];
      readonly structured?: JsonValue;
      /** The output exceeded the limit and was cut. */
      readonly truncated?: true;
      /** Names the whole result, for `tool_result`; set if the result was shortened for a model and is held. */
      readonly handle?: string;
      /**
       * For the end of the result's text: what is missing of a shortened result and how to read on, and that the tool is
       * deprecated.
       */
      readonly note?: string;
      /** This call activated the tool. */
      readonly activated?: true;
      /** To store at the end of the result's text. Set only if activations are kept in messages. */
      readonly receipt?: string;
    }
  | ToolFailure;

/** Returns the result of a failed call. */
export function failure(code: ToolSearchErrorCode, message: string, hint?: string): ToolFailure {
  return { ok: false, code, message, ...(hint === undefined ? {} : { hint }) };
}

/**
 * The failure that a caller may see for an error: a {@link ToolSearchError} keeps its message and hint; any other error
 * becomes `INTERNAL`, without its text.
 *
 * @param names of the caller's meta tools, for the hint
 */
export function failureOf(error: unknown, names: Partial<MetaNames> = OWN_META_NAMES): ToolFailure {
  if (isToolSearchError(error)) {
    const { retryAfterSeconds, limit, content } = error;
    const refused = failure(error.code, error.message, hintOf(error, names));
    const advice = {
      ...(limit !== undefined && { limit }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(content !== undefined && { content }),
    };
    return { ...refused, ...advice };
  }
  return failure(
    'INTERNAL',
    'Something went wrong on our side.',
    'Try again later; the operator finds the cause in the log.',
  );
}

/** The text of all blocks, joined by blank lines, for models that read text only. */
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
 * A whole result as text for a model and its conversation: the text content, or the structured content if there is
 * none, and a note if it was cut or shortened. A failure becomes its coded object as JSON. A receipt comes last.
 */
export function resultText(result: ToolResult): string {
  const text = result.ok ? successText(result) : JSON.stringify(failureObject(result));
  return result.receipt === undefined ? text : `${text}\n\n${result.receipt}`;
}

/** A failure as a model reads it: the tool's own output as text, without the receipt. */
export function failureObject({
  ok,
  code,
  message,
  hint,
  retryAfterSeconds,
  limit,
  content,
  note,
}: ToolFailure): Omit<ToolFailure, 'content'> & { readonly content?: string } {
  const words = content === undefined ? '' : contentText(content);
  return {
    ok,
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(limit !== undefined && { limit }),
    ...(words !== '' && { content: words }),
    ...(note !== undefined && { note }),
  };
}

function successText(result: Extract<ToolResult, { ok: true }>): string {
  const { content, structured } = result;
  const notes = lossNotes(result);
  if (content.length > 0) return [contentText(content), ...notes].join('\n\n');
  if (structured !== undefined) return [JSON.stringify(structured), ...notes].join('\n\n');
  return notes.length > 0 ? notes.join('\n\n') : 'The tool ran and returned nothing.';
}

/** The note in the text of a result that exceeded the limit. */
export const CUT_NOTE = '[cut: the result was too large]';

/** Returns the notes of a result that is not whole, for the end of its text; empty for a whole one. */
export function lossNotes({ truncated, note }: Extract<ToolResult, { ok: true }>): readonly string[] {
  return [...(truncated ? [CUT_NOTE] : []), ...(note === undefined ? [] : [note])];
}
