import { isObject, poisonedKey } from '@tool-search/core/internal';

/** The type of a keyword's value. `schema`, `schemas` and `list` contain further schemas. */
export type KeywordKind =
  | 'text'
  | 'pattern'
  | 'number'
  | 'count'
  | 'flag'
  | 'type'
  | 'names'
  | 'nameLists'
  | 'enum'
  | 'value'
  | 'schema'
  | 'schemas'
  | 'list';

const keywords = (kind: KeywordKind, names: string): [string, KeywordKind][] =>
  names.split(' ').map((name) => [name, kind]);

/**
 * The JSON Schema 2020-12 keywords that a tool's schema may contain; all others are dropped. `xml`, `discriminator`,
 * `externalDocs` and extensions do not describe arguments; identifiers and anchors have no meaning once references are
 * inlined.
 */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map([
  ...keywords('type', 'type'),
  ...keywords('text', 'title description format contentEncoding contentMediaType'),
  ...keywords('pattern', 'pattern'),
  ...keywords('number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...keywords('count', 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
  ...keywords('flag', 'uniqueItems deprecated'),
  ...keywords('names', 'required'),
  ...keywords('nameLists', 'dependentRequired'),
  ...keywords('enum', 'enum'),
  ...keywords('value', 'const default'),
  ...keywords('schema', 'items additionalProperties contains propertyNames not if then else'),
  ...keywords('schema', 'unevaluatedItems unevaluatedProperties'),
  ...keywords('schemas', 'properties patternProperties dependentSchemas'),
  ...keywords('list', 'allOf anyOf oneOf prefixItems'),
]);

/** Keywords that describe a value without restricting it. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'deprecated', 'example', 'examples']);

/** Items of a default or constant that is a list, or members of one that is an object. */
const MAX_FLAT = 100;
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Separates a schema's restricting keywords from its annotations. Drops keywords specific to OpenAPI. */
export function split(schema: Readonly<Record<string, unknown>>): {
  readonly assertions: Record<string, unknown>;
  readonly annotations: Record<string, unknown>;
} {
  const entries = Object.entries(schema);
  return {
    assertions: Object.fromEntries(entries.filter(([key]) => KEYWORDS.has(key) && !ANNOTATIONS.has(key))),
    annotations: Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key))),
  };
}

/** Replaces `nullable: true` of OpenAPI 3.0 by the type `null`. */
export function withNull(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { nullable: _, 'x-nullable': _swagger2, ...rest } = schema;
  const { assertions, annotations } = split(rest);
  const simple = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const'].every((key) => rest[key] === undefined);
  if (simple && (rest['type'] !== undefined || Object.keys(assertions).every((key) => key === 'enum'))) {
    return {
      ...rest,
      ...(rest['type'] === undefined ? {} : { type: [rest['type'], 'null'].flat() }),
      ...(Array.isArray(rest['enum']) ? { enum: [...(rest['enum'] as unknown[]), null] } : {}),
    };
  }
  const base = rest['$ref'] === undefined ? assertions : { $ref: rest['$ref'], ...assertions };
  return { ...annotations, anyOf: [base, { type: 'null' }] };
}

/**
 * Converts a request schema to JSON Schema 2020-12: replaces OpenAPI 3.0's boolean `exclusiveMinimum` and
 * `exclusiveMaximum` by numbers, and removes properties that only the API may set.
 *
 * @param isReadOnly whether a property's schema says so
 * @param readOnly names that are not required, because another part of the same object says so
 */
export function modernised(
  schema: Readonly<Record<string, unknown>>,
  isReadOnly: (property: unknown) => boolean,
  readOnly: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = { ...schema };
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[flag] !== true) continue;
    out[flag] = schema[bound];
    delete out[bound];
  }
  const { properties, required } = schema;
  if (isObject(properties) && Object.values(properties).some(isReadOnly)) {
    out['properties'] = Object.fromEntries(Object.entries(properties).filter(([, property]) => !isReadOnly(property)));
  }
  if (Array.isArray(required) && readOnly.size > 0)
    out['required'] = required.filter((name) => !readOnly.has(name as string));
  return out;
}

/** Checks and copies the value of a keyword that contains no further schema; undefined if the value is malformed. */
export function checkedValue(kind: KeywordKind, value: unknown): unknown {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== '' ? value : undefined;
    case 'pattern':
      return typeof value === 'string' ? checkedPattern(value) : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'count':
      return Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined;
    case 'flag':
      return value === true ? value : undefined;
    case 'type':
      return checkedType(value);
    case 'names':
      return uniqueNames(value);
    case 'nameLists':
      return isObject(value) ? nameLists(value) : undefined;
    case 'enum':
      return Array.isArray(value) && value.length > 0 && value.every(isScalar) ? [...new Set(value)] : undefined;
    case 'value':
      return isScalar(value) || (isFlat(value) && poisonedKey(value) === undefined)
        ? structuredClone(value)
        : undefined;
    default:
      return undefined;
  }
}

/** How many values a keyword's value holds, for a limit of all that is read. */
export function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + (Array.isArray(item) ? item.length : 0), 0);
}

/** A string, number, boolean or null. */
export function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

// An array or object of at most 100 scalars; such a value does not exceed the depth limit.
function isFlat(value: unknown): boolean {
  const items: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value)
      : undefined;
  return items !== undefined && items.length <= MAX_FLAT && items.every(isScalar);
}

function checkedType(value: unknown): unknown {
  // A type stands in a list once.
  if (Array.isArray(value) && value.length > TYPES.size) return undefined;
  const types = [...new Set([value].flat())];
  if (types.length === 0 || !types.every((type) => typeof type === 'string' && TYPES.has(type))) return undefined;
  return types.length === 1 ? types[0] : types;
}

function uniqueNames(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = new Set(value.filter((name): name is string => typeof name === 'string'));
  return names.size > 0 ? [...names] : undefined;
}

function nameLists(value: Record<string, unknown>): unknown {
  const lists = Object.entries(value).map(([name, names]) => [name, uniqueNames(names)] as const);
  return Object.fromEntries(lists.filter(([, names]) => names !== undefined));
}

// `/^a$/` is a literal of a programming language: as a pattern, nothing matches it. A schema has no place for its flags.
function checkedPattern(pattern: string): string | undefined {
  const [, inner, flags = ''] = /^\/(\^.*\$)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (inner === undefined) return compiles(pattern) ? pattern : undefined;
  return flags === '' && compiles(inner) ? inner : undefined;
}

// Compiling a pattern is safe; a linear-time engine runs it.
function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
