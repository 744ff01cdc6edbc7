import { contentText, CUT_NOTE, failureObject, resultText, type ToolContent, type ToolResult } from '@tool-search/core';
import type { Tool } from 'ai';
import { besideJson, besideReferences } from './beside-references.js';
import { referenceBlock } from './model-references.js';

/** What the AI SDK hands to a provider as the output of one tool call. */
export type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * A result as a model reads it: text as text, with images as files beside it, structured content where there is no text,
 * and a refusal as the coded object, marked as an error. A receipt is in it, wherever it is found again. Tools that an answer has found become references, with text
 * before them only where there is more to say than their definitions do.
 *
 * @param references names of tools that the provider is told to show by reference
 */
export function modelOutput(result: ToolResult, references: ReadonlySet<string> = new Set()): ModelOutput {
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
  if (references.size > 0) {
    const said = [besideReferences(result, references), contentText(besideJson(result)), receipt];
    const texts = said.flatMap((text) => (text === undefined || text === '' ? [] : [{ type: 'text' as const, text }]));
    return { type: 'content', value: [...texts, ...[...references].map(referenceBlock)] };
  }
  const isText = content.length > 0 || structured === undefined || truncated || receipt !== undefined;
  if (isText) return { type: 'text', value: resultText(result) };
  return { type: 'json', value: JSON.parse(JSON.stringify(structured)) };
}

function blockOf(block: ToolContent): Extract<ModelOutput, { type: 'content' }>['value'][number] {
  if (block.type !== 'image') return { type: 'text', text: contentText([block]) };
  return { type: 'file', mediaType: block.mimeType, data: { type: 'data', data: block.data } };
}
