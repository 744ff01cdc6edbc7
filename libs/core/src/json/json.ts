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
  // Sets: a part that many places share is looked at once per level, not once per path to it.
  let level = new Set([value].filter(isNested));
  let depth = 0;
  while (level.size > 0 && ++depth <= limit) {
    const next = new Set<object>();
    for (const item of level) for (const child of Object.values(item)) if (isNested(child)) next.add(child);
    level = next;
  }
  return depth;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Keys that could reach an object's prototype; nothing from outside may be looked up or copied by them. */
export const POISONED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A key of every object, such as `toString`. class-transformer leaves these out of what it copies, without a word. */
export const isInheritedKey = (key: string): boolean => key === 'prototype' || key in Object.prototype;

/** A key that could reach an object's prototype, or undefined when the value has none. */
export function poisonedKey(
  value: unknown,
  isPoisoned: (key: string) => boolean = (key) => POISONED_KEYS.has(key),
): string | undefined {
  // A set hands out what is added while it is walked.
  const found = new Set([value].filter(isNested));
  for (const item of found) {
    for (const [key, child] of Object.entries(item)) {
      if (!Array.isArray(item) && isPoisoned(key)) return key;
      if (isNested(child)) found.add(child);
    }
  }
  return undefined;
}

/** Freezes a plain JSON tree in place and returns it. */
export function deepFreeze<T>(value: T): T {
  if (isNested(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
