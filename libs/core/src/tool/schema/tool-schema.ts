import type { StandardSchemaV1 } from '@standard-schema/spec';
import Ajv, { type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { affordableSchema } from './affordable-schema.js';
import { inputIssue, pointerTo, valueStart } from './input-issue.js';
import { isObject, type JsonSchema } from '../../json/json.js';
import { plainCheck, type PlainFault } from './plain-schema.js';
import { type Dialect, dialectOf } from './schema-dialect.js';
import type { InputCheck, InputIssue, ToolInputValidator } from '../tool-definition.js';
import { ToolSearchError } from '../tool-search.error.js';
import { uniqueItems } from '../../json/unique-items.js';
import {
  affordsCompiling,
  affordsPattern,
  boundReferences,
  spendOnCompiling,
  withinBudget,
} from './validation-budget.js';

const MAX_ISSUES = 10;
const MAX_PATTERN = 1000;
// Instructions of the pattern times characters of one text: about 50 ns per unit for the worst patterns.
const MAX_PATTERN_WORK = 2_000_000;

/**
 * Patterns in schemas are untrusted, so they run on RE2, in linear time. Ajv keys its compiled patterns by
 * `toString()`: without an own one, all patterns of a schema would share the engine of the first. A pattern that RE2
 * does not support (look-around, back-references) or that is too costly for a text accepts any text here; the executor
 * checks its own input.
 *
 * @param isLate true: compiles a pattern when the first text is tested, within the budget of one validation. false: at
 *   once
 */
function linearRegExp(isLate: boolean): NonNullable<NonNullable<Options['code']>['regExp']> {
  const engine = (pattern: string, flags: string) => ({
    test: isLate ? lateTest(pattern) : linearTest(pattern),
    toString: () => `re2:${flags}:${pattern}`,
  });
  return Object.assign(engine, { code: 'linearRegExp' });
}

function lateTest(pattern: string): (text: string) => boolean {
  let test: ((text: string) => boolean) | undefined;
  return (text) => {
    if (!test && !affordsCompiling()) return true;
    test ??= linearTest(pattern);
    return test(text);
  };
}

function linearTest(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN) return () => true;
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    spendOnCompiling(size);
    return (text) => {
      const work = size * text.length;
      return work > MAX_PATTERN_WORK || !affordsPattern(work) || compiled.test(text);
    };
  } catch {
    return () => true;
  }
}

const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  ownProperties: true,
  validateSchema: false,
  logger: false,
  inlineRefs: false,
  // Longer lists become a loop instead of code for each member.
  loopRequired: 16,
  loopEnum: 16,
};

/**
 * One Ajv per schema: two tools may use the same $id, and a schema must never resolve to another tool's schema.
 *
 * @param isLate compiles each pattern when the first text is tested
 * @param meta whether references can reach the dialect's own schemas
 */
function newAjv(dialect: Dialect | undefined, isLate = true, meta = true): Ajv {
  // Without the optimizer, compiling takes a third of the time.
  const options: Options = { ...OPTIONS, meta, code: { regExp: linearRegExp(isLate), optimize: false } };
  const Engine = dialect === 'draft-07' ? Ajv : dialect === '2019-09' ? Ajv2019 : Ajv2020;
  const ajv = new Engine(options);
  // `id` is draft-04's name for $id; Ajv throws on it instead of ignoring it.
  return ajv.removeKeyword('id').removeKeyword('uniqueItems').addKeyword(uniqueItems);
}

const META_SCHEMAS: Readonly<Record<Dialect, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};
const metaValidators: Partial<Record<Dialect, ValidateFunction>> = {};

/** The first fault of a document as a JSON Schema of its dialect; undefined if it is valid. */
export function schemaFault(schema: JsonSchema): string | undefined {
  const dialect = dialectOf(schema);
  if (dialect === undefined)
    return `$schema ${JSON.stringify(schema['$schema']).slice(0, 100)} is not a supported dialect`;
  const validate = (metaValidators[dialect] ??= newAjv(dialect).getSchema(META_SCHEMAS[dialect]));
  if (!validate || validate(schema)) return undefined;
  const [first] = validate.errors ?? [];
  return `schema is invalid at ${first?.instancePath || '/'}: ${first?.message ?? 'unknown fault'}`;
}

const TOO_COSTLY: InputIssue = {
  path: '/',
  message: 'takes too much work to check: send less, or nest it less deeply',
};

const REFERS_ELSEWHERE = /"\$(?:ref|dynamicRef|recursiveRef)":"[^#]/;

const compiled = new LRUCache<string, ValidateFunction>({ max: 1000 });

/**
 * A validator for JSON Schema. A plain schema is interpreted; any other is compiled at the first use and kept in a
 * cache of 1,000.
 *
 * @param key equal only for equal schemas, for example the definition's hash; a function is called when the schema is
 *   compiled
 * @param whole for the application's own schemas: keeps every part, even if compiling takes long
 * @throws ToolSearchError `INVALID_TOOL` at the first use, if the schema cannot be compiled
 */
export function jsonSchemaValidator(
  key: string | (() => string),
  schema: JsonSchema,
  { whole = false }: { readonly whole?: boolean } = {},
): (input: unknown) => InputCheck {
  let check: ((input: unknown) => InputCheck) | undefined;
  return (input) => {
    check ??= plainValidator(schema, whole) ?? compiledValidator(typeof key === 'string' ? key : key(), schema, whole);
    return check(input);
  };
}

function plainValidator(schema: JsonSchema, whole: boolean): ((input: unknown) => InputCheck) | undefined {
  const check = plainCheck(whole ? schema : affordableSchema(schema));
  return (
    check &&
    ((input) => {
      const fault = check(input);
      return fault ? { issues: [issueOf(fault)] } : { value: input };
    })
  );
}

function compiledValidator(key: string, schema: JsonSchema, whole: boolean): (input: unknown) => InputCheck {
  const known = whole ? `whole ${key}` : key;
  return (input) => {
    const validate = compiled.get(known) ?? compile(whole ? schema : affordableSchema(schema), !whole);
    compiled.set(known, validate);
    const valid = withinBudget(input, () => validate(input));
    if (valid === undefined) return { issues: [TOO_COSTLY] };
    if (valid) return { value: input };
    return { issues: (validate.errors ?? []).slice(0, MAX_ISSUES).map(issueOf) };
  };
}

function compile(schema: JsonSchema, isLate: boolean): ValidateFunction {
  try {
    // Loading the dialect's own schemas is half of the work, and only a reference can reach them.
    const ajv = newAjv(dialectOf(schema), isLate, REFERS_ELSEWHERE.test(JSON.stringify(schema)));
    addFormats(ajv, { mode: 'fast' });
    boundReferences(ajv, schema);
    // For an `$async` schema Ajv returns a promise, which would always count as valid. An $id could clash with one of
    // Ajv's own schemas.
    return ajv.compile({ ...schema, $async: false, $id: undefined } as AnySchema);
  } catch (error) {
    throw new ToolSearchError('INVALID_TOOL', "The tool's input schema cannot be compiled.", { cause: error });
  }
}

// Reports the fault and its location, never the value: arguments may contain secrets.
function issueOf(error: ErrorObject | PlainFault): InputIssue {
  const params = error.params as Record<string, unknown>;
  const property = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof property === 'string') {
    return inputIssue(`${error.instancePath}${pointerTo(property)}`, 'is not a known property');
  }
  if (error.keyword === 'enum' && Array.isArray(params['allowedValues'])) {
    return inputIssue(error.instancePath, `must be one of ${JSON.stringify(params['allowedValues'])}`);
  }
  return inputIssue(error.instancePath, error.message ?? 'is invalid');
}

/** A Standard Schema that can also describe itself as JSON Schema (zod 4.2, ArkType, Valibot with its converter …). */
type DescribingSchema = StandardSchemaV1 & {
  readonly '~standard': {
    readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> };
  };
};

export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    '~standard' in value &&
    isObject((value as { '~standard': unknown })['~standard'])
  );
}

/**
 * JSON Schema and validator of a Standard Schema.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when the library cannot express the schema as JSON Schema
 */
export function standardSchemaInput(schema: StandardSchemaV1): {
  inputSchema: JsonSchema;
  validate: ToolInputValidator;
} {
  const { jsonSchema, vendor } = (schema as DescribingSchema)['~standard'];
  if (!jsonSchema) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `The ${vendor} schema cannot describe itself as JSON Schema.`, {
      hint: 'Use a library with Standard JSON Schema (zod 4.2 or newer), or pass JSON Schema as input.',
    });
  }
  let inputSchema: JsonSchema;
  try {
    inputSchema = jsonSchema.input({ target: 'draft-2020-12' });
  } catch (error) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      `The ${vendor} schema has parts that JSON Schema cannot express.`,
      { hint: 'Tool input travels as JSON: use strings, numbers, booleans, arrays and objects.', cause: error },
    );
  }
  return {
    inputSchema,
    validate: async (input) => {
      const result = await schema['~standard'].validate(input);
      if (!result.issues) return { value: result.value };
      return { issues: result.issues.slice(0, MAX_ISSUES).map((issue) => standardIssue(issue, input)) };
    },
  };
}

function standardIssue({ path = [], message }: StandardSchemaV1.Issue, input: unknown): InputIssue {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  const value = keys.reduce<unknown>((node, key) => (Object(node) as Record<PropertyKey, unknown>)[key], input);
  const start = valueStart(message, value);
  return inputIssue(pointerTo(...keys), start === -1 ? message : `${message.slice(0, start)}…`);
}
