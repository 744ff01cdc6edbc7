import { firstOf } from '../../collections/records.js';
import { isObject, type JsonObject, type JsonSchema, type JsonValue, POISONED_KEYS } from '../../json/json.js';
import { schemaAt } from '../../json/json-pointer.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** Steps of completing the arguments of one call: far more than schemas of tools need, far less than a millisecond. */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 200;

/**
 * Arguments as the tool would complete them: with the defaults of its schema, and of those of nested objects and lists.
 * Undefined if that takes more work than its bound.
 */
export function completedArguments(
  { inputSchema }: Pick<ToolDefinition, 'inputSchema'>,
  given: JsonObject,
): JsonObject | undefined {
  const budget = { left: MAX_STEPS };
  const whole = completed(inputSchema, given, { root: inputSchema, budget }, 0);
  return budget.left < 0 ? undefined : (whole as JsonObject);
}

interface Completion {
  readonly root: JsonSchema;
  readonly budget: { left: number };
}

function completed(schema: unknown, value: JsonValue, completion: Completion, depth: number): JsonValue {
  const { root, budget } = completion;
  if (depth > MAX_DEPTH) budget.left = -1;
  if (budget.left < 0 || !isObject(schema)) return value;
  budget.left -= 1;
  const next = (inner: unknown, own: JsonValue) => completed(inner, own, completion, depth + 1);
  const { $ref: reference, allOf, properties, items } = schema;
  let whole = value;
  if (typeof reference === 'string') whole = next(schemaAt(root, reference), whole);
  if (Array.isArray(allOf)) for (const each of allOf) whole = next(each, whole);
  if (Array.isArray(whole)) return isObject(items) ? whole.map((each: JsonValue) => next(items, each)) : whole;
  if (!isObject(whole) || !isObject(properties)) return whole;
  const members = { ...whole } as Record<string, JsonValue>;
  for (const [name, property] of Object.entries(properties)) {
    // Arguments with such a name are refused. One that every object inherits, such as toString, is a name like others.
    if (POISONED_KEYS.has(name)) continue;
    const own = Object.hasOwn(members, name) ? members[name] : defaultOf(property, completion, depth + 1);
    if (own !== undefined) members[name] = next(property, own);
  }
  return members;
}

function defaultOf(schema: unknown, completion: Completion, depth: number): JsonValue | undefined {
  const { root, budget } = completion;
  if (depth > MAX_DEPTH) budget.left = -1;
  if (!isObject(schema) || (budget.left -= 1) < 0) return undefined;
  const { default: own, $ref: reference, allOf } = schema;
  if (own !== undefined) return own as JsonValue;
  const referred =
    typeof reference === 'string' ? defaultOf(schemaAt(root, reference), completion, depth + 1) : undefined;
  if (referred !== undefined || !Array.isArray(allOf)) return referred;
  return firstOf(allOf as readonly unknown[], (each) => defaultOf(each, completion, depth + 1));
}
