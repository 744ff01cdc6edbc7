import { pathOf } from '../../../json/json-pointer.js';
import type { JsonValue } from '../../../json/json.js';
import { truncated } from '../../../json/safe-text.js';
import type { TokenCounter } from '../../../tool/token-count.js';
import { ToolSearchError } from '../../../tool/tool-search.error.js';
import type { ResultDocument } from '../held/held-results.js';
import { ExactJson } from '../shaping/exact-json.js';
import { FittedJson } from '../shaping/fitted-json.js';
import { withinBudget, type Written } from '../shaping/within-budget.js';
import { foundInJson, foundInText, type Matches } from './found-text.js';
import type { ReadRequest } from './read-request.js';

/** Characters of an answer beside what is read. */
const FRAME = 80;

/**
 * Reads a part of a result in at most `budget` tokens: what a pointer names, the next items, keys or characters, or the
 * places of a text. Yields between short pieces of work; takes time in proportion to the document.
 *
 * @returns JSON, or plain text after a line that says where it is
 * @throws ToolSearchError `INVALID_ARGUMENTS` for a pointer that leads nowhere
 */
export function* readDocument(
  document: ResultDocument,
  request: ReadRequest,
  budget: number,
  count: TokenCounter,
): Generator<undefined, string> {
  const { pointer, search } = request;
  const own = yield* ExactJson.of(document.text);
  const json = own ?? (document.structured === undefined ? undefined : yield* ExactJson.of(document.structured));
  yield;
  const isPlain = !own && pointer === undefined;
  if (isPlain || !json) {
    if (pointer !== undefined)
      throw nowhere('The result is plain text.', 'Read it with offset, or find a text with search.');
    if (search === undefined) return yield* fitted((room) => textPart(document.text, request, room), budget, count);
    const matches = yield* foundInText(document.text, search, request.offset);
    return yield* fitted((room) => matchList(matches, request, room), budget, count);
  }
  const path = pathOf(pointer ?? '');
  const value = valueAt(json, path);
  if (search !== undefined) {
    const matches = yield* foundInJson(json, value, path, search, request.offset);
    return yield* fitted((room) => matchList(matches, request, room), budget, count);
  }
  const read = readerOf(json, value, path, request);
  return yield* fitted(read, budget, count);
}

function* fitted(write: (room: number) => Written, budget: number, count: TokenCounter): Generator<undefined, string> {
  return (yield* withinBudget((room) => write(Math.max(0, room - FRAME)), budget, count)).text;
}

/** @throws ToolSearchError `INVALID_ARGUMENTS` that names the last part that exists */
function valueAt(json: ExactJson, path: readonly string[]): JsonValue {
  let value = json.value;
  for (const [depth, key] of path.entries()) {
    const isItem = Array.isArray(value) && /^(?:0|[1-9]\d{0,15})$/.test(key) && Number(key) < value.length;
    const isMember = isKeyed(value) && Object.hasOwn(value, key);
    if (!isItem && !isMember)
      throw nowhere(`There is nothing at this pointer: ${partial(depth)} is ${kindOf(json, value)}.`);
    value = (value as Readonly<Record<string, JsonValue>>)[key] ?? null;
  }
  return value;
}

function partial(depth: number): string {
  return depth === 0 ? 'the whole result' : `its beginning, of ${depth} part${depth === 1 ? '' : 's'},`;
}

function kindOf(json: ExactJson, value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length} items`;
  if (!isKeyed(value)) return json.string(value) === undefined ? 'a number, true, false or null' : 'a text';
  const keys = Object.keys(value);
  return `an object with the keys ${keys
    .slice(0, 20)
    .map((key) => JSON.stringify(truncated(key, 40)))
    .join(', ')}${keys.length > 20 ? ', …' : ''}`;
}

function isKeyed(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readerOf(
  json: ExactJson,
  value: JsonValue,
  path: readonly string[],
  { offset, limit = Infinity }: ReadRequest,
): (room: number) => Written {
  const string = json.string(value);
  if (string !== undefined) return (room) => stringPart(string, offset, limit, room);
  if (Array.isArray(value)) {
    const all = value as readonly JsonValue[];
    const items = all.slice(offset, offset + limit);
    return (room) => {
      const writer = new FittedJson(json, path);
      const { texts } = writer.items(items, room, 0, 1, offset);
      const next = offset + texts.length;
      const rest = next < all.length ? `,"next":${next}` : '';
      const isWhole = texts.length === items.length && writer.isWhole;
      return { text: `{"total":${all.length},"offset":${offset},"items":[${texts.join(',')}]${rest}}`, isWhole };
    };
  }
  if (isKeyed(value) && (offset > 0 || limit < Infinity)) {
    const keys = json.keys(value);
    const wanted = keys.slice(offset, offset + limit);
    return (room) => {
      const writer = new FittedJson(json, path);
      const { texts } = writer.members(value, wanted, room);
      const next = offset + texts.length;
      const rest = next < keys.length ? `,"next":${next}` : '';
      return {
        text: `{"total":${keys.length},"offset":${offset},"members":{${texts.join(',')}}${rest}}`,
        isWhole: writer.isWhole,
      };
    };
  }
  return (room) => {
    const writer = new FittedJson(json, path);
    const text = `{"value":${writer.value(value, room)}}`;
    return { text, isWhole: writer.isWhole };
  };
}

function stringPart(string: string, offset: number, limit: number, room: number): Written {
  const wanted = Math.min(string.length - offset, limit);
  let part = truncated(string.slice(offset), Math.max(0, Math.min(wanted, room)));
  for (
    let length = JSON.stringify(part).length;
    length > room + 2 && part.length > 1;
    length = JSON.stringify(part).length
  ) {
    part = truncated(part, Math.floor((part.length * room) / length));
  }
  const next = offset + part.length;
  const rest = next < string.length ? `,"next":${next}` : '';
  const text = `{"total":${string.length},"offset":${offset},"text":${JSON.stringify(part)}${rest}}`;
  return { text, isWhole: part.length >= wanted };
}

function textPart(text: string, { offset, limit = Infinity }: ReadRequest, room: number): Written {
  const wanted = Math.max(0, Math.min(text.length - offset, limit));
  const part = truncated(text.slice(offset, offset + Math.min(wanted, room)), wanted);
  const next = offset + part.length;
  const rest = next < text.length ? `; read on with offset ${next}` : '';
  return {
    text: `[characters ${offset} to ${next} of ${text.length}${rest}]\n${part}`,
    isWhole: part.length >= wanted,
  };
}

function matchList({ matches, isAll }: Matches, { offset, limit = Infinity }: ReadRequest, room: number): Written {
  const texts: string[] = [];
  const wanted = Math.min(matches.length, limit);
  let left = room;
  for (const match of matches.slice(0, wanted)) {
    const text = JSON.stringify(match);
    if (text.length > left && texts.length > 0) break;
    texts.push(text);
    left -= text.length + 1;
  }
  const rest = texts.length < matches.length || !isAll ? `,"next":${offset + texts.length}` : '';
  return { text: `{"matches":[${texts.join(',')}]${rest}}`, isWhole: texts.length === wanted };
}

function nowhere(message: string, hint = 'Read a part that exists, or find a text with search.'): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', message, { hint });
}
