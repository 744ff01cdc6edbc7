import { firstOf } from '../../collections/records.js';
import textLength from 'ajv/dist/runtime/ucs2length.js';
import { isObject, type JsonSchema } from '../../json/json.js';

/** A validation error, in the form that Ajv reports. */
export interface PlainFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Checks a value at a JSON pointer. Returns the first fault, or undefined. */
type Check = (value: unknown, path: string) => PlainFault | undefined;

const MAX_SCHEMAS = 1_000;

const ANNOTATIONS = new Set(
  ['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly'].concat('$comment'),
);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  // Like Ajv, this accepts Infinity, which JSON text can express: 1e999.
  integer: (value) => typeof value === 'number' && !Number.isNaN(value) && !(value % 1),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
  array: Array.isArray,
};

interface Limit {
  readonly type: string;
  readonly holds: (value: never, limit: number) => boolean;
  readonly text: (limit: number) => string;
}

const numeric = (sign: string, holds: (value: number, limit: number) => boolean): Limit => ({
  type: 'number',
  holds,
  text: (limit) => `must be ${sign} ${limit}`,
});
const most = <T>(type: string, sizeOf: (value: T) => number, parts: string): Limit => ({
  type,
  holds: (value: T, limit) => sizeOf(value) <= limit,
  text: (limit) => `must NOT have more than ${limit} ${parts}`,
});
const least = <T>(type: string, sizeOf: (value: T) => number, parts: string): Limit => ({
  type,
  holds: (value: T, limit) => sizeOf(value) >= limit,
  text: (limit) => `must NOT have fewer than ${limit} ${parts}`,
});
const keysOf = (value: object): number => Object.keys(value).length;
const itemsOf = (value: readonly unknown[]): number => value.length;

/** In the order in which Ajv applies them. */
const LIMITS: Readonly<Record<string, Limit>> = {
  maximum: numeric('<=', (value, limit) => value <= limit),
  minimum: numeric('>=', (value, limit) => value >= limit),
  exclusiveMaximum: numeric('<', (value, limit) => value < limit),
  exclusiveMinimum: numeric('>', (value, limit) => value > limit),
  maxLength: most('string', textLength, 'characters'),
  minLength: least('string', textLength, 'characters'),
  maxProperties: most('object', keysOf, 'properties'),
  minProperties: least('object', keysOf, 'properties'),
  maxItems: most('array', itemsOf, 'items'),
  minItems: least('array', itemsOf, 'items'),
};

const OF_OBJECTS = new Set(['required', 'additionalProperties', 'properties']);
const KNOWN = new Set(['type', 'const', 'enum', 'items', ...OF_OBJECTS, ...Object.keys(LIMITS)]);

/** Thrown for a schema that only Ajv can check. */
class NotPlain extends Error {}

/**
 * Builds a check for a plain schema: types, properties, items, limits and lists of values; no references, choices,
 * patterns or formats. Most tools have one. It reports the same first fault as Ajv and needs no preparation, while Ajv
 * takes milliseconds to generate and compile code that often runs once.
 *
 * @returns undefined if the schema needs Ajv
 */
export function plainCheck({
  $schema,
  $id,
  ...schema
}: JsonSchema): ((input: unknown) => PlainFault | undefined) | undefined {
  if (![$schema, $id].every((text) => text === undefined || typeof text === 'string')) return undefined;
  try {
    const check = checkOf(schema, { left: MAX_SCHEMAS });
    return (input) => check(input, '');
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

function checkOf(schema: unknown, budget: { left: number }): Check {
  if (!isObject(schema) || (budget.left -= 1) < 0) throw new NotPlain();
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-')) throw new NotPlain();
  }
  // In Ajv's order, so that the first fault is the same.
  const checks = [
    ...typeCheck(schema),
    ...('const' in schema ? [constCheck(schema['const'])] : []),
    ...('enum' in schema ? [enumCheck(schema['enum'])] : []),
    ...limitChecks(schema),
    ...('items' in schema ? [itemsCheck(checkOf(schema['items'], budget))] : []),
    ...objectChecks(schema, budget),
  ];
  return (value, path) => {
    return firstOf(checks, (check) => check(value, path));
  };
}

function* typeCheck(schema: Record<string, unknown>): Generator<Check> {
  const { type } = schema;
  if (type === undefined && !('type' in schema)) return;
  const names = Array.isArray(type) ? (type as unknown[]) : [type];
  const tests = names.map((name) => (typeof name === 'string' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined));
  if (names.length === 1 && hasRulesBefore(schema, names[0])) throw new NotPlain();
  if (tests.length === 0 || tests.includes(undefined)) throw new NotPlain();
  const message = `must be ${names.join(',')}`;
  yield (value, instancePath) =>
    tests.some((test) => test?.(value)) ? undefined : { keyword: 'type', instancePath, message, params: {} };
}

/** Whether Ajv applies other rules before it checks the type. It does so where the type has rules of its own. */
function hasRulesBefore(schema: Record<string, unknown>, type: unknown): boolean {
  const concerned = Object.keys(schema).flatMap(typeOfRule);
  return concerned.includes(String(type)) && concerned.some((each) => each !== type);
}

function typeOfRule(keyword: string): string | readonly string[] {
  if (keyword === 'const' || keyword === 'enum') return 'any';
  if (OF_OBJECTS.has(keyword)) return 'object';
  return keyword === 'items' ? 'array' : (LIMITS[keyword]?.type ?? []);
}

function* limitChecks(schema: Record<string, unknown>): Generator<Check> {
  for (const keyword in LIMITS) {
    const [limit, { type, holds, text }] = [schema[keyword], LIMITS[keyword] as Limit];
    if (!(keyword in schema)) continue;
    if (typeof limit !== 'number') throw new NotPlain();
    const concerns = TYPES[type] as (value: unknown) => boolean;
    yield (value, instancePath) =>
      !concerns(value) || holds(value as never, limit)
        ? undefined
        : { keyword, instancePath, message: text(limit), params: { limit } };
  }
}

function* objectChecks(schema: Record<string, unknown>, budget: { left: number }): Generator<Check> {
  const { required = [], properties = {}, additionalProperties = true } = schema;
  if (!isListOfTexts(required) || !isObject(properties) || Object.hasOwn(properties, '__proto__')) throw new NotPlain();
  if (required.length > 0) yield requiredCheck(required);
  if (additionalProperties !== true) {
    const each =
      additionalProperties === false ? unknownProperty : propertyCheck(checkOf(additionalProperties, budget));
    const known = new Set(Object.keys(properties));
    yield ofObjects((value, path) =>
      firstOf(Object.keys(value), (key) => (known.has(key) ? undefined : each(value, path, key))),
    );
  }
  const checks = Object.entries(properties).map(
    ([key, property]) => [key, propertyCheck(checkOf(property, budget))] as const,
  );
  if (checks.length === 0) return;
  yield ofObjects((value, path) =>
    firstOf(checks, ([key, check]) => (has(value, key) ? check(value, path, key) : undefined)),
  );
}

type Properties = Readonly<Record<string, unknown>>;
type PropertyCheck = (value: Properties, path: string, key: string) => PlainFault | undefined;

function ofObjects(check: (value: Properties, path: string) => PlainFault | undefined): Check {
  return (value, path) => (isObject(value) ? check(value, path) : undefined);
}

function propertyCheck(check: Check): PropertyCheck {
  return (value, path, key) => check(value[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

function unknownProperty(_: Properties, instancePath: string, additionalProperty: string): PlainFault {
  const message = 'must NOT have additional properties';
  return { keyword: 'additionalProperties', instancePath, message, params: { additionalProperty } };
}

function requiredCheck(required: readonly string[]): Check {
  return ofObjects((value, instancePath) => {
    const missingProperty = required.find((key) => !has(value, key));
    if (missingProperty === undefined) return undefined;
    const message = `must have required property '${missingProperty}'`;
    return { keyword: 'required', instancePath, message, params: { missingProperty } };
  });
}

function itemsCheck(check: Check): Check {
  return (value, path) =>
    Array.isArray(value) ? firstOf(value.keys(), (index) => check(value[index], `${path}/${index}`)) : undefined;
}

function constCheck(allowedValue: unknown): Check {
  if (!isScalar(allowedValue)) throw new NotPlain();
  return (value, instancePath) =>
    value === allowedValue
      ? undefined
      : { keyword: 'const', instancePath, message: 'must be equal to constant', params: { allowedValue } };
}

function enumCheck(allowedValues: unknown): Check {
  if (!Array.isArray(allowedValues) || allowedValues.length === 0 || !allowedValues.every(isScalar))
    throw new NotPlain();
  const message = 'must be equal to one of the allowed values';
  return (value, instancePath) =>
    allowedValues.includes(value) ? undefined : { keyword: 'enum', instancePath, message, params: { allowedValues } };
}

function has(value: Properties, key: string): boolean {
  return value[key] !== undefined && Object.hasOwn(value, key);
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
