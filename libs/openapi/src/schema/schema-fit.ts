import type { JsonSchema } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';

type Schema = Readonly<Record<string, unknown>>;

const ENUM = 'an enum that contradicts its type is read by its values';
const LIMITS = 'limits that no value meets are left out';
const DEFAULT = 'a default that does not fit its schema is left out';

/** The keywords of which one or two can contradict others. */
const DECIDING = ['enum', 'const', 'default', 'minimum', 'minLength', 'minItems', 'minProperties'];
const LIMIT_PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/**
 * Corrects a schema that no value satisfies although the API accepts some: an `enum` whose values have another type, an
 * `enum` at a list that its items are meant to have, and limits that exclude each other. A default that the schema
 * refuses is converted or left out.
 */
export function fitted(given: Schema): { readonly schema: Schema; readonly changes: readonly string[] } {
  if (!DECIDING.some((key) => given[key] !== undefined)) return { schema: given, changes: [] };
  const changes: string[] = [];
  const schema: Record<string, unknown> = { ...given };
  if (schema['const'] !== undefined && schema['enum'] === undefined) {
    const { enum: only, ...rest } = withEnum({ ...schema, enum: [schema['const']] }, changes);
    replace(schema, { ...rest, ...(Array.isArray(only) && { const: only[0] }) });
  } else if (Array.isArray(schema['enum'])) replace(schema, withEnum(schema, changes));
  for (const pair of LIMIT_PAIRS) {
    const [least, most] = pair.map((key) => schema[key]);
    if (typeof least !== 'number' || typeof most !== 'number' || least <= most) continue;
    for (const key of pair) delete schema[key];
    changes.push(LIMITS);
  }
  fitDefault(schema, changes);
  return { schema, changes };
}

/**
 * A schema that leaves room for properties that other schemas describe, or, if it stands alone and is closed, has every
 * property that it requires.
 */
export function closedFor(schema: JsonSchema, others: boolean): JsonSchema {
  const { additionalProperties, properties, required, patternProperties } = schema as Schema;
  if (additionalProperties !== false) return schema;
  if (others) {
    const { additionalProperties: _, ...open } = schema as Record<string, unknown>;
    return open;
  }
  const missing = patternProperties !== undefined || !Array.isArray(required) ? [] : (required as readonly string[]);
  const absent = missing.filter((name) => !isObject(properties) || !Object.hasOwn(properties, name));
  if (absent.length === 0) return schema;
  return {
    ...schema,
    properties: { ...(properties as object), ...Object.fromEntries(absent.map((name) => [name, {}])) },
  };
}

function withEnum(schema: Schema, changes: string[]): Record<string, unknown> {
  const values = schema['enum'] as readonly unknown[];
  const types = typesOf(schema);
  if (!types) return decided(schema, values);
  const isList = types.includes('array') && types.every((type) => type === 'array' || type === 'null');
  if (isList && !values.some((value) => Array.isArray(value))) {
    changes.push(ENUM);
    return ofItems(
      schema,
      values.filter((value) => value !== null),
    );
  }
  const wanted = values.includes(null) && !types.includes('null') ? [...types, 'null'] : types;
  const converted = values.map((value) => convertedTo(value, wanted));
  const isChanged = converted.some((value, index) => value !== values[index]);
  if (converted.includes(undefined)) {
    changes.push(ENUM);
    const { type: _, ...untyped } = schema;
    return decided(untyped, values);
  }
  if (isChanged) changes.push(ENUM);
  return decided({ ...schema, type: wanted.length === 1 ? wanted[0] : wanted }, [...new Set(converted)]);
}

/** A schema whose values an `enum` decides, without the keywords that would refuse one of them. */
function decided(schema: Schema, values: readonly unknown[]): Record<string, unknown> {
  const out: Record<string, unknown> = { ...schema, enum: values };
  for (const key of ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
    if (values.some((value) => !isWithin(value, { [key]: schema[key] }))) delete out[key];
  for (const key of ['pattern', 'multipleOf', 'format']) delete out[key];
  return out;
}

function ofItems(schema: Schema, values: readonly unknown[]): Record<string, unknown> {
  const { enum: _, ...list } = schema;
  const items = isObject(list['items']) ? list['items'] : {};
  if (values.length === 0 || items['enum'] !== undefined || items['$ref'] !== undefined) return list;
  return { ...list, items: fitted({ ...items, enum: values }).schema };
}

function fitDefault(schema: Record<string, unknown>, changes: string[]): void {
  if (!Object.hasOwn(schema, 'default')) return;
  const { default: given } = schema;
  const types = typesOf(schema);
  const value = types && typeof given !== 'object' ? convertedTo(given, types) : given;
  if (value !== undefined && accepts(schema, value)) schema['default'] = value;
  else {
    delete schema['default'];
    changes.push(DEFAULT);
  }
}

function accepts(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  if (types && !types.some((type) => isOfType(value, type))) return false;
  if (typeof value !== 'object' && Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false;
  if (typeof value !== 'object' && schema['const'] !== undefined && schema['const'] !== value) return false;
  const { items } = schema;
  if (Array.isArray(value) && isObject(items) && !value.every((item) => accepts(items, item))) return false;
  return isWithin(value, schema);
}

function isWithin(value: unknown, schema: Schema): boolean {
  const limit = (key: string) => (typeof schema[key] === 'number' ? schema[key] : undefined);
  if (typeof value === 'string') {
    const { length } = Array.from(value);
    return length >= (limit('minLength') ?? 0) && length <= (limit('maxLength') ?? length);
  }
  if (Array.isArray(value))
    return value.length >= (limit('minItems') ?? 0) && value.length <= (limit('maxItems') ?? value.length);
  if (typeof value !== 'number') return true;
  const isOver = value >= (limit('minimum') ?? value) && value > (limit('exclusiveMinimum') ?? -Infinity);
  return isOver && value <= (limit('maximum') ?? value) && value < (limit('exclusiveMaximum') ?? Infinity);
}

/** The value as it is if one of the types has it, else as the first type that can express it; undefined if none can. */
function convertedTo(value: unknown, types: readonly string[]): unknown {
  if (types.some((type) => isOfType(value, type))) return value;
  for (const type of types) {
    const converted = conversion(value, type);
    if (converted !== undefined) return converted;
  }
  return undefined;
}

function conversion(value: unknown, type: string): unknown {
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return { true: true, false: false }[value.toLowerCase()];
  if (type !== 'number' && type !== 'integer') return undefined;
  const number = Number(value);
  return /^-?\d/.test(value) && isOfType(number, type) ? number : undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function typesOf({ type }: Schema): readonly string[] | undefined {
  const types = [type].flat().filter((each): each is string => typeof each === 'string');
  return types.length > 0 ? types : undefined;
}

function replace(schema: Record<string, unknown>, other: Schema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, other);
}
