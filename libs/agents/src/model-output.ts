import { contentText, CUT_NOTE, failureObject, resultText, type ToolContent, type ToolResult } from '@tool-search/core';
import type { Tool } from 'ai';

/** What the AI SDK hands to a provider as the output of one tool call. */
export type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * A result as a model reads it: text as text, with images as files beside it, structured content where there is no text,
 * and a refusal as the coded object, marked as an error. A receipt is in it, wherever it is found again.
 */
export function modelOutput(result: ToolResult): ModelOutput {
  const { receipt } = result;
  if (!result.ok) {
    return { type: 'error-json', value: { ...failureObject(result), ...(receipt !== undefined && { receipt }) } };
  }
  const { content, structured, truncated } = result;
  if (content.some((block) => block.type === 'image')) {
    const notes = [...(truncated ? [CUT_NOTE] : []), ...(receipt === undefined ? [] : [receipt])];
    return {
      type: 'content',
      value: [...content, ...notes.map((text) => ({ type: 'text' as const, text }))].map(blockOf),
    };
  }
  const isText = content.length > 0 || structured === undefined || truncated || receipt !== undefined;
  if (isText) return { type: 'text', value: resultText(result) };
  return { type: 'json', value: JSON.parse(JSON.stringify(structured)) };
}

function blockOf(block: ToolContent): Extract<ModelOutput, { type: 'content' }>['value'][number] {
  if (block.type !== 'image') return { type: 'text', text: contentText([block]) };
  return { type: 'file', mediaType: block.mimeType, data: { type: 'data', data: block.data } };
}
