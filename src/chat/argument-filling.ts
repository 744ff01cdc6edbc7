import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '@tool-search/core';
import type { UserRequest } from './request-reading.js';
import { PATTERNS } from './name-patterns.js';
import { type Finding, isLabelled, isNamed, type Slot } from './slot.js';
import { findScalar } from './slot-rules.js';
import type { TextValue } from './text-values.js';
import { stem, stemsOf, wordsOf } from './words.js';

/** A required argument for which the text holds nothing. */
export interface MissingArgument {
  readonly name: string;
  readonly description?: string;
}

/** Arguments made of a request, and what of the request they took. */
export interface FilledArguments {
  readonly args: JsonObject;
  readonly missing: readonly MissingArgument[];
  readonly used: ReadonlySet<TextValue>;
  /** Stems of words that name an argument, an option or a label. */
  readonly covered: ReadonlySet<string>;
  /** Stems of words that stand in a value of free text. */
  readonly quoted: ReadonlySet<string>;
}

// Schemas may refer to themselves, and may be wide.
const MAX_DEPTH = 4;
const MAX_VISITS = 2000;

/**
 * Fills arguments by their JSON Schema. Every value comes from the request's text, from the schema (`const`, `enum`,
 * `default`, a type's own name) or from the result before; what cannot be found is missing, never guessed. One convention
 * is added: who searches and says no place means all, so `.`.
 *
 * @param description what the tool says about itself, for conventions of its arguments
 */
export function fillArguments(
  schema: JsonSchema,
  request: UserRequest,
  previous?: string,
  description = '',
): FilledArguments {
  const state: State = {
    request,
    root: schema,
    previous,
    description,
    used: new Set(),
    covered: new Set(),
    quoted: new Set(),
    visits: 0,
  };
  const { args, missing } = fillObject(schema, state, 0);
  return { args, missing, used: state.used, covered: state.covered, quoted: state.quoted };
}

interface State {
  readonly request: UserRequest;
  readonly root: JsonSchema;
  readonly previous: string | undefined;
  readonly description: string;
  readonly used: Set<TextValue>;
  readonly covered: Set<string>;
  readonly quoted: Set<string>;
  visits: number;
}

function fillObject(schema: JsonSchema, state: State, depth: number): { args: JsonObject; missing: MissingArgument[] } {
  const args: Record<string, JsonValue> = {};
  const slots = slotsOf(schema, state.root);
  // What the text names outright goes first, so that no other argument takes it away; optional ones get nothing else.
  const order = (sure: boolean) => [
    ...slots.filter((slot) => slot.required),
    ...(sure ? slots.filter((slot) => !slot.required) : []),
  ];
  for (const sure of [true, false]) {
    for (const slot of order(sure)) {
      if (Object.hasOwn(args, slot.name)) continue;
      const value = fillSlot(slot, state, sure, depth);
      if (value !== undefined) args[slot.name] = value;
    }
  }
  const missing = slots
    .filter((slot) => slot.required && !Object.hasOwn(args, slot.name))
    .map(({ name, schema: { description } }) => ({ name, ...(typeof description === 'string' && { description }) }));
  return { args, missing };
}

function fillSlot(slot: Slot, state: State, sure: boolean, depth: number): JsonValue | undefined {
  if ((state.visits += 1) > MAX_VISITS) return undefined;
  const { schema } = slot;
  if (schema['const'] !== undefined) return slot.required ? (schema['const'] as JsonValue) : undefined;
  const type = typeOf(schema);
  if (depth < MAX_DEPTH && type === 'object') return fillInner(schema, slot, state, depth);
  if (depth < MAX_DEPTH && type === 'array') return fillArray(slot, state, sure, depth);
  const finding = findScalar(slot, type, state, sure);
  if (finding) return take(finding, slot, state);
  if (sure || !slot.required) return undefined;
  if (schema['default'] !== undefined) return schema['default'] as JsonValue;
  const options = schema['enum'];
  return Array.isArray(options) && options.length === 1 ? (options[0] as JsonValue) : undefined;
}

function take({ value, uses, words }: Finding, slot: Slot, state: State): JsonValue {
  for (const used of uses ?? []) state.used.add(used);
  // An option, a pattern or a part of a fact says what is meant; free text may say anything.
  const isFree = !Array.isArray(slot.schema['enum']) && !isNamed(slot, PATTERNS) && state.request.fact === undefined;
  for (const word of stemsOf(words ?? '')) (isFree ? state.quoted : state.covered).add(word);
  for (const word of slot.words) state.covered.add(word);
  for (const use of uses ?? []) {
    const isSaid = use.kind === 'path' || isLabelled(use, slot);
    if (use.label !== undefined) (isSaid ? state.covered : state.quoted).add(stem(use.label));
  }
  return value;
}

function fillInner(schema: JsonSchema, slot: Slot, state: State, depth: number): JsonValue | undefined {
  const before = state.used.size;
  const { args, missing } = fillObject(schema, state, depth + 1);
  const told = state.used.size > before || (state.request.fact !== undefined && Object.keys(args).length > 0);
  return missing.length === 0 && (told || (slot.required && Object.keys(args).length > 0)) ? args : undefined;
}

function fillArray(slot: Slot, state: State, sure: boolean, depth: number): JsonValue | undefined {
  const items = resolved(slot.schema['items'], state.root);
  const type = typeOf(items);
  if (type === 'object') {
    const item = sure ? undefined : fillInner(items, slot, state, depth);
    return item === undefined ? undefined : [item];
  }
  // One element after the other, until the text holds no more.
  const element: Slot = { ...slot, schema: items, one: true };
  const values: JsonValue[] = [];
  for (;;) {
    const found = findScalar(element, type, state, sure);
    if (!found || values.includes(found.value)) return values.length > 0 ? values : undefined;
    values.push(take(found, slot, state));
  }
}

function slotsOf(schema: JsonSchema, root: JsonSchema): Slot[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    words: new Set(wordsOf(name).map(stem)),
    schema: resolved(property, root),
    required: required.includes(name),
    only: required.length === 1 && required.includes(name),
  }));
}

/** The schema behind a local reference, or the first of several alternatives that says what it is. */
function resolved(schema: unknown, root: JsonSchema, hops = 0): JsonSchema {
  if (!isObject(schema) || hops > 8) return {};
  const reference = schema['$ref'];
  if (typeof reference === 'string' && /^#(?:\/|$)/.test(reference)) {
    const keys = reference.split('/').slice(1);
    const target = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root);
    return resolved(target, root, hops + 1);
  }
  const choices = [schema['oneOf'], schema['anyOf']].find((list) => Array.isArray(list));
  if (schema['type'] !== undefined || !Array.isArray(choices)) return schema;
  const { description, default: standard } = schema;
  const choice = resolved(
    choices.find((option) => isObject(option) && option['type'] !== 'null'),
    root,
    hops + 1,
  );
  return {
    ...choice,
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
  };
}

function typeOf(schema: JsonSchema): string {
  const type = Array.isArray(schema['type']) ? schema['type'].find((name) => name !== 'null') : schema['type'];
  if (typeof type === 'string') return type;
  if (isObject(schema['properties'])) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}
