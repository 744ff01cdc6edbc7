import type { JsonObject } from './json.js';

/** A location in a JSON value: its keys, outermost first. Array indexes are written as strings. */
export type JsonPath = readonly string[];

/** Formats a path as a JSON pointer (RFC 6901). */
export function pointerOf(path: JsonPath): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Parses a JSON pointer (RFC 6901). */
export function pathOf(pointer: string): JsonPath {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
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
