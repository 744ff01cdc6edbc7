import { schemaAt } from '../../../json/json-pointer.js';
import { isObject, type JsonSchema } from '../../../json/json.js';
import { cutLine } from '../../search/short-lines.js';

/** How much of a schema is kept. */
export interface SchemaDetail {
  /** Characters of each description; 0 = none. */
  readonly description: number;
  /** Levels of nested objects and lists. */
  readonly depth: number;
  /** Properties of each object, and alternatives. */
  readonly properties: number;
  /** Values of an enumeration. */
  readonly values: number;
}

/** Keywords that are short and say what a value may be. */
const KEPT = ['type', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];
const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;
const SHORT = 60;

/**
 * A schema with the types of all parts that it keeps, in a given detail: required properties first, descriptions cut,
 * and a member `…` that counts what was left out. For models only: it validates nothing. References are resolved.
 */
export function summarizedSchema(root: JsonSchema, detail: SchemaDetail): JsonSchema {
  return partOf(root, root, detail, 0);
}

function partOf(schema: unknown, root: JsonSchema, detail: SchemaDetail, depth: number): JsonSchema {
  const own = resolved(schema, root);
  const { description } = own;
  const rest: string[] = [];
  const short = Object.fromEntries(KEPT.flatMap((key) => (isShort(own[key]) ? [[key, own[key]]] : [])));
  const words =
    typeof description === 'string' ? cutLine(description.replace(/\s+/g, ' ').trim(), detail.description) : '';
  const nested = nestedParts(own, root, detail, depth, rest);
  return {
    ...short,
    ...('const' in own && isShort(own['const']) && { const: own['const'] }),
    ...('default' in own && isShort(own['default']) && { default: own['default'] }),
    ...valuesOf(own['enum'], detail.values, rest),
    ...(words !== '' && { description: words }),
    ...nested,
    ...(rest.length > 0 && { '…': rest.join(', ') }),
  };
}

function nestedParts(
  own: Readonly<Record<string, unknown>>,
  root: JsonSchema,
  detail: SchemaDetail,
  depth: number,
  rest: string[],
): JsonSchema {
  const parts: Record<string, unknown> = {};
  const inner = (schema: unknown) => partOf(schema, root, detail, depth + 1);
  const properties = isObject(own['properties']) ? own['properties'] : {};
  const required = Array.isArray(own['required']) ? own['required'].filter((key) => typeof key === 'string') : [];
  const names = [...new Set([...required.filter((key) => Object.hasOwn(properties, key)), ...Object.keys(properties)])];
  const shown =
    depth < detail.depth ? names.filter((name) => name.length <= SHORT * 2).slice(0, detail.properties) : [];
  if (shown.length > 0) parts['properties'] = Object.fromEntries(shown.map((name) => [name, inner(properties[name])]));
  if (names.length > shown.length) rest.push(`${names.length - shown.length} more properties`);
  const needed = required.filter((key) => shown.includes(key));
  if (needed.length > 0) parts['required'] = needed;
  if (isObject(own['items'])) {
    if (depth < detail.depth) parts['items'] = inner(own['items']);
    else rest.push('items');
  }
  for (const key of ALTERNATIVES) {
    const all: readonly unknown[] = Array.isArray(own[key]) ? own[key] : [];
    const kept = depth < detail.depth ? all.slice(0, detail.properties) : [];
    if (kept.length > 0) parts[key] = kept.map(inner);
    if (all.length > kept.length) rest.push(`${all.length - kept.length} more of ${key}`);
  }
  return parts;
}

function valuesOf(values: unknown, most: number, rest: string[]): JsonSchema {
  if (!Array.isArray(values)) return {};
  const shown = values.filter(isShort).slice(0, most);
  if (shown.length < values.length) rest.push(`${values.length - shown.length} more values`);
  return shown.length > 0 ? { enum: shown } : {};
}

function resolved(schema: unknown, root: JsonSchema): Readonly<Record<string, unknown>> {
  if (!isObject(schema)) return {};
  const reference = schema['$ref'];
  const target = typeof reference === 'string' && reference.startsWith('#') ? schemaAt(root, reference) : undefined;
  return isObject(target) ? { ...target, ...schema } : schema;
}

function isShort(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).length <= SHORT;
}
