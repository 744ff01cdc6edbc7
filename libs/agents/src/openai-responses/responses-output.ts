import { contentText, type ToolContent, type ToolResult } from '@tool-search/core';
import type { ResponseFunctionCallOutputItem, ResponseInputItem } from 'openai/resources/responses/responses';
import { imageType, resultContent } from '../wire/result-content.js';

/**
 * Converts a result to the output of a function call: one text, or parts where the result contains more than text.
 * Content that the API cannot read is named in the text.
 */
export function functionOutput(result: ToolResult): ResponseInputItem.FunctionCallOutput['output'] {
  const content = resultContent(result);
  const parts = content.map(partOf);
  return parts.every(({ type }) => type === 'input_text') ? contentText(content) : parts;
}

function partOf(block: ToolContent): ResponseFunctionCallOutputItem {
  const file = block.type === 'resource' ? fileOf(block.resource) : undefined;
  const { mimeType, data } = block.type === 'image' ? block : (file ?? {});
  if (data !== undefined && mimeType !== undefined) {
    const url = `data:${mimeType};base64,${data}`;
    if (imageType(mimeType)) return { type: 'input_image', detail: 'auto', image_url: url };
    if (mimeType === 'application/pdf') {
      return { type: 'input_file', filename: file?.name ?? 'file.pdf', file_data: url };
    }
  }
  return { type: 'input_text', text: contentText([block]) };
}

function fileOf({ uri, mimeType, blob }: Extract<ToolContent, { type: 'resource' }>['resource']) {
  if (blob === undefined) return undefined;
  return { name: uri.split('/').at(-1) || 'file', mimeType, data: blob };
}
