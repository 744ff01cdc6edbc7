import type { JsonObject, JsonSchema, JsonValue } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import type { UserRequest, Value } from './user-request.js';
import { firstSentence, isAmong, wordsOf } from './words.js';

export interface FilledArguments {
  readonly args: JsonObject;
  /** Required arguments for which the request holds nothing, with their descriptions. */
  readonly missing: readonly string[];
  /** Values of the request that no argument has taken. */
  readonly unused: readonly Value[];
}

const MATCH = { none: 0, possible: 1, byKind: 2, byLabel: 3 };
/** Words in names of arguments that take values of one kind only. */
const NAMES_OF_KIND: Partial<Record<Value['kind'], RegExp>> = {
  path: /^(?:paths?|files?|director(?:y|ies)|folders?|ur[il]s?|source|destination)$/,
  id: /^(?:ids?|key|ref|sha)$/,
  relation: /^relation$/,
};

/** Fills required arguments and those the request names. Every value stands in the request, none is guessed. */
export function fillArguments(schema: JsonSchema, request: UserRequest): FilledArguments {
  // "Not paid" means all options but this one.
  const options = request.isPlain ? request.nouns.map((text): Value => ({ kind: 'option', text, labels: [] })) : [];
  const free = new Set([...request.values, ...options]);
  return { ...fillObject(schema, free), unused: request.values.filter((value) => free.has(value)) };
}

/** Takes what it uses out of `free`. */
function fillObject(schema: JsonSchema, free: Set<Value>) {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const args: Record<string, JsonValue> = {};
  // Labelled values come first, so that no other argument takes them.
  for (const least of [MATCH.byLabel, MATCH.byKind, MATCH.possible]) {
    for (const [name, property] of Object.entries(properties)) {
      const isWanted = required.includes(name) || least === MATCH.byLabel;
      if (!isWanted || Object.hasOwn(args, name) || !isObject(property)) continue;
      const value = fillValue(name, property, free, least);
      if (value !== undefined) args[name] = value;
    }
  }
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  return { args, missing: missing.map((name) => described(name, properties[name])) };
}

function fillValue(name: string, schema: JsonSchema, free: Set<Value>, least: number): JsonValue | undefined {
  const { type = 'string' } = schema;
  if (type === 'array') {
    const item = fillValue(name, isObject(schema['items']) ? schema['items'] : {}, free, least);
    return item === undefined ? undefined : [item];
  }
  if (type === 'object') {
    const left = new Set(free);
    const { args, missing } = fillObject(schema, left);
    if (least > MATCH.possible || missing.length > 0 || left.size === free.size) return undefined;
    for (const value of free) if (!left.has(value)) free.delete(value);
    return args;
  }
  const matches = [...free].map((value) => ({ value, match: matchOf(name, schema, value) }));
  const [best, next] = matches.toSorted((left, right) => right.match - left.match);
  // Of two paths or identifiers without a label none is taken.
  if (!best || best.match < least || (best.match === MATCH.byKind && next?.match === MATCH.byKind)) return undefined;
  free.delete(best.value);
  return type === 'string' ? best.value.text : Number(best.value.text);
}

function matchOf(name: string, { type = 'string', enum: options }: JsonSchema, { kind, labels, text }: Value): number {
  if (Array.isArray(options)) return options.includes(text) ? MATCH.byLabel : MATCH.none;
  const isNumeric = type === 'number' || (type === 'integer' && !text.includes('.'));
  if (kind === 'option' || !(type === 'string' || (kind === 'number' && isNumeric))) return MATCH.none;
  const words = wordsOf(name);
  if (words.some((word) => isAmong(word, labels))) return MATCH.byLabel;
  if (kind === 'number' && !isNumeric) return MATCH.none;
  const isNamed = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const own = NAMES_OF_KIND[kind];
  if (own) return isNamed(own) ? MATCH.byKind : MATCH.none;
  return Object.values(NAMES_OF_KIND).some(isNamed) ? MATCH.none : MATCH.possible;
}

function described(name: string, schema: unknown): string {
  const description = isObject(schema) ? schema['description'] : undefined;
  return typeof description === 'string' ? `${name} (${firstSentence(description)})` : name;
}
