import type { ToolContent, ToolResult } from '@tool-search/core';
import { resultText } from '@tool-search/core/adapter';
import { lossNotes } from '@tool-search/core/internal';

/**
 * Image formats that all providers read (`Base64ImageSource` of Anthropic's SDK, OpenAI's guide to images). Any other
 * format would make them refuse the whole request, so it is described in text instead.
 */
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

export type ImageType = (typeof IMAGES)[number];

/** The format, or undefined for one that some providers refuse. */
export function imageType(mimeType: string | undefined): ImageType | undefined {
  return IMAGES.find((type) => type === mimeType);
}

export function readableImage(block: ToolContent): { readonly mimeType: ImageType; readonly data: string } | undefined {
  const mimeType = block.type === 'image' ? imageType(block.mimeType) : undefined;
  return mimeType && block.type === 'image' ? { mimeType, data: block.data } : undefined;
}

/**
 * A result for a model, in the library's own content blocks: a failure as its coded object in one text, structured
 * content where a tool returned nothing else. Never empty, because some providers refuse empty text. A receipt comes
 * last.
 */
export function resultContent(result: ToolResult): readonly ToolContent[] {
  if (!result.ok) return [textBlock(resultText(result))];
  const content = result.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (content.length === 0) return [textBlock(resultText({ ...result, content }))];
  const { receipt } = result;
  const notes = [...lossNotes(result), ...(receipt === undefined ? [] : [receipt])];
  return [...content, ...notes.map(textBlock)];
}

function textBlock(text: string): ToolContent {
  return { type: 'text', text };
}
