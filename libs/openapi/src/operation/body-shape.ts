import { isObject } from '@tool-search/core/internal';
import { follow, type OpenApiDocument } from '../document/document-references.js';
import { discriminatorOf, type Subtypes, subtypesOf } from '../schema/subtypes.js';

type Schema = Readonly<Record<string, unknown>>;

/** A schema as a plain list of properties. */
export interface BodyShape {
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
}

/** With more, a model would see mostly arguments that do not apply; the body is one argument then. */
const MAX_SUBTYPES = 8;
const MAX_COMPARED = 200;

/**
 * A schema as a plain list of properties: an object with named properties, or an `allOf` of such objects. `oneOf` and
 * `anyOf` that only choose among these properties are left to the API. Subtypes that only a discriminator names add
 * their properties, none of them required. Undefined for any other schema.
 */
export function shapeOf(document: OpenApiDocument, schema: unknown): BodyShape | undefined {
  const resolved = unwrapped(document, schema);
  const shape = ownShape(document, resolved, new Set());
  if (!shape || !isObject(resolved)) return shape;
  const subtypes = subtypesOf(document, resolved);
  return subtypes.list.length > 0 ? withSubtypes(document, resolved, shape, subtypes) : shape;
}

/** What an `allOf` of one part stands for, which .NET writes where a reference has a description. */
function unwrapped(document: OpenApiDocument, schema: unknown): unknown {
  const resolved = follow(document, schema);
  if (!isObject(resolved)) return resolved;
  const { allOf, properties, required } = resolved;
  const isWrapper = Array.isArray(allOf) && allOf.length === 1 && properties === undefined && required === undefined;
  const [only] = isWrapper ? (allOf as unknown[]) : [];
  const inner = only === undefined ? undefined : follow(document, only);
  return inner !== undefined && subtypesOf(document, inner).list.length > 0 ? inner : resolved;
}

function ownShape(document: OpenApiDocument, schema: unknown, seen: Set<unknown>): BodyShape | undefined {
  const resolved = follow(document, schema);
  if (!isObject(resolved) || seen.has(resolved)) return undefined;
  seen.add(resolved);
  const { type, properties, required, allOf, additionalProperties, patternProperties } = resolved;
  if (type !== undefined && ![type].flat().includes('object')) return undefined;
  if (patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false))
    return undefined;
  const shape: BodyShape = { properties: new Map(), required: new Set() };
  const parts = [
    { properties: isObject(properties) ? Object.entries(properties) : [], required: names(required) },
    ...(Array.isArray(allOf) ? allOf.map((part) => ownShape(document, part, seen)) : []),
  ];
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const [name, property] of part.properties) {
      if (shape.properties.has(name)) return undefined;
      shape.properties.set(name, property);
    }
    for (const name of part.required) shape.required.add(name);
  }
  const alternatives = [resolved['oneOf'], resolved['anyOf']].flat().filter((branch) => branch !== undefined);
  return alternatives.every((branch) => namesWithin(document, branch, shape.properties)) ? shape : undefined;
}

function withSubtypes(
  document: OpenApiDocument,
  base: Schema,
  { properties, required }: BodyShape,
  { list: subtypes, sentence }: Subtypes,
): BodyShape | undefined {
  if (subtypes.length > MAX_SUBTYPES) return undefined;
  const choices = new Map([...properties].map(([name, property]) => [name, [property]]));
  const family = new Set([base, ...subtypes.map(({ reference }) => follow(document, { $ref: reference }))]);
  for (const { reference } of subtypes) {
    const own = additions(document, { $ref: reference }, family);
    if (!own) return undefined;
    for (const [name, property] of own.properties) {
      const known = choices.get(name) ?? [];
      if (!known.some((each) => isSame(each, property))) choices.set(name, [...known, property]);
    }
  }
  const kind = discriminatorOf(document, base) ?? '';
  const united = new Map(
    [...choices].map(([name, [only, ...others]]) => [name, others.length === 0 ? only : { anyOf: [only, ...others] }]),
  );
  united.set(kind, described(united.get(kind) ?? { type: 'string' }, sentence));
  return { properties: united, required };
}

/** What a subtype adds to the schemas that it extends. */
function additions(document: OpenApiDocument, schema: unknown, family: ReadonlySet<unknown>): BodyShape | undefined {
  const resolved = follow(document, schema);
  if (!isObject(resolved)) return undefined;
  const { allOf } = resolved;
  const parts = Array.isArray(allOf) ? allOf.filter((part) => !family.has(follow(document, part))) : [];
  const { discriminator: _, ...rest } = resolved;
  return ownShape(document, { ...rest, allOf: parts }, new Set());
}

/** Whether two schemas say the same. Beyond 200 values they count as different: then both are offered. */
function isSame(one: unknown, other: unknown): boolean {
  let left = MAX_COMPARED;
  const isEqual = (mine: unknown, theirs: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (mine === theirs) return true;
    if (Array.isArray(mine) && Array.isArray(theirs))
      return mine.length === theirs.length && mine.every((item, index) => isEqual(item, theirs[index]));
    if (!isObject(mine) || !isObject(theirs)) return false;
    const keys = Object.keys(mine);
    const isAlike = keys.length <= left && keys.length === Object.keys(theirs).length;
    return isAlike && keys.every((key) => Object.hasOwn(theirs, key) && isEqual(mine[key], theirs[key]));
  };
  return isEqual(one, other);
}

function described(schema: unknown, sentence: string): unknown {
  const { description } = isObject(schema) ? schema : {};
  const text = typeof description === 'string' ? `${description} ${sentence}` : sentence;
  return { ...(isObject(schema) ? schema : {}), description: text };
}

function namesWithin(document: OpenApiDocument, branch: unknown, properties: ReadonlyMap<string, unknown>): boolean {
  const resolved = follow(document, branch);
  if (!isObject(resolved) || resolved['allOf'] || resolved['oneOf'] || resolved['anyOf']) return false;
  return Object.keys(isObject(resolved['properties']) ? resolved['properties'] : {}).every((name) =>
    properties.has(name),
  );
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}
