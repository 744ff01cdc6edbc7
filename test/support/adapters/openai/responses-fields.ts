import { isObject } from '@tool-search/core/internal';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A request that the API rejects, with the API's error message. */
export class RefusedRequest extends Error {
  constructor(
    message: string,
    /** Path in the body. */
    readonly param: string,
  ) {
    super(message);
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** All text of a message's content or of a call's output. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts: readonly unknown[] = content;
  return parts.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('\n');
}

/** Rejects fields that the API does not know. @throws RefusedRequest */
export function knownKeys(fields: Fields, known: readonly string[], at: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new RefusedRequest(`Unknown parameter: '${at}.${unknown}'.`, `${at}.${unknown}`);
}

/** @throws RefusedRequest */
export function nameOf(name: unknown, at: string): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new RefusedRequest(`Invalid '${at}': expected a string that matches '${NAME.source}'.`, at);
}

/** @throws RefusedRequest */
export function textOf(text: unknown, at: string): string {
  if (typeof text === 'string') return text;
  throw new RefusedRequest(`Invalid type for '${at}': expected a string.`, at);
}

/** @throws RefusedRequest */
export function listOf(list: unknown, at: string): readonly unknown[] {
  if (Array.isArray(list)) return list;
  throw new RefusedRequest(`Invalid type for '${at}': expected an array.`, at);
}

/** @throws RefusedRequest */
export function objectOf(value: unknown, at: string): Fields {
  if (isObject(value)) return value;
  throw new RefusedRequest(`Invalid type for '${at}': expected an object.`, at);
}
