import type { DefinitionChange } from '../../tool/definition-change.js';
import { isObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { shownText } from '../ingest/hidden-text.js';
import { type JsonPath, pathOf, pointerOf } from '../../json/json-pointer.js';

const MAX_CHANGES = 100;
const MAX_CHARS = 2000;
const MAX_PATH = 1000;
/** Characters of unchanged text shown before the first difference. */
const LEAD = 200;
const MAX_FIELDS = 8;
// Fields that models read first. An operator must not miss them behind a hundred other changes.
const WORDS = new Set(['name', 'title', 'description', 'instructions']);
// A key is text chosen by the source; only plain names are repeated in messages.
const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,31}$/;

interface Leaf {
  readonly path: JsonPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/**
 * The changes leaf by leaf: at most 100, names and descriptions first. Texts are cut to 2,000 characters, and invisible
 * characters are written as escapes.
 *
 * @param before undefined for a tool that was never accepted
 */
export function definitionChanges(before: JsonObject | undefined, after: JsonObject): readonly DefinitionChange[] {
  const leaves = leavesOf(before ?? {}, after);
  const ordered = leaves.toSorted((a, b) => Number(isWords(b)) - Number(isWords(a)));
  return ordered.slice(0, MAX_CHANGES).map(shownChange);
}

/** Names of the fields in which two origins differ, for a log line. Keys that are not plain names are not repeated. */
export function changedFields(before: JsonObject, after: JsonObject): string {
  return fieldNames(leavesOf(before, after).map(({ path }) => path));
}

export function fieldsAt(pointers: readonly string[]): string {
  return fieldNames(pointers.map(pathOf));
}

function fieldNames(paths: readonly JsonPath[]): string {
  // An MCP origin has the tool in the member `tool`; the fields of that member are meant.
  const fields = paths.map(([first = '', second]) => (first === 'tool' && second !== undefined ? second : first));
  const named = [...new Set(fields.map((field) => (PLAIN_KEY.test(field) ? field : 'other fields')))];
  const more = named.length - MAX_FIELDS;
  return named.slice(0, MAX_FIELDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function leavesOf(before: JsonValue, after: JsonValue): Leaf[] {
  const found: Leaf[] = [];
  collect(before, after, [], found);
  return found;
}

function collect(before: JsonValue | undefined, after: JsonValue | undefined, path: JsonPath, found: Leaf[]): void {
  if (before === after) return;
  const [left, right] = [membersOf(before), membersOf(after)];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  const isInner =
    left && right
      ? Array.isArray(before) === Array.isArray(after)
      : (before === undefined || after === undefined) && keys.size > 0;
  if (!isInner) found.push({ path, before, after });
  else for (const key of keys) collect(ownOf(left, key), ownOf(right, key), [...path, key], found);
}

type Members = Readonly<Record<string, JsonValue>>;

function membersOf(value: JsonValue | undefined): Members | undefined {
  return Array.isArray(value) || isObject(value) ? (value as unknown as Members) : undefined;
}

function ownOf(members: Members | undefined, key: string): JsonValue | undefined {
  return members && Object.hasOwn(members, key) ? members[key] : undefined;
}

function isWords({ path }: Leaf): boolean {
  return WORDS.has(path.at(-1) ?? '');
}

function shownChange({ path, before, after }: Leaf): DefinitionChange {
  const start = firstDifference(before, after);
  return {
    path: shownText(pointerOf(path).slice(0, MAX_PATH)),
    ...(before !== undefined && { before: shownValue(before, start) }),
    ...(after !== undefined && { after: shownValue(after, start) }),
  };
}

// Offset of the first difference of two texts: a change beyond the cut must not be hidden by an unchanged beginning.
function firstDifference(before: JsonValue | undefined, after: JsonValue | undefined): number {
  if (typeof before !== 'string' || typeof after !== 'string') return 0;
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  return at;
}

function shownValue(value: JsonValue, difference: number): JsonValue {
  if (typeof value === 'string') {
    const start = value.length <= MAX_CHARS ? 0 : Math.max(0, difference - LEAD);
    const cut = value.slice(start, start + MAX_CHARS - 2);
    const text =
      value.length <= MAX_CHARS
        ? value
        : `${start > 0 ? '…' : ''}${cut}${start + cut.length < value.length ? '…' : ''}`;
    return shownText(text).slice(0, MAX_CHARS);
  }
  // If the type changed, one side may be a whole tree.
  if (typeof value === 'object' && value !== null)
    return shownText(JSON.stringify(value).slice(0, MAX_CHARS)).slice(0, MAX_CHARS);
  return value;
}
