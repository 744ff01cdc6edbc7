import { isObject, referenceKeys } from '@tool-search/core/internal';
import { lookUp, type OpenApiDocument } from '../document/document-references.js';
import { plainText } from '../document/plain-text.js';

type Schema = Readonly<Record<string, unknown>>;

/** A schema that extends another one by `allOf`. */
export interface Subtype {
  /** The value of the discriminator. */
  readonly value: string;
  readonly reference: string;
}

/** The subtypes of a schema; no list means none. */
export interface Subtypes {
  readonly list: readonly Subtype[];
  /** A sentence about the values of the discriminator. */
  readonly sentence: string;
}

const MAX_SUBTYPES = 500;
const MAX_SENTENCE = 300;
const NONE: Subtypes = { list: [], sentence: '' };
const MAX_PARTS = 100;

// Cached, because every operation may refer to the same schemas.
const known = new WeakMap<OpenApiDocument, Inheritance>();

interface Inheritance {
  /** References of the schemas that extend a schema. */
  readonly children: ReadonlyMap<unknown, readonly string[]>;
  readonly subtypes: Map<unknown, Subtypes>;
}

/**
 * The subtypes that a schema names by a discriminator only: all schemas that extend it by `allOf`, directly or not, and
 * those of the discriminator's `mapping`. None if `oneOf` or `anyOf` lists the alternatives.
 */
export function subtypesOf(document: OpenApiDocument, schema: unknown): Subtypes {
  if (!isObject(schema)) return NONE;
  let inheritance = known.get(document);
  if (!inheritance) known.set(document, (inheritance = { children: childrenOf(document), subtypes: new Map() }));
  let subtypes = inheritance.subtypes.get(schema);
  if (!subtypes) {
    const list = foundSubtypes(document, schema, inheritance.children);
    subtypes = list.length === 0 ? NONE : { list, sentence: knownValues(list) };
    inheritance.subtypes.set(schema, subtypes);
  }
  return subtypes;
}

function foundSubtypes(
  document: OpenApiDocument,
  schema: Schema,
  children: Inheritance['children'],
): readonly Subtype[] {
  if (schema['oneOf'] !== undefined || schema['anyOf'] !== undefined) return [];
  if (discriminatorOf(document, schema) === undefined) return [];
  const mapping = mappingOf(document, schema);
  const references = new Set<string>();
  const open = [...mapping.keys(), ...(children.get(schema) ?? [])];
  for (const reference of open) {
    if (references.has(reference) || references.size === MAX_SUBTYPES) continue;
    const target = found(document, reference);
    if (!isObject(target) || target === schema) continue;
    references.add(reference);
    open.push(...(children.get(target) ?? []));
  }
  return [...references].map((reference) => ({
    reference,
    value: mapping.get(reference) ?? valueOf(found(document, reference), reference),
  }));
}

/**
 * The name of the property that tells subtypes apart, which a schema may inherit; in Swagger 2 the discriminator is this
 * name.
 */
export function discriminatorOf(document: OpenApiDocument, schema: Schema): string | undefined {
  const seen = new Set<unknown>([schema]);
  for (const part of seen) {
    if (!isObject(part)) continue;
    const { discriminator, allOf } = part;
    const name = isObject(discriminator) ? discriminator['propertyName'] : discriminator;
    if (typeof name === 'string' && name !== '') return name;
    for (const other of Array.isArray(allOf) ? allOf : []) {
      if (seen.size > MAX_PARTS) return undefined;
      seen.add(isObject(other) && typeof other['$ref'] === 'string' ? found(document, other['$ref']) : other);
    }
  }
  return undefined;
}

function knownValues(subtypes: readonly Subtype[]): string {
  return plainText(`Known values: ${subtypes.map(({ value }) => value).join(', ')}.`, MAX_SENTENCE);
}

function valueOf(target: unknown, reference: string): string {
  const declared = isObject(target) ? target['x-ms-discriminator-value'] : undefined;
  return typeof declared === 'string' ? declared : (referenceKeys(reference).at(-1) ?? '');
}

/** References of the mapping's schemas, which may be given by name, with their values. */
function mappingOf(document: OpenApiDocument, { discriminator }: Schema): ReadonlyMap<string, string> {
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
  const references = new Map<string, string>();
  for (const [value, name] of Object.entries(isObject(mapping) ? mapping : {})) {
    if (typeof name !== 'string') continue;
    const reference = name.startsWith('#/') ? name : `#/components/schemas/${name}`;
    if (isObject(found(document, reference))) references.set(reference, value);
  }
  return references;
}

/** References of the schemas that extend a schema, by that schema. */
function childrenOf(document: OpenApiDocument): Inheritance['children'] {
  const children = new Map<unknown, string[]>();
  const components = isObject(document['components']) ? document['components'] : {};
  for (const [place, schemas] of [
    ['#/components/schemas', components['schemas']],
    ['#/definitions', document['definitions']],
  ] as const) {
    for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {})) {
      const reference = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`;
      for (const part of isObject(schema) && Array.isArray(schema['allOf']) ? schema['allOf'] : []) {
        const parent = isObject(part) && typeof part['$ref'] === 'string' ? found(document, part['$ref']) : undefined;
        if (!isObject(parent)) continue;
        const others = children.get(parent);
        if (others) others.push(reference);
        else children.set(parent, [reference]);
      }
    }
  }
  return children;
}

function found(document: OpenApiDocument, reference: string): unknown {
  try {
    return lookUp(document, reference);
  } catch {
    return undefined;
  }
}
