import type { JsonSchema } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import fc from 'fast-check';
import { mergedSchema, resolvedSchema } from './merged-schema.js';

/** Attempts with other choices, after the plain one. */
const ATTEMPTS = 400;
const MAX_DEPTH = 32;
const MAX_ITEMS = 50;

/** Thrown where the choices made so far lead to a schema without values. */
class NoValue extends Error {}

/** The choices of one attempt: the first of everything, or pseudorandom ones. */
interface Choices {
  /** A number from 0 to `count - 1`. */
  readonly of: (count: number) => number;
  readonly isPlain: boolean;
  readonly seed: number;
}

/**
 * Builds arguments that fit an input schema: at first the required ones alone with the first of all choices, then others
 * until one fits.
 *
 * @param fits the product's own check of arguments
 * @returns undefined if no attempt fits
 */
export async function fittingArguments(
  schema: JsonSchema,
  fits: (input: JsonSchema) => Promise<boolean>,
): Promise<JsonSchema | undefined> {
  for (let attempt = 0; attempt <= ATTEMPTS; attempt++) {
    const built = attempted(schema, attempt);
    if (isObject(built) && (await fits(built))) return built;
  }
  return undefined;
}

function attempted(schema: JsonSchema, seed: number): unknown {
  let state = seed;
  const next = (count: number): number => {
    // A linear congruential generator: the same arguments at every run.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * count);
  };
  const isPlain = seed === 0;
  try {
    return valueOf({ type: 'object', ...schema }, schema, { of: isPlain ? () => 0 : next, isPlain, seed }, 0);
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}

function valueOf(given: unknown, root: JsonSchema, choices: Choices, depth: number): unknown {
  if (given === false || depth > MAX_DEPTH) throw new NoValue();
  if (!isObject(given)) return 'text';
  const schema = chosen(resolvedSchema(given, root), root, choices);
  if (schema === undefined) throw new NoValue();
  if ('const' in schema) return schema['const'];
  const { enum: values } = schema;
  if (Array.isArray(values) && values.length > 0) return values[choices.of(values.length)] as unknown;
  const examples = examplesOf(schema);
  if (!choices.isPlain && examples.length > 0 && choices.of(2) === 0) return examples[choices.of(examples.length)];
  const types = [schema['type'] ?? impliedType(schema)].flat();
  switch (types[choices.of(types.length)]) {
    case 'object':
      return objectOf(schema, root, choices, depth);
    case 'array':
      return listOf(schema, root, choices, depth);
    case 'number':
    case 'integer':
      return numberOf(schema, choices);
    case 'boolean':
      return choices.of(2) === 0;
    case 'null':
      return null;
    default:
      return textOf(schema, choices);
  }
}

/** The schema with one branch of each choice; undefined if its parts exclude each other. */
function chosen(schema: JsonSchema, root: JsonSchema, choices: Choices): JsonSchema | undefined {
  const { anyOf, oneOf, if: condition, then, else: otherwise, ...rest } = schema;
  const parts = [anyOf, oneOf].flatMap((branches) => {
    return Array.isArray(branches) && branches.length > 0 ? [branches[choices.of(branches.length)] as unknown] : [];
  });
  if (condition !== undefined) parts.push(choices.of(2) === 0 ? otherwise : { allOf: [condition, then ?? {}] });
  let merged: JsonSchema | undefined = rest;
  for (const part of parts) {
    if (part === false) return undefined;
    if (merged && isObject(part)) merged = mergedSchema(merged, chosen(resolvedSchema(part, root), root, choices));
  }
  return merged;
}

function examplesOf({ default: usual, example, examples }: JsonSchema): readonly unknown[] {
  return [usual, example, ...(Array.isArray(examples) ? (examples as unknown[]) : [])].filter(
    (value) => value !== undefined,
  );
}

function impliedType(schema: JsonSchema): string {
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema || 'minItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema || 'multipleOf' in schema ? 'number' : 'string';
}

function objectOf(schema: JsonSchema, root: JsonSchema, choices: Choices, depth: number): unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  const { minProperties = 0, additionalProperties } = schema;
  const built: Record<string, unknown> = {};
  const add = (key: string, part: unknown): void => {
    Object.defineProperty(built, key, {
      value: valueOf(part, root, choices, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  };
  for (const key of required) add(key, Object.hasOwn(properties, key) ? properties[key] : (additionalProperties ?? {}));
  for (const [key, part] of Object.entries(properties)) {
    const isNeeded = Object.keys(built).length < Number(minProperties);
    if (required.has(key) || part === false || !(isNeeded || (!choices.isPlain && choices.of(4) === 0))) continue;
    try {
      add(key, part);
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
    }
  }
  for (let more = 0; Object.keys(built).length < Number(minProperties) && more < MAX_ITEMS; more++) {
    if (additionalProperties === false) throw new NoValue();
    add(`key${more}`, additionalProperties ?? {});
  }
  return built;
}

function listOf(schema: JsonSchema, root: JsonSchema, choices: Choices, depth: number): unknown {
  const { items, prefixItems, minItems = 0, maxItems = MAX_ITEMS } = schema;
  const first = Array.isArray(prefixItems)
    ? (prefixItems as unknown[])
    : Array.isArray(items)
      ? (items as unknown[])
      : [];
  const others = Array.isArray(items) ? schema['additionalItems'] : items;
  const length = Math.min(Number(minItems) + (choices.isPlain ? 0 : choices.of(2)), Number(maxItems));
  if (length > MAX_ITEMS * 20) throw new NoValue();
  return Array.from({ length }, (_, index) => {
    const part = first[index] ?? others ?? {};
    return schema['uniqueItems'] === true && index > 0
      ? valueOf(part, root, { ...numbered(choices, index), isPlain: choices.isPlain }, depth + 1)
      : valueOf(part, root, choices, depth + 1);
  });
}

/** Other choices for each item of a list without duplicates. */
function numbered({ of, isPlain, seed }: Choices, index: number): Choices {
  return { of: isPlain ? (count) => index % count : of, isPlain, seed: seed + index };
}

function numberOf(schema: JsonSchema, { seed }: Choices): number {
  const limit = (key: string): number | undefined => (typeof schema[key] === 'number' ? schema[key] : undefined);
  const isWhole = [schema['type']].flat().includes('integer') || schema['format'] === 'int32';
  const step = limit('multipleOf') ?? (isWhole ? 1 : undefined);
  const low = limit('minimum') ?? limit('exclusiveMinimum');
  const high = limit('maximum') ?? limit('exclusiveMaximum');
  if (step !== undefined) {
    const from = low === undefined ? (high === undefined ? 1 : Math.floor(high / step)) : Math.ceil(low / step);
    const direction = low === undefined && high !== undefined ? -1 : 1;
    const units = from + direction * ((seed % 5) + (limit('exclusiveMinimum') === from * step ? 1 : 0));
    // As decimals: 3 * 0.1 is not 0.3.
    return Number((units * step).toPrecision(15));
  }
  if (low !== undefined && high !== undefined) return seed % 2 === 0 ? (low + high) / 2 : low;
  // A fraction too: a branch beside may take whole numbers.
  const distance = 1 + seed + (seed % 3 === 2 ? 0.5 : 0);
  if (low !== undefined) return low + distance;
  return high === undefined ? distance : high - distance;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  time: '10:00:00Z',
  'date-time': '2026-11-21T10:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  'uri-template': '/path',
  uuid: '7b8cdd6f-52f0-4b5c-9f2a-1d3b8b7f0a11',
  byte: 'dGV4dA==',
  'json-pointer': '/a',
};

function textOf(schema: JsonSchema, { seed, isPlain }: Choices): string {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
  const [least, most] = [Number(minLength), Number(maxLength)];
  if (typeof pattern === 'string' && (isPlain || seed % 4 !== 3)) {
    for (const text of matching(pattern, seed)) {
      if (text.length >= least && text.length <= most) return text;
    }
  }
  const usual = typeof format === 'string' ? FORMATS[format] : undefined;
  if (usual !== undefined && (isPlain || seed % 3 !== 2)) return usual;
  const letter = 'a1A0-'.charAt(seed % 5);
  const text = seed === 0 ? 'text' : `${letter}${seed}`;
  return text.length < least ? text.padEnd(Math.min(least, 100_000), letter) : text.slice(0, Math.max(most, 0));
}

/** Texts that many patterns match, tried before one is generated, which takes up to seconds for a pattern. */
const USUAL = [
  'text',
  'a',
  'A',
  '1',
  'a1',
  'ab',
  'AB',
  '10',
  'abc',
  'ABC',
  '123456789012',
  '#fff',
  '1.0.0',
  '1.5',
  '12:00',
]
  .concat(['0'.repeat(32), 'a'.repeat(24), 'x'.repeat(64)])
  .concat(Object.values(FORMATS));
const generated = new Map<string, readonly string[]>();

/** Texts that a pattern matches; none where fast-check does not know it. */
function* matching(given: string, seed: number): Generator<string> {
  // Written as a literal, it is checked without its slashes.
  const pattern = /^\/(\^.*)\/[a-z]*$/s.exec(given)?.[1] ?? given;
  // Classes of all of Unicode make fast-check slow, so it gets them only for patterns that name one.
  const regExp = parsed(pattern, /\\[pP]\{/.test(pattern) ? 'u' : '');
  if (!regExp) return;
  if (seed % 2 === 0) yield* USUAL.filter((text) => regExp.test(text));
  const key = `${seed % 4} ${pattern}`;
  let texts = generated.get(key);
  if (!texts) generated.set(key, (texts = sampled(regExp, seed)));
  yield* texts;
  // All of them may be too short or too long: repeat every repeated part a number of times.
  for (const times of TIMES) {
    const resized = parsed(repeated(pattern, times), regExp.flags);
    if (resized) yield* sampled(resized, seed, 3).filter((text) => regExp.test(text));
  }
}

const TIMES = [...Array.from({ length: 33 }, (_, times) => times), 40, 48, 56, 64, 80, 100, 128, 200, 256];
/** An escape, a class, or a quantifier without a fixed number. */
const QUANTIFIER = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+),(\d*)\}\??|[*+]\??/g;

/** The pattern with a fixed number, as near as it allows, in the place of each quantifier. */
function repeated(pattern: string, times: number): string {
  return pattern.replace(QUANTIFIER, (part, least?: string, most?: string) => {
    if (part.startsWith('\\') || part.startsWith('[')) return part;
    const low = Number(least ?? (part.startsWith('+') ? 1 : 0));
    return `{${Math.min(Math.max(times, low), Number(most || Infinity))}}`;
  });
}

function parsed(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    // Other languages have patterns that JavaScript does not read.
    return undefined;
  }
}

function sampled(regExp: RegExp, seed: number, numRuns = 30): readonly string[] {
  try {
    return fc.sample(fc.stringMatching(regExp, { size: seed % 4 < 2 ? '-1' : '+1' }), { numRuns, seed });
  } catch {
    return [];
  }
}
