import type { TextBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { contentText, resultText, type ToolResult } from '@tool-search/core';
import { besideJson, residualContent } from '../wire/residual-content.js';
import { readableImage, resultContent } from '../wire/result-content.js';

type Block = Exclude<ToolResultBlockParam['content'], string | undefined>[number];

/**
 * Converts a result to a `tool_result` block: text as one string; images as blocks beside it; structured content where
 * there is no text; a failure as a coded object, marked as an error. Tools that an answer has found become
 * `tool_reference` blocks, preceded by text only where it contains more than their definitions.
 *
 * @param references names of tools that every later request declares as deferred
 */
export function anthropicResult(
  toolUseId: string,
  result: ToolResult,
  references: ReadonlySet<string> = new Set(),
): ToolResultBlockParam {
  const block = { type: 'tool_result' as const, tool_use_id: toolUseId };
  if (!result.ok) return { ...block, content: resultText(result), is_error: true };
  if (references.size > 0) return { ...block, content: referenceBlocks(result, references) };
  return { ...block, content: contentOf(result) };
}

function referenceBlocks(result: Extract<ToolResult, { ok: true }>, references: ReadonlySet<string>): Block[] {
  const said = [residualContent(result, references), contentText(besideJson(result)), result.receipt];
  return [
    ...said.flatMap((text) => (text === undefined ? [] : textBlocks(text))),
    ...[...references].map((name) => ({ type: 'tool_reference' as const, tool_name: name })),
  ];
}

function contentOf(result: ToolResult): string | Block[] {
  const content = resultContent(result);
  if (!content.some(readableImage)) return contentText(content);
  return content.flatMap((block): Block[] => {
    const image = readableImage(block);
    if (!image) return textBlocks(contentText([block]));
    return [{ type: 'image', source: { type: 'base64', media_type: image.mimeType, data: image.data } }];
  });
}

function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}
