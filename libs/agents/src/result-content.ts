import { CUT_NOTE, resultText, type ToolContent, type ToolResult } from '@tool-search/core';

/**
 * A result as a model reads it, still in the library's own blocks: a refusal as its coded object in one text, structured
 * content where a tool gave no other, and always something. A receipt comes last.
 */
export function resultContent(result: ToolResult): readonly ToolContent[] {
  if (!result.ok || result.content.length === 0) return [textBlock(resultText(result))];
  const { content, truncated, receipt } = result;
  const notes = [...(truncated ? [CUT_NOTE] : []), ...(receipt === undefined ? [] : [receipt])];
  return [...content, ...notes.map(textBlock)];
}

function textBlock(text: string): ToolContent {
  return { type: 'text', text };
}
