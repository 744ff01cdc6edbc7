/** A value that JSON can represent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object that JSON can represent. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema document (draft-07 or 2020-12). `$schema` selects the dialect; 2020-12 when absent. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Whether a value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined for a text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Nesting depth of a JSON value, `limit + 1` if deeper. Iterative: a hostile document cannot exhaust the stack. */
export function depthOf(value: unknown, limit: number): number {
  // Sets visit a shared part once per level, not once per path to it.
  let level = new Set([value].filter(isNested));
  let depth = 0;
  while (level.size > 0 && ++depth <= limit) {
    const next = new Set<object>();
    for (const item of level) for (const child of Object.values(item)) if (isNested(child)) next.add(child);
    level = next;
  }
  return depth;
}

/** Number of values in a JSON value, itself and each list and object included. Recursive: bound its depth before. */
export function valueCount(value: unknown): number {
  if (value === undefined) return 0;
  if (!isNested(value)) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + valueCount(child), 1);
}

/** Whether a value is an object, a list included. */
export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Keys that can reach an object's prototype. Never use them to look up or copy untrusted data. */
export const POISONED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether every object has this key, as `toString`. class-transformer silently omits such keys from its copies. */
export const isInheritedKey = (key: string): boolean => key === 'prototype' || key in Object.prototype;

/** Finds a key that can reach an object's prototype, at any depth; undefined if there is none. */
export function poisonedKey(
  value: unknown,
  isPoisoned: (key: string) => boolean = (key) => POISONED_KEYS.has(key),
): string | undefined {
  // Iterating a Set also visits the items added during the iteration.
  const found = new Set([value].filter(isNested));
  for (const item of found) {
    for (const [key, child] of Object.entries(item)) {
      if (!Array.isArray(item) && isPoisoned(key)) return key;
      if (isNested(child)) found.add(child);
    }
  }
  return undefined;
}

/** Freezes a plain JSON value recursively, in place, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (isNested(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
