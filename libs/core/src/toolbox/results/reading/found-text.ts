import { pointerOf } from '../../../json/json-pointer.js';
import type { JsonValue } from '../../../json/json.js';
import type { ExactJson } from '../shaping/exact-json.js';

/** The matches of one answer. */
const MAX_MATCHES = 20;

/** A place of a text in a result. */
export interface Match {
  /** Of the value, in a JSON document. */
  readonly pointer?: string;
  /** Of the match, in a plain text. */
  readonly offset?: number;
  /** The surroundings. */
  readonly text: string;
}

/** The first matches, and whether there are more. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly isAll: boolean;
}

const BEFORE = 60;
const AFTER = 120;
/** A longer pointer is replaced by the one of the nearest part above. */
const POINTER_CHARS = 300;
/** Values that are looked at between two yields. */
const STEP = 2000;
/** Characters of a plain text that are looked at between two yields. */
const STEP_CHARS = 262_144;

type Child = readonly [key: string, value: JsonValue, isMember: boolean];

/**
 * Places of a text in the keys and values of a JSON document, in document order, in any case. Takes linear time and no
 * pattern, because a pattern of a model could block the event loop.
 *
 * @param path of `root` in the document
 * @param skip matches that come earlier
 */
export function* foundInJson(
  json: ExactJson,
  root: JsonValue,
  path: readonly string[],
  search: string,
  skip: number,
): Generator<undefined, Matches> {
  const pattern = literal(search);
  const found: Match[] = [];
  const steps = [...path];
  const open: Iterator<Child, undefined>[] = [children([root])];
  let looked = 0;
  let earlier = 0;
  while (open.length > 0 && found.length <= MAX_MATCHES) {
    const next: IteratorResult<Child> | undefined = open.at(-1)?.next();
    if (!next || next.done) {
      open.pop();
      if (open.length > 1) steps.pop();
      continue;
    }
    const [key, value, isMember] = next.value;
    if (open.length > 1) steps.push(key);
    const leaf = json.leaf(value);
    const at = leaf === undefined ? -1 : leaf.search(pattern);
    if ((at >= 0 || (isMember && key.search(pattern) >= 0)) && earlier++ >= skip) {
      found.push({ pointer: pointerWithin(steps), text: around(leaf ?? key, Math.max(0, at)) });
    }
    if (leaf === undefined) open.push(children(value));
    else if (open.length > 1) steps.pop();
    if (++looked % STEP === 0) yield;
  }
  return firstOf(found);
}

/** Places of a text in a plain text, as {@link foundInJson}. */
export function* foundInText(text: string, search: string, skip: number): Generator<undefined, Matches> {
  const pattern = literal(search);
  const found: Match[] = [];
  let earlier = 0;
  for (let start = 0; start < text.length && found.length <= MAX_MATCHES; start += STEP_CHARS) {
    // A match may begin in one part and end in the next.
    const part = text.slice(start, start + STEP_CHARS + search.length - 1);
    for (const { index } of part.matchAll(pattern)) {
      if (index >= STEP_CHARS || found.length > MAX_MATCHES) break;
      if (earlier++ >= skip) found.push({ offset: start + index, text: around(text, start + index) });
    }
    yield;
  }
  return firstOf(found);
}

function firstOf(found: readonly Match[]): Matches {
  return { matches: found.slice(0, MAX_MATCHES), isAll: found.length <= MAX_MATCHES };
}

function* children(value: JsonValue): Generator<Child, undefined> {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    for (const [index, item] of items.entries()) yield [String(index), item, false];
    return;
  }
  const members = value as Readonly<Record<string, JsonValue>>;
  for (const key in members) yield [key, members[key] ?? null, true];
}

/** Matches these characters in any case. */
function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu');
}

function pointerWithin(steps: readonly string[]): string {
  let pointer = pointerOf(steps);
  for (let depth = steps.length - 1; pointer.length > POINTER_CHARS; depth--)
    pointer = pointerOf(steps.slice(0, depth));
  return pointer;
}

function around(text: string, at: number): string {
  const start = Math.max(0, at - BEFORE);
  const part = text
    .slice(start, at + AFTER)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '');
  return `${start > 0 ? '…' : ''}${part}${at + AFTER < text.length ? '…' : ''}`;
}
