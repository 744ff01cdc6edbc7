import { isObject, type JsonObject, type JsonSchema } from './json.js';

/** A location in a JSON value: its keys, outermost first. Array indexes are written as strings. */
export type JsonPath = readonly string[];

export function pointerOf(path: JsonPath): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pathOf(pointer: string): JsonPath {
  return pointer.split('/').slice(1).map(unescaped);
}

/** A copy without the object members at these JSON pointers. Pointers that do not exist are ignored. */
export function without(origin: JsonObject, pointers: readonly string[]): JsonObject {
  if (pointers.length === 0) return origin;
  const copy = structuredClone(origin);
  for (const pointer of pointers) {
    const path = pathOf(pointer);
    const last = path.at(-1);
    let node: unknown = copy;
    for (const key of path.slice(0, -1)) node = isNested(node) && Object.hasOwn(node, key) ? node[key] : undefined;
    // Array elements are kept: removing one would shift the elements after it.
    if (last !== undefined && isNested(node) && !Array.isArray(node)) delete node[last];
  }
  return copy;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Resolves `#` or `#/…` within a schema. Returns undefined if the pointer does not exist. */
export function schemaAt(schema: JsonSchema, reference: string): unknown {
  // By RFC 6901 `#/` is the key ''; Ajv reads it as the whole schema, and so does this.
  if (reference === '#' || reference === '#/') return schema;
  let node: unknown = schema;
  for (const key of referenceKeys(reference)) {
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

/** The keys that a reference like `#/components/schemas/Pet` leads along. */
export function referenceKeys(reference: string): JsonPath {
  return reference
    .slice(2)
    .split('/')
    .map((part) => unescaped(decoded(part)));
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
