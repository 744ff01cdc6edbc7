import Ajv, { type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import { LruMap } from '../../collections/lru-map.js';
import { affordableSchema } from './affordable-schema.js';
import { inputIssue, MAX_ISSUES, pointerTo } from './input-issue.js';
import type { JsonSchema } from '../../json/json.js';
import { LENIENT_FORMATS } from './lenient-formats.js';
import { linearRegExp } from './linear-pattern.js';
import { multipleOf } from './multiple-of.js';
import { plainCheck, type PlainFault } from './plain-schema.js';
import { type Dialect, dialectOf } from './schema-dialect.js';
import type { InputCheck, InputIssue } from '../tool-definition.js';
import { ToolSearchError } from '../tool-search.error.js';
import { uniqueItems } from '../../json/unique-items.js';
import { boundReferences, withinBudget } from './validation-budget.js';

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
  for (const own of [uniqueItems, multipleOf]) ajv.removeKeyword(String(own.keyword)).addKeyword(own);
  return ajv.removeKeyword('id');
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

const compiled = new LruMap<ValidateFunction>(1000);

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
    let validate = compiled.get(known);
    if (!validate) compiled.set(known, (validate = compile(whole ? schema : affordableSchema(schema), !whole)));
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
    for (const [name, format] of Object.entries(LENIENT_FORMATS)) ajv.addFormat(name, format);
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
