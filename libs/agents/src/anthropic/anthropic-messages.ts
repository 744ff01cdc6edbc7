import type { MessageParam, TextBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { besideJson, residualContent, staleText } from '../wire/tool-references.js';
import type { ToolResult } from '@tool-search/core';
import { contentText, resultText } from '@tool-search/core/adapter';
import { readableImage, resultContent } from '../wire/result-content.js';

export function referencedNames(messages: readonly MessageParam[]): ReadonlySet<string> {
  const blocks = resultsIn(messages).flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return new Set(blocks.flatMap((block) => (block.type === 'tool_reference' ? [block.tool_name] : [])));
}

/**
 * Replaces references that the API would refuse ("not found in available tools") by text. Messages without such a
 * reference stay the same objects.
 *
 * @param deferred names that may be referenced
 * @param listed names of all tools of the request
 */
export function withoutStaleReferences(
  messages: readonly MessageParam[],
  deferred: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): MessageParam[] {
  const isStale = (block: { type: string; tool_name?: string }) =>
    block.type === 'tool_reference' && !deferred.has(block.tool_name ?? '');
  const isTouched = ({ content }: ToolResultBlockParam) => Array.isArray(content) && content.some(isStale);
  const cleaned = (result: ToolResultBlockParam): ToolResultBlockParam => {
    if (!Array.isArray(result.content)) return result;
    const content = result.content.map((block) =>
      block.type === 'tool_reference' && isStale(block)
        ? { type: 'text' as const, text: staleText(block.tool_name, listed.has(block.tool_name)) }
        : block,
    );
    return { ...result, content };
  };
  return messages.map((message) => {
    if (!resultsIn([message]).some(isTouched) || message.role !== 'user' || typeof message.content === 'string') {
      return message;
    }
    return {
      ...message,
      content: message.content.map((block) => (block.type === 'tool_result' ? cleaned(block) : block)),
    };
  });
}

export function toolResultTexts(messages: readonly MessageParam[]): readonly string[] {
  return resultsIn(messages).flatMap(({ content = '' }) => {
    if (typeof content === 'string') return [content];
    return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  });
}

export function newestUserText(messages: readonly MessageParam[]): string {
  for (const message of messages.toReversed()) {
    if (message.role !== 'user') continue;
    const { content } = message;
    if (typeof content === 'string') return content;
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
    if (text !== '') return text;
  }
  return '';
}

/** Adds a text after the last message, unless that is an assistant's, which the model continues. */
export function withTextAtEnd(messages: readonly MessageParam[], text: string): MessageParam[] {
  const last = messages.at(-1);
  if (text === '' || last?.role !== 'user') return [...messages];
  const { content } = last;
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return [...messages.slice(0, -1), { role: 'user', content: [...blocks, { type: 'text', text }] }];
}

function resultsIn(messages: readonly MessageParam[]): readonly ToolResultBlockParam[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user' && typeof content !== 'string' ? content.filter((block) => block.type === 'tool_result') : [],
  );
}

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
  const texts = [residualContent(result, references), contentText(besideJson(result)), result.receipt];
  return [
    ...texts.flatMap((text) => (text === undefined ? [] : textBlocks(text))),
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
