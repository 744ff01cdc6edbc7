import type { SourceAnswer, ToolContent } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import { leftOutNote, readBlock, resourceBlock } from '../tools/content-blocks.js';
import { UnusableResult } from '../tools/unusable-result.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The content of a resource, one block for each part. Parts that cannot be read are left out, and a last one names them.
 *
 * @param uri the URI that was read
 * @throws UnusableResult if nothing can be read
 */
export function resourceAnswer(result: Members, uri: string): SourceAnswer {
  const read = listOf(result, 'contents').map((part) =>
    isObject(part) ? resourceBlock(part, uri) : 'a part that is no object',
  );
  const content = read.filter((each) => typeof each !== 'string');
  const faults = read.filter((each): each is string => typeof each === 'string');
  if (faults.length === 0) return { content };
  if (content.length === 0) throw new UnusableResult(`has ${faults[0]}, and nothing else`);
  const note = { uri, mimeType: 'text/plain', text: leftOutNote(faults) };
  return { content: [...content, { type: 'resource', resource: note }] };
}

/**
 * The messages of a prompt, one block for each, with their roles. A note stands for a block that cannot be read.
 *
 * @throws UnusableResult if there is no list of messages, or a message has no role
 */
export function promptAnswer(result: Members): SourceAnswer {
  const messages = listOf(result, 'messages').flatMap(blocksOf);
  const { description } = result;
  const roles = messages.map(({ role }) => role);
  const content = messages.map(({ block }) => block);
  return { content, structured: { roles, ...(typeof description === 'string' && { description }) } };
}

/** A message with several blocks counts as several messages, and a text as a block. */
function blocksOf(raw: unknown): readonly { readonly role: string; readonly block: ToolContent }[] {
  const { role, content } = isObject(raw) ? raw : {};
  if (role !== 'user' && role !== 'assistant') throw new UnusableResult('has a message without a known role');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((each) => {
    const block = typeof each === 'string' ? ({ type: 'text', text: each } as const) : readBlock(each);
    return { role, block: typeof block === 'string' ? { type: 'text', text: leftOutNote([block]) } : block };
  });
}

/** A list of a result. Null is an empty one; a missing one is none. */
function listOf(result: Members, name: string): readonly unknown[] {
  const list = result[name];
  if (list === null) return [];
  if (!Array.isArray(list)) throw new UnusableResult(`has no list of ${name}`);
  return list;
}
