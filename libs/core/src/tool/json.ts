/** Any value that survives JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema document (draft-07 or 2020-12); the dialect is read from `$schema`, 2020-12 when absent. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Whether a value is an object in the JSON sense: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Depth of a JSON value, counted without recursion so that a hostile document cannot exhaust the stack.
 * Stops as soon as `limit` is passed and then returns `limit + 1`.
 */
export function depthOf(value: unknown, limit: number): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'object' && item !== null) next.push(...Object.values(item));
    }
    if (next.length > 0 || level.some((item) => typeof item === 'object' && item !== null)) depth += 1;
    if (depth > limit) return limit + 1;
    level = next;
  }
  return depth;
}

const POISONED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** The first key that could reach an object's prototype, or undefined. Expects a value whose depth is already bounded. */
export function poisonedKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && POISONED_KEYS.has(key)) return key;
    const found = poisonedKey((value as Record<string, unknown>)[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Freezes a plain JSON tree in place and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
