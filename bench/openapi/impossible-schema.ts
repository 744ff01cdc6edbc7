import type { JsonSchema } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import { jsonSchemaValidator } from '@tool-search/core/source';
import { isDeepStrictEqual } from 'node:util';
import { resolvedSchema } from './merged-schema.js';

const MAX_DEPTH = 32;

/** The first reason why no object fits an input schema, with its place; undefined if none is proven. */
export function impossibleInput(schema: JsonSchema): string | undefined {
  return impossible({ ...schema, type: 'object' }, schema, '', 0);
}

/** A schema, and all parts of its `allOf`: a value must fit each of them by itself. */
function partsOf(given: JsonSchema, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  const { allOf, ...rest } = typeof given['$ref'] === 'string' ? resolvedSchema({ $ref: given['$ref'] }, root) : given;
  const parts = Array.isArray(allOf) && depth < MAX_DEPTH ? (allOf as readonly unknown[]).filter(isObject) : [];
  return [rest, ...parts.flatMap((part) => partsOf(part, root, depth + 1))];
}

/** A member that one part requires and another, which is closed, does not have. */
function closedTo(parts: readonly JsonSchema[]): string | undefined {
  const required = parts.flatMap(({ required: keys }) => (Array.isArray(keys) ? (keys as readonly string[]) : []));
  const closed = parts.filter((part) => part['additionalProperties'] === false && !('patternProperties' in part));
  return required.find((key) =>
    closed.some(({ properties }) => !isObject(properties) || !Object.hasOwn(properties, key)),
  );
}

type Proof = (schema: JsonSchema, root: JsonSchema, path: string, depth: number) => string | undefined;

function impossible(given: unknown, root: JsonSchema, path: string, depth: number): string | undefined {
  if (given === false) return `${path || '/'}: nothing is allowed`;
  if (!isObject(given) || depth > MAX_DEPTH) return undefined;
  const schema = resolvedSchema(given, root);
  const closed = isOnly(schema, ['object']) ? closedTo(partsOf(given, root)) : undefined;
  if (closed !== undefined) return `${path || '/'}: ${closed} is required, and a part of allOf does not allow it`;
  for (const prove of PROOFS) {
    const reason = prove(schema, root, path, depth);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** No member of a list of values fits the rest of the schema. */
const values: Proof = (schema, root, path) => {
  const listed = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(listed)) return undefined;
  const check = jsonSchemaValidator(() => `values ${JSON.stringify(schema)}`, {
    ...definitionsOf(root),
    type: 'object',
    properties: { value: schema },
  });
  if (listed.some((value) => 'value' in check({ value }))) return undefined;
  return `${path || '/'}: none of ${JSON.stringify(listed).slice(0, 100)} fits ${JSON.stringify(schema['type'] ?? 'its schema')}`;
};

const BOUNDS = [
  ['minimum', 'maximum', ['number', 'integer']],
  ['minLength', 'maxLength', ['string']],
  ['minItems', 'maxItems', ['array']],
  ['minProperties', 'maxProperties', ['object']],
] as const;

/** Bounds that exclude each other, of the only type. */
const bounds: Proof = (schema, _, path) => {
  for (const [least, most, types] of BOUNDS) {
    const [low, high] = [schema[least], schema[most]];
    if (typeof low !== 'number' || typeof high !== 'number' || low <= high || !isOnly(schema, types)) continue;
    return `${path || '/'}: ${least} ${low} is above ${most} ${high}`;
  }
  return undefined;
};

/** A required member, or an item that must be there, that nothing fits. */
const members: Proof = (schema, root, path, depth) => {
  if (isOnly(schema, ['array']) && Number(schema['minItems'] ?? 0) > 0 && !('prefixItems' in schema)) {
    return impossible(schema['items'], root, `${path}/items`, depth + 1);
  }
  if (!isOnly(schema, ['object']) || !Array.isArray(schema['required'])) return undefined;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const key of schema['required'] as readonly string[]) {
    if (Object.hasOwn(properties, key)) {
      const reason = impossible(properties[key], root, `${path}/${key}`, depth + 1);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
};

/** Choices of which none is possible, or of which each is there twice where exactly one must fit. */
const choices: Proof = (schema, root, path, depth) => {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const { [keyword]: _, ...rest } = schema;
    const reasons = (branches as readonly unknown[]).map((branch) =>
      impossible(branch === false ? false : { allOf: [rest, branch] }, root, path, depth + 1),
    );
    if (reasons.every((reason) => reason !== undefined)) return reasons[0];
    const isTwice = (branch: unknown, index: number) =>
      branches.some((other, at) => at !== index && isDeepStrictEqual(branch, other));
    if (keyword === 'oneOf' && branches.every(isTwice)) return `${path || '/'}: every branch of oneOf is there twice`;
  }
  return undefined;
};

const PROOFS: readonly Proof[] = [values, bounds, choices, members];

function isOnly({ type }: JsonSchema, types: readonly string[]): boolean {
  const given = [type].flat();
  return given.length > 0 && given.every((each) => types.includes(String(each)));
}

function definitionsOf({ $defs, definitions }: JsonSchema): JsonSchema {
  return { ...(isObject($defs) && { $defs }), ...(isObject(definitions) && { definitions }) };
}
