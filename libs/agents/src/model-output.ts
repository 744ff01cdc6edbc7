import { contentText, type ToolContent, type ToolResult } from '@tool-search/core';
import type { Tool } from 'ai';

/** What the AI SDK hands to a provider as the output of one tool call. */
export type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * A result as a model reads it: text as text, with images as files beside it, structured content where there is no text,
 * and a refusal as the coded object, marked as an error.
 */
export function modelOutput(result: ToolResult): ModelOutput {
  if (!result.ok) {
    const { ok, code, message, hint, content } = result;
    const said = content === undefined ? '' : contentText(content);
    return {
      type: 'error-json',
      value: { ok, code, message, ...(hint !== undefined && { hint }), ...(said !== '' && { content: said }) },
    };
  }
  const cut: readonly ToolContent[] = result.truncated
    ? [{ type: 'text', text: '[cut: the result was too large]' }]
    : [];
  const content = [...result.content, ...cut];
  if (content.some((block) => block.type === 'image')) return { type: 'content', value: content.map(blockOf) };
  if (result.content.length > 0) return { type: 'text', value: contentText(content) };
  if (result.structured !== undefined) return { type: 'json', value: JSON.parse(JSON.stringify(result.structured)) };
  return { type: 'text', value: 'The tool ran and returned nothing.' };
}

function blockOf(block: ToolContent): Extract<ModelOutput, { type: 'content' }>['value'][number] {
  if (block.type !== 'image') return { type: 'text', text: contentText([block]) };
  return { type: 'file', mediaType: block.mimeType, data: { type: 'data', data: block.data } };
}
