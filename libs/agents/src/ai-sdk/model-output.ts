import type { ToolContent, ToolResult } from '@tool-search/core';
import { contentText, failureObject } from '@tool-search/core/adapter';
import type { Tool } from 'ai';
import { besideJson, residualContent } from '../wire/tool-references.js';
import { referenceBlock } from './model-references.js';
import { readableImage, resultContent } from '../wire/result-content.js';

export type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * Converts a result for the model: text as text, with images as files beside it; structured content where there is no
 * text; a failure as a coded object, marked as an error. A receipt is always included. Tools that an answer has found
 * become references, preceded by text only where it contains more than their definitions.
 *
 * @param references names of tools that the provider shows by reference
 */
export function modelOutput(result: ToolResult, references: ReadonlySet<string> = new Set()): ModelOutput {
  const { receipt } = result;
  if (!result.ok) {
    return { type: 'error-json', value: { ...failureObject(result), ...(receipt !== undefined && { receipt }) } };
  }
  const content = resultContent(result);
  if (content.some(readableImage)) return { type: 'content', value: content.map(blockOf) };
  if (references.size > 0) {
    const parts = [residualContent(result, references), contentText(besideJson(result)), receipt];
    const texts = parts.flatMap((text) => (text === undefined || text === '' ? [] : [{ type: 'text' as const, text }]));
    return { type: 'content', value: [...texts, ...[...references].map(referenceBlock)] };
  }
  const { structured, truncated } = result;
  const isText = result.content.length > 0 || structured === undefined || truncated || receipt !== undefined;
  if (isText) return { type: 'text', value: contentText(content) };
  return { type: 'json', value: JSON.parse(JSON.stringify(structured)) };
}

function blockOf(block: ToolContent): Extract<ModelOutput, { type: 'content' }>['value'][number] {
  const image = readableImage(block);
  if (!image) return { type: 'text', text: contentText([block]) };
  return { type: 'file', mediaType: image.mimeType, data: { type: 'data', data: image.data } };
}
