import type { MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { staleText } from '../wire/stale-text.js';

/** Tool names in the `tool_reference` blocks of a conversation. */
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

/** Texts of all tool results, oldest first. */
export function toolResultTexts(messages: readonly MessageParam[]): readonly string[] {
  return resultsIn(messages).flatMap(({ content = '' }) => {
    if (typeof content === 'string') return [content];
    return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  });
}

/** The newest text of the user, for hints. */
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
  const said = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return [...messages.slice(0, -1), { role: 'user', content: [...said, { type: 'text', text }] }];
}

function resultsIn(messages: readonly MessageParam[]): readonly ToolResultBlockParam[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user' && typeof content !== 'string' ? content.filter((block) => block.type === 'tool_result') : [],
  );
}
