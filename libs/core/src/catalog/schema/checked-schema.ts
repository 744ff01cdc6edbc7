import { LruMap } from '../../collections/lru-map.js';
import { deepFreeze, depthOf, isObject, type JsonSchema, poisonedKey } from '../../json/json.js';
import { affordableSchema, MAX_COMPILED_PARTS } from '../../tool/schema/affordable-schema.js';
import { stableHash } from '../../json/stable-hash.js';
import type { InputCheck } from '../../tool/tool-definition.js';
import { jsonSchemaValidator, schemaFault } from '../../tool/schema/tool-schema.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { LoadLimits } from '../loading/source-limits.js';
import { underShownNames } from '../ingest/argument-names.js';
import { schemaWithoutSecrets } from '../ingest/schema-secrets.js';
import { projectedSchema, providerFault } from './schema-projection.js';
import { referenceFault } from './schema-references.js';
import { repairedSchema } from './schema-repair.js';

export type CheckedInput = { readonly fault: string } | UsableInput;

export interface UsableInput {
  /** Without what looks like a credential. Frozen, and the same object for the same text. */
  readonly schema: JsonSchema;
  /** Shown names of arguments by the source's own names, where they differ. */
  readonly names: ReadonlyMap<string, string>;
  readonly changes: readonly string[];
  /** Accepts arguments under shown names or the source's own; the result has the source's own. */
  readonly validate: (input: unknown) => InputCheck;
}

export type CheckedOutput = Pick<UsableInput, 'schema' | 'changes'> | { readonly fault: string };

type Limits = LoadLimits;

const PARTLY = `arguments are checked against its first ${MAX_COMPILED_PARTS} parts; the rest is for the source to check`;

const REDACTED = 'what looks like a credential is left out';

/** By text and limits: tools of one source often share a schema, and many tenants use the same server. */
const checked = new LruMap<CheckedInput>(1_000_000, (_, text) => text.length);

/**
 * Checks a source's input schema and projects it to the subset that every provider accepts. Arguments are checked
 * against the source's own schema or, if that cannot be compiled, against its repaired form, so the projection never
 * lets through what the source would refuse.
 */
export function checkedInput(declared: unknown, limits: Limits, isOwnCode = false): CheckedInput {
  const text = boundedText(declared, limits);
  if (typeof text === 'object') return text;
  const key = `${limits.schemaDepth} ${limits.schemaBytes} ${isOwnCode} ${text}`;
  let input = checked.get(key);
  if (!input) checked.set(key, (input = checkedText(text, limits, isOwnCode)));
  return input;
}

function checkedText(text: string, limits: Limits, isOwnCode: boolean): CheckedInput {
  const bounded = boundedSchema(text);
  if ('fault' in bounded) return bounded;
  const own = bounded.schema;
  // An empty schema stands for a tool without arguments.
  const projected = projectedSchema(Object.keys(own).length === 0 ? { type: 'object', properties: {} } : own);
  if (typeof projected === 'string') return { fault: projected };
  const { schema, exact, names, changes } = projected;
  const again = schema === own ? bounded : boundedCopy(schema, limits);
  if ('fault' in again) return again;
  const fault = schemaFault(schema) ?? providerFault(schema) ?? (exact === schema ? undefined : schemaFault(exact));
  if (fault !== undefined) return { fault };
  const isPartly = !isOwnCode && affordableSchema(own) !== own;
  return {
    ...shownSchema(schema, isPartly ? [...changes, PARTLY] : changes),
    names,
    validate: underShownNames(argumentCheck(own, exact, isOwnCode), names),
  };
}

/** Checks an output schema. Its root need not declare the type `object`. */
export function checkedOutput(declared: unknown, limits: Limits): CheckedOutput {
  const bounded = boundedCopy(declared, limits);
  if ('fault' in bounded) return bounded;
  const { schema, changes } = repairedSchema(bounded.schema);
  if (schema['type'] !== 'object' && schema['type'] !== undefined) {
    return { fault: 'must describe an object at its root' };
  }
  const fault = (schema === bounded.schema ? undefined : referenceFault(schema)) ?? schemaFault(schema);
  return fault === undefined ? shownSchema(schema, changes) : { fault };
}

/** The schema as models and searches may see it. */
function shownSchema(checked: JsonSchema, changes: Iterable<string>): Pick<UsableInput, 'schema' | 'changes'> {
  const { schema, redacted } = schemaWithoutSecrets(checked);
  return { schema: deepFreeze(schema), changes: redacted ? [...changes, REDACTED] : [...changes] };
}

/** A copy of a schema within all limits. It is a copy so that later changes by the source cannot reach the catalog. */
function boundedCopy(schema: unknown, limits: Limits): { readonly fault: string } | { readonly schema: JsonSchema } {
  const text = boundedText(schema, limits);
  return typeof text === 'object' ? text : boundedSchema(text);
}

/** Cheap checks first: each bounds the cost of the next. */
function boundedText(schema: unknown, limits: Limits): { readonly fault: string } | string {
  if (!isObject(schema)) return { fault: 'must be a JSON Schema object' };
  if (depthOf(schema, limits.schemaDepth) > limits.schemaDepth) {
    return { fault: `is nested deeper than ${limits.schemaDepth} levels` };
  }
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > limits.schemaBytes) return { fault: `is larger than ${limits.schemaBytes} bytes` };
  return text;
}

function boundedSchema(text: string): { readonly fault: string } | { readonly schema: JsonSchema } {
  const schema = JSON.parse(text) as JsonSchema;
  const poison = poisonedKey(schema);
  if (poison !== undefined) return { fault: `has the forbidden key ${poison}` };
  const fault = referenceFault(schema);
  return fault === undefined ? { schema } : { fault };
}

function argumentCheck(own: JsonSchema, exact: JsonSchema, whole: boolean): (input: unknown) => InputCheck {
  const byExact = compiledLater(exact, whole);
  if (own === exact) return byExact;
  const byOwn = compiledLater(own, whole);
  let compiles = true;
  return (input) => {
    try {
      if (compiles) return byOwn(input);
    } catch (error) {
      if (!isToolSearchError(error)) throw error;
      compiles = false;
    }
    return byExact(input);
  };
}

/** Most tools of a large catalog are never called, so even the cache key is computed at the first call. */
function compiledLater(schema: JsonSchema, whole: boolean): (input: unknown) => InputCheck {
  return jsonSchemaValidator(() => stableHash(schema), schema, { whole });
}
