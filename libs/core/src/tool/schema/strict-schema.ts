import Ajv2020 from 'ajv/dist/2020.js';
import type { AnySchema, Options } from 'ajv';
import { RE2JS } from 're2js';
import { LruMap } from '../../collections/lru-map.js';
import { firstOf } from '../../collections/records.js';
import { depthOf, isInheritedKey, isObject, type JsonSchema, valueCount } from '../../json/json.js';
import { uniqueItems } from '../../json/unique-items.js';
import { multipleOf } from './multiple-of.js';
import { plainCheck } from './plain-schema.js';
import { schemaFault } from './tool-schema.js';
import { affordsPattern } from './validation-budget.js';

/**
 * Whether a value fits a schema.
 *
 * @throws RangeError if it takes more work than the budget around it (`withinBudget`) has
 */
export type StrictCheck = (input: unknown) => boolean;

const MAX_DEPTH = 16;
/** Objects, lists and values of a schema. */
const MAX_PARTS = 500;
const MAX_PATTERN_CHARS = 1_000;
/** Instructions of one compiled pattern. */
const MAX_PATTERN_SIZE = 2_000;

const PLAIN = `type const enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems
  maxItems uniqueItems minProperties maxProperties required minContains maxContains dependentRequired pattern title
  description $comment`.split(/\s+/);
const SINGLE = 'items additionalProperties contains propertyNames not if then else'.split(' ');
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas'];
const KEYWORDS: ReadonlyMap<string, 'plain' | 'single' | 'list' | 'by-name'> = new Map([
  ...PLAIN.map((name) => [name, 'plain'] as const),
  ...SINGLE.map((name) => [name, 'single'] as const),
  ...LISTS.map((name) => [name, 'list'] as const),
  ...BY_NAME.map((name) => [name, 'by-name'] as const),
]);

const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  ownProperties: true,
  validateSchema: false,
  logger: false,
  meta: false,
  code: { regExp: Object.assign(strictRegExp, { code: 'strictRegExp' }), optimize: false },
};

const checks = new WeakMap<JsonSchema, StrictCheck>();
/** By the text of the schema: stored policies are read again at each change of one of them. */
const compiled = new LruMap<StrictCheck>(1000);
const faults = new LruMap<{ readonly fault: string | undefined }>(10_000);

/**
 * Why a schema cannot be checked strictly; undefined if it can. A part of a tool's schema that cannot be checked is left
 * to the executor of the tool. Nobody stands behind a rule, so each part of its schema must count: no unknown keyword,
 * no reference, no format, no pattern that needs more than linear time, at most 500 parts and 16 levels.
 */
export function strictFault(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'it must be an object';
  if (depthOf(schema, MAX_DEPTH) > MAX_DEPTH) return `it has more than ${MAX_DEPTH} levels`;
  if (valueCount(schema) > MAX_PARTS) return `it has more than ${MAX_PARTS} parts`;
  const text = JSON.stringify(schema);
  const known = faults.get(text);
  if (known) return known.fault;
  const fault = faultIn(schema, '') ?? schemaFault(schema) ?? compileFault(schema);
  faults.set(text, { fault });
  return fault;
}

/** The check of a schema that {@link strictFault} accepts, of draft 2020-12. */
export function strictCheck(schema: JsonSchema): StrictCheck {
  let check = checks.get(schema);
  if (!check) checks.set(schema, (check = plainStrictCheck(schema) ?? compiledCheck(schema)));
  return check;
}

function plainStrictCheck(schema: JsonSchema): StrictCheck | undefined {
  const fault = plainCheck(schema);
  return fault && ((input) => fault(input) === undefined);
}

function compiledCheck(schema: JsonSchema): StrictCheck {
  const text = JSON.stringify(schema);
  let check = compiled.get(text);
  if (!check) {
    const ajv = new Ajv2020(OPTIONS);
    for (const own of [uniqueItems, multipleOf]) ajv.removeKeyword(String(own.keyword)).addKeyword(own);
    const validate = ajv.compile(schema as AnySchema);
    compiled.set(text, (check = (input) => validate(input) === true));
  }
  return check;
}

// The dialect's own schema lets pass what Ajv refuses, such as an empty enum.
function compileFault(schema: JsonSchema): string | undefined {
  try {
    strictCheck(schema);
    return undefined;
  } catch (error) {
    return `it cannot be compiled: ${error instanceof Error ? error.message : 'unknown fault'}`;
  }
}

function faultIn(schema: unknown, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return `${path || '/'} must be a schema`;
  return firstOf(Object.entries(schema), ([keyword, value]) => faultOf(keyword, value, `${path}/${keyword}`));
}

function faultOf(keyword: string, value: unknown, path: string): string | undefined {
  const kind = KEYWORDS.get(keyword);
  if (kind === undefined) return `${path} is not a keyword that rules can use`;
  if (kind === 'single') return faultIn(value, path);
  if (kind === 'list') {
    if (!Array.isArray(value)) return `${path} must be a list of schemas`;
    return firstOf(value.entries(), ([index, each]) => faultIn(each, `${path}/${index}`));
  }
  if (kind === 'plain') return keyword === 'pattern' ? patternFault(value, path) : undefined;
  if (!isObject(value)) return `${path} must be an object of schemas`;
  return firstOf(Object.entries(value), ([name, each]) => {
    if (keyword === 'patternProperties') return patternFault(name, path) ?? faultIn(each, `${path}/${name}`);
    return isInheritedKey(name) ? `${path}/${name} cannot be a name of arguments` : faultIn(each, `${path}/${name}`);
  });
}

function patternFault(pattern: unknown, path: string): string | undefined {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_CHARS) {
    return `${path} must be a pattern of at most ${MAX_PATTERN_CHARS} characters`;
  }
  if (/^\/.*\/[a-z]*$/s.test(pattern)) return `${path}: write the pattern without slashes around it`;
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > MAX_PATTERN_SIZE ? `${path}: the pattern is too large` : undefined;
  } catch {
    return `${path}: the pattern cannot be matched in linear time; look-around and back-references are not possible`;
  }
}

function strictRegExp(pattern: string, flags: string) {
  const engine = RE2JS.compile(pattern);
  const size = engine.programSize();
  const test = (text: string): boolean => {
    if (!affordsPattern(size * text.length)) throw new RangeError('The pattern takes more work than one check may.');
    return engine.test(text);
  };
  return { test, toString: () => `strict:${flags}:${pattern}` };
}
