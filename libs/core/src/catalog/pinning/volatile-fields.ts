import { isObject, type JsonObject } from '../../json/json.js';
import { isSameJson } from '../../json/stable-hash.js';
import { type JsonPath, pathOf, pointerOf } from '../../json/json-pointer.js';

export interface FetchDifference {
  /** Members that can be left out without changing what the tool is. */
  readonly volatile: readonly string[];
  /** Differences in what defines the tool: its name, its description, the structure of a schema. */
  readonly fixed: readonly string[];
}

/** A value's position: `outside` of what may be volatile, a `schema`, schemas in a list or by name, `free` data. */
type Place = 'outside' | 'schema' | 'schemas' | 'names' | 'free';

const SCHEMA_PARTS = new Set(['inputSchema', 'outputSchema', 'schema']);
const FREE_PARTS = new Set(['annotations', '_meta', 'extra', 'examples', 'example']);
// A server's description of itself is at the root, next to its tool.
const FREE_ROOTS = new Set(['server']);

// prettier-ignore
const SUBSCHEMAS = [
  'items', 'additionalItems', 'unevaluatedItems', 'contains', 'not', 'if', 'then', 'else',
  'additionalProperties', 'unevaluatedProperties', 'propertyNames',
];
const PLACES: Readonly<Record<string, Place>> = {
  ...placed('names', ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']),
  ...placed('schemas', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...placed('schema', SUBSCHEMAS),
};
// prettier-ignore
const STRUCTURE = new Set([
  'type', 'required', 'dependentRequired', 'dependencies', '$schema', '$id', '$anchor', '$dynamicAnchor',
  '$ref', '$dynamicRef', '$recursiveRef',
]);
// Removing these from a schema changes neither what it accepts nor what it describes.
const HARMLESS = new Set(['default', 'example', 'examples']);

/** Compares two fetches of one tool. A difference inside an array makes the member that holds the array volatile. */
export function fetchDifference(first: JsonObject, second: JsonObject): FetchDifference {
  const found = { volatile: [] as string[], fixed: [] as string[] };
  // Fast path: two fetches are almost always identical.
  if (JSON.stringify(first) === JSON.stringify(second)) return found;
  compare(first, second, [], 'outside', found);
  return found;
}

/** Whether an accepted tool may lose this volatile member without an approval. */
export function isHarmless(pointer: string): boolean {
  return HARMLESS.has(pathOf(pointer).at(-1) ?? '');
}

type Found = Readonly<Record<keyof FetchDifference, string[]>>;

function compare(a: unknown, b: unknown, path: JsonPath, place: Place, found: Found): void {
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      compareMember(a, b, [...path, key], place, found);
  } else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length && place !== 'free') {
    const each = place === 'schemas' || place === 'schema' ? 'schema' : place;
    for (const [index, item] of a.entries()) compare(item, b[index], [...path, String(index)], each, found);
  } else if (!isSameJson(a, b)) {
    found[place === 'free' ? 'volatile' : 'fixed'].push(pointerOf(path));
  }
}

type Members = Readonly<Record<string, unknown>>;

function compareMember(a: Members, b: Members, path: JsonPath, place: Place, found: Found): void {
  const key = path.at(-1) ?? '';
  const [left, right] = [ownOf(a, key), ownOf(b, key)];
  if (place === 'schema' && !Object.hasOwn(PLACES, key)) {
    if (!isSameJson(left, right)) found[STRUCTURE.has(key) ? 'fixed' : 'volatile'].push(pointerOf(path));
    return;
  }
  compare(left, right, path, placeOf(key, place, path.length === 1), found);
}

function placeOf(key: string, place: Place, isRoot: boolean): Place {
  if (place === 'free') return 'free';
  if (place === 'names') return 'schema';
  if (place === 'schema') return PLACES[key] ?? 'free';
  if (FREE_PARTS.has(key) || (isRoot && FREE_ROOTS.has(key))) return 'free';
  return SCHEMA_PARTS.has(key) ? 'schema' : 'outside';
}

function ownOf(members: Members, key: string): unknown {
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

function placed(place: Place, keywords: readonly string[]): Record<string, Place> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, place]));
}
