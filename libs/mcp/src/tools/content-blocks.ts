import type { ToolContent } from '@tool-search/core';
import { depthOf, isObject } from '@tool-search/core/internal';
import { UnusableResult } from './unusable-result.js';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;
const KIND = /^[\w./+-]{1,40}$/;
/** Maximum nesting of what stands in the place of a text: far below a stack overflow. */
const MAX_DEPTH = 64;
/** Faults that a note names; further ones are only counted. */
const MAX_NAMED = 3;

/**
 * The blocks of a result in the form of the library, with nothing else that the server sent. One that cannot be read is
 * left out, and a last block of text names it.
 *
 * @throws UnusableResult if `raw` is no list, or if none of its blocks can be read
 */
export function readBlocks(raw: unknown): readonly ToolContent[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) throw new UnusableResult('has content that is no list');
  const read = raw.map(readBlock);
  const blocks = read.filter((each): each is ToolContent => typeof each !== 'string');
  const faults = read.filter((each): each is string => typeof each === 'string');
  if (faults.length === 0) return blocks;
  if (blocks.length === 0) throw new UnusableResult(`has ${faults[0]}, and nothing else`);
  return [...blocks, { type: 'text', text: leftOutNote(faults) }];
}

/** What stands in a result for blocks that were left out. */
export function leftOutNote(faults: readonly string[]): string {
  const named = [...new Set(faults)].slice(0, MAX_NAMED).join('; ');
  const [blocks, were] = faults.length === 1 ? ['block', 'was'] : ['blocks', 'were'];
  return `[${faults.length} ${blocks} of this result ${were} left out: ${named}]`;
}

/** One block, or the reason why it cannot be read. */
export function readBlock(raw: unknown): ToolContent | string {
  if (!isObject(raw)) return 'a block that is no object';
  // A block of text may come without its type: nothing else has only a text.
  const type = raw['type'] ?? (typeof raw['text'] === 'string' ? 'text' : undefined);
  switch (type) {
    case 'text':
      return textBlock(raw['text']);
    case 'image':
      return mediaBlock('image', raw);
    case 'audio':
      return mediaBlock('audio', raw);
    case 'resource_link':
      return linkBlock(raw);
    case 'resource':
      return isObject(raw['resource']) ? resourceBlock(raw['resource']) : 'a resource without content';
    default:
      return typeof type === 'string' && KIND.test(type)
        ? `a block of the unknown type "${type}"`
        : 'a block of an unknown type';
  }
}

/** A resource that is content. @param asked the URI that was read, which the server need not repeat */
export function resourceBlock(
  raw: Readonly<Record<string, unknown>>,
  asked?: string,
): Extract<ToolContent, { readonly type: 'resource' }> | string {
  const { text, blob } = raw;
  const uri = textOf(raw['uri']) ?? asked;
  if (uri === undefined) return 'a resource without its URI';
  const common = { uri, ...mimeTypeOf(raw) };
  if (typeof text === 'string') return { type: 'resource', resource: { ...common, text } };
  if (isBase64(blob)) return { type: 'resource', resource: { ...common, blob } };
  return typeof blob === 'string' ? 'a resource whose bytes are no base64' : 'a resource without content';
}

function textBlock(text: unknown): ToolContent | string {
  if (text === undefined || text === null) return 'a block of text without its text';
  if (typeof text === 'string') return { type: 'text', text };
  if (depthOf(text, MAX_DEPTH) > MAX_DEPTH) return `a block of text of more than ${MAX_DEPTH} levels`;
  return { type: 'text', text: JSON.stringify(text) };
}

function mediaBlock(type: 'image' | 'audio', raw: Readonly<Record<string, unknown>>): ToolContent | string {
  const kind = type === 'image' ? 'an image' : 'a sound';
  const given = raw['data'];
  if (typeof given !== 'string') return `${kind} without its data`;
  const [prefix = '', named] = DATA_URL.exec(given.slice(0, 200)) ?? [];
  const data = given.slice(prefix.length);
  const mimeType = textOf(raw['mimeType']) ?? named;
  if (mimeType === undefined) return `${kind} without its mimeType`;
  return isBase64(data) ? { type, data, mimeType } : `${kind} whose data is no base64`;
}

function linkBlock(raw: Readonly<Record<string, unknown>>): ToolContent | string {
  const uri = textOf(raw['uri']);
  if (uri === undefined) return 'a link without its URI';
  return { type: 'resource_link', uri, name: textOf(raw['name']) ?? uri, ...mimeTypeOf(raw) };
}

function mimeTypeOf({ mimeType }: Readonly<Record<string, unknown>>): { readonly mimeType?: string } {
  return typeof mimeType === 'string' ? { mimeType } : {};
}

function isBase64(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    atob(value);
    return true;
  } catch {
    return false;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
