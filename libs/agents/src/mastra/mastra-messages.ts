import { isObject } from '@tool-search/core/internal';
import type { MastraMessage } from './mastra-types.js';

export function userText(messages: readonly MastraMessage[]): string {
  const parts = messages.findLast(({ role }) => role === 'user')?.content.parts ?? [];
  const texts = parts.map((part) => (isObject(part) && part['type'] === 'text' ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join(' ');
}

/** The receipts in the results of the toolbox's tools, and the results of other tools that are texts. */
export function resultTexts(messages: readonly MastraMessage[]): readonly string[] {
  return messages.flatMap(({ content }) => content.parts.flatMap(textOf));
}

function textOf(part: object): readonly string[] {
  const invocation = isObject(part) ? part['toolInvocation'] : undefined;
  const result = isObject(invocation) ? invocation['result'] : undefined;
  const text = isObject(result) ? result['receipt'] : result;
  return typeof text === 'string' ? [text] : [];
}
