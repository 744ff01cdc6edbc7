import type { JsonSchema } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import { isDeepStrictEqual } from 'node:util';

const MAX_REFERENCES = 32;

/** A schema without `$ref` and `allOf` at its root: both are merged into it. */
export function resolvedSchema(given: JsonSchema, root: JsonSchema): JsonSchema {
  let schema = given;
  for (let followed = 0; typeof schema['$ref'] === 'string' && followed < MAX_REFERENCES; followed++) {
    const { $ref, ...beside } = schema;
    const target = at(root, $ref as string);
    schema = (isObject(target) ? mergedSchema(target, beside) : undefined) ?? beside;
  }
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  let merged: JsonSchema = rest;
  for (const part of allOf as readonly unknown[]) {
    if (part === false) return NOTHING;
    if (isObject(part)) merged = mergedSchema(merged, resolvedSchema(part, root)) ?? NOTHING;
  }
  return merged;
}

/** A schema that no value fits. */
const NOTHING: JsonSchema = { enum: [], anyOf: [false] };

function at(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let part: unknown = root;
  for (const key of decodeURIComponent(reference.slice(1)).split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    part = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined;
  }
  return part;
}

/** One schema for the values that fit both; undefined if their types, or their lists of values, have nothing in common. */
export function mergedSchema(first: JsonSchema, second: JsonSchema | undefined): JsonSchema | undefined {
  if (!second) return undefined;
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = merged[key];
    const joined = known === undefined ? value : both(key, known, value);
    if (joined === undefined) return undefined;
    merged[key] = joined;
  }
  return merged;
}

function both(key: string, first: unknown, second: unknown): unknown {
  if (isDeepStrictEqual(first, second)) return first;
  switch (key) {
    case 'type':
      return commonTypes(first, second);
    case 'enum':
      return common(first, second);
    case 'required':
      return [...new Set([...list(first), ...list(second)])];
    case 'properties':
      return joinedProperties(first as JsonSchema, second as JsonSchema);
    case 'items':
    case 'additionalProperties':
      return first === false || second === false ? false : { allOf: [first, second] };
    case 'anyOf':
    case 'oneOf':
      // One list of choices for each pair: a value fits a branch of both.
      return list(first).flatMap((one) => list(second).map((other) => ({ allOf: [one, other] })));
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return Math.max(Number(first), Number(second));
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return Math.min(Number(first), Number(second));
    case 'const':
      return undefined;
    default:
      return second;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function commonTypes(first: unknown, second: unknown): unknown {
  const [one, other] = [list(first), list(second)];
  const types = one.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number')));
  if (one.includes('number') && other.includes('integer') && !types.includes('integer')) types.push('integer');
  return types.length === 0 ? undefined : types;
}

function common(first: unknown, second: unknown): unknown {
  const values = list(first).filter((value) => list(second).some((other) => isDeepStrictEqual(value, other)));
  return values.length === 0 ? undefined : values;
}

function joinedProperties(first: JsonSchema, second: JsonSchema): JsonSchema {
  const joined: Record<string, unknown> = { ...first };
  for (const [key, part] of Object.entries(second)) {
    const known = Object.hasOwn(first, key) ? first[key] : undefined;
    joined[key] = known === undefined ? part : { allOf: [known, part] };
  }
  return joined;
}
