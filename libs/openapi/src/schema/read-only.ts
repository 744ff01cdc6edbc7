import { isObject } from '@tool-search/core/internal';
import { lookUp, type OpenApiDocument } from '../document/document-references.js';

const MAX_DEPTH = 16;
const NONE: ReadonlySet<string> = new Set();

// Cached, because the same schemas are read for many operations.
const known = new WeakMap<OpenApiDocument, WeakMap<object, boolean>>();

/** Whether only the API may set a property: `readOnly` at its schema, behind a reference, or in a part of `allOf`. */
export function isReadOnly(document: OpenApiDocument, schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (schema['$ref'] === undefined && schema['allOf'] === undefined) return schema['readOnly'] === true;
  let answers = known.get(document);
  if (!answers) known.set(document, (answers = new WeakMap()));
  let answer = answers.get(schema);
  if (answer === undefined) answers.set(schema, (answer = foundReadOnly(document, schema)));
  return answer;
}

function foundReadOnly(document: OpenApiDocument, schema: unknown): boolean {
  const seen = new Set<unknown>();
  const look = (part: unknown, depth: number): boolean => {
    if (!isObject(part) || seen.has(part) || depth > MAX_DEPTH) return false;
    seen.add(part);
    if (part['readOnly'] === true) return true;
    const { $ref: reference, allOf: parts } = part;
    if (typeof reference === 'string' && look(target(document, reference), depth + 1)) return true;
    return Array.isArray(parts) && parts.some((each) => look(each, depth + 1));
  };
  return look(schema, 0);
}

/** Names of an object's properties that only the API may set, in all parts that describe the same object. */
export function readOnlyNames(
  document: OpenApiDocument,
  schema: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const hasParts = ['allOf', 'anyOf', 'oneOf'].some((key) => schema[key] !== undefined);
  if (!hasParts && !isObject(schema['properties'])) return NONE;
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const look = (part: unknown, depth: number): void => {
    if (!isObject(part) || seen.has(part) || depth > MAX_DEPTH) return;
    seen.add(part);
    if (typeof part['$ref'] === 'string') look(target(document, part['$ref']), depth + 1);
    const { properties } = part;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (isReadOnly(document, property)) names.add(name);
    }
    for (const branch of [part['allOf'], part['anyOf'], part['oneOf']].flat()) look(branch, depth + 1);
  };
  look(schema, 0);
  return names;
}

function target(document: OpenApiDocument, reference: string): unknown {
  try {
    return lookUp(document, reference);
  } catch {
    // The inliner refuses the schema for it.
    return undefined;
  }
}
