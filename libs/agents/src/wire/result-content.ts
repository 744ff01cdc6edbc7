import { CUT_NOTE, resultText, type ToolContent, type ToolResult } from '@tool-search/core';

/**
 * Image formats that all providers read (`Base64ImageSource` of Anthropic's SDK, OpenAI's guide to images). Any other is
 * refused with the whole request, so it is named in words instead.
 */
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** A format that all providers read. */
export type ImageType = (typeof IMAGES)[number];

/** The format as providers know it; undefined for one that some of them refuse. */
export function imageType(mimeType: string | undefined): ImageType | undefined {
  return IMAGES.find((type) => type === mimeType);
}

/** An image that all providers read, or undefined. */
export function readableImage(block: ToolContent): { readonly mimeType: ImageType; readonly data: string } | undefined {
  const mimeType = block.type === 'image' ? imageType(block.mimeType) : undefined;
  return mimeType && block.type === 'image' ? { mimeType, data: block.data } : undefined;
}

/**
 * A result as a model reads it, still in the library's own blocks: a refusal as its coded object in one text, structured
 * content where a tool gave no other, and always something, for empty text is refused by some. A receipt comes last.
 */
export function resultContent(result: ToolResult): readonly ToolContent[] {
  if (!result.ok) return [textBlock(resultText(result))];
  const content = result.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (content.length === 0) return [textBlock(resultText({ ...result, content }))];
  const { truncated, receipt } = result;
  const notes = [...(truncated ? [CUT_NOTE] : []), ...(receipt === undefined ? [] : [receipt])];
  return [...content, ...notes.map(textBlock)];
}

function textBlock(text: string): ToolContent {
  return { type: 'text', text };
}
