import type { JsonSchema } from '@tool-search/core';
import { isObject, POISONED_KEYS } from '@tool-search/core/internal';
import { lookUp, type OpenApiDocument, refusal } from '../document/document-references.js';
import {
  checkedValue,
  isScalar,
  KEYWORDS,
  type KeywordKind,
  modernised,
  sizeOf,
  split,
  withNull,
} from './schema-keywords.js';
import { plainText } from '../document/plain-text.js';
import { isReadOnly, readOnlyNames } from './read-only.js';
import { closedFor, fitted } from './schema-fit.js';
import { type Subtypes, subtypesOf } from './subtypes.js';

const MAX_NODES = 2000;
const MAX_CUT = 2000;
const MAX_TEXT = 500;
const MAX_EXAMPLE = 100;
const MAX_PLACEHOLDER_ENUM = 200;
/** Subtypes that a schema with a discriminator offers as choices. With more, it names them and is left open. */
const MAX_SUBTYPES = 8;

type Schema = Readonly<Record<string, unknown>>;

/** Where a schema stands among those that describe the same value. */
interface Place {
  /** Whether it is one of several parts of `allOf`, which must leave room for the properties of the others. */
  readonly isPart: boolean;
  /** Names of properties that only the API may set, by any of the schemas. Undefined for the first one. */
  readonly readOnly?: ReadonlySet<string>;
}

const ALONE: Place = { isPart: false };
const PART: Place = { isPart: true };
/** Keywords whose schemas describe the same value as the schema they stand in. */
const IN_PLACE = new Set(['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);
/** Keywords whose schemas are conditions: one that accepts more would refuse more. */
const CONDITIONS = new Set(['not', 'if']);
const CONDITION: Place = { isPart: false, readOnly: new Set() };

/**
 * Converts an OpenAPI document's schemas for one tool into JSON Schema 2020-12 without references: at most 2,000
 * schemas and enum values, and no deeper than the given depth. A part that is recursive or beyond these limits becomes
 * a schema with only description and type, so that every call the API accepts still matches the tool's schema.
 */
export class SchemaInliner {
  #nodes = 0;
  #cut = 0;
  readonly #active = new Set<string>();
  /** Schemas of which the subtypes are being inlined: those extend them. */
  readonly #extended = new Set<unknown>();
  readonly #changes = new Set<string>();
  // In OpenAPI 3.0 and Swagger 2, what stands beside a reference has no meaning, but authors describe a value so.
  readonly #isModern: boolean;

  /** @param maxDepth levels of the resulting JSON; the tool's root schema is level 1 */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly maxDepth: number,
  ) {
    this.#isModern = document['swagger'] === undefined && !/^3(\.0|$)/.test(String(document['openapi']));
  }

  /** What was corrected, because otherwise a value that the API accepts could not be given. */
  get changes(): ReadonlySet<string> {
    return this.#changes;
  }

  /** Number of places with less detail than the document. */
  get lost(): number {
    return this.#cut;
  }

  /** Whether a limit of one tool is reached. */
  get exhausted(): boolean {
    return this.#nodes >= MAX_NODES || this.#cut > MAX_CUT;
  }

  /**
   * Inlines a schema with everything below it.
   *
   * @param depth level of the result
   * @throws ToolSearchError `INVALID_TOOL` for external or dangling references, keys such as `__proto__`, and schemas
   * far beyond the limits
   */
  inline(schema: unknown, depth: number): JsonSchema {
    return this.#inline(schema, depth, ALONE);
  }

  #inline(schema: unknown, depth: number, place: Place): JsonSchema {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const isReference = typeof schema['$ref'] === 'string';
    const isBeyond = !isReference && (this.exhausted || depth > this.maxDepth - 2);
    if (schema['nullable'] === true || schema['x-nullable'] === true) {
      // A placeholder has no type that could be null; copying the enum for it would cost too much.
      if (isBeyond) return this.#placeholder({ description: schema['description'] });
      return this.#inline(withNull(schema), depth, place);
    }
    if (typeof schema['$ref'] === 'string') return this.#reference(schema['$ref'], schema, depth, place);
    if (isBeyond) return this.#placeholder(schema);
    this.#nodes += 1;
    return this.#keywords(schema, depth, place);
  }

  #reference(reference: string, schema: Schema, depth: number, place: Place): JsonSchema {
    const { assertions, annotations } = split(schema);
    if (this.#isModern && Object.keys(assertions).length > 0) {
      return this.#inline({ ...annotations, allOf: [{ $ref: reference }, assertions] }, depth, place);
    }
    const target = lookUp(this.document, reference);
    const subtypes = place.isPart || this.#extended.has(target) ? undefined : subtypesOf(this.document, target);
    if (subtypes && subtypes.list.length > 0)
      return this.#extensible(target as Schema, reference, annotations, subtypes, depth);
    if (this.#active.has(reference) || this.#active.size >= this.maxDepth) {
      return this.#placeholder(isObject(target) ? { ...target, ...annotations } : annotations);
    }
    this.#active.add(reference);
    const inlined = this.#inline(isObject(target) ? { ...target, ...annotations } : target, depth, place);
    this.#active.delete(reference);
    return inlined;
  }

  /** A schema whose subtypes are named by its discriminator only: itself, open for more properties, or one of them. */
  #extensible(
    target: Schema,
    reference: string,
    annotations: Schema,
    { list, sentence }: Subtypes,
    depth: number,
  ): JsonSchema {
    const isShown = this.#extended.size === 0 && list.length <= MAX_SUBTYPES && depth <= this.maxDepth - 4;
    const family = [target, ...(isShown ? list.map((each) => lookUp(this.document, each.reference)) : [])];
    for (const member of family) this.#extended.add(member);
    const base = this.#reference(reference, { $ref: reference, ...annotations }, depth, PART);
    const shown = isShown ? list.map((each) => this.#reference(each.reference, {}, depth + 2, ALONE)) : [];
    for (const member of family) this.#extended.delete(member);
    const description = [base['description'], sentence].filter(Boolean).join(' ');
    const open = { ...closedFor(base, true), description };
    return shown.length === 0 ? open : { description, anyOf: [...shown, open] };
  }

  #placeholder(schema: Schema): JsonSchema {
    this.#cut += 1;
    if (this.#cut > MAX_CUT) throw refusal('the schema is too large');
    const description = plainText(schema['description'], MAX_TEXT);
    const { enum: values } = schema;
    // Reading a long enum at every place would cost too much; without it, no type is sure.
    const isLong = Array.isArray(values) && values.length > MAX_PLACEHOLDER_ENUM;
    const type = isLong ? undefined : typeWith(schema['type'], values);
    return { ...(typeof type === 'string' ? { type } : {}), ...(description === '' ? {} : { description }) };
  }

  #keywords(given: Schema, depth: number, place: Place): JsonSchema {
    const cutBefore = this.#cut;
    const readOnly = place.readOnly ?? readOnlyNames(this.document, given);
    const schema = modernised(given, (property) => isReadOnly(this.document, property), readOnly);
    const parts = { isPart: place.isPart || hasParts(schema), readOnly };
    const branches = { isPart: parts.isPart || schema['properties'] !== undefined, readOnly };
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      const kind = KEYWORDS.get(key);
      if (kind === undefined || (key === 'title' && typeof schema['description'] === 'string')) continue;
      const others = CONDITIONS.has(key) ? CONDITION : ALONE;
      const inner = key === 'allOf' ? parts : IN_PLACE.has(key) ? branches : others;
      const inlined = this.#keyword(key, kind, value, depth, inner);
      if (inlined !== undefined) out[key] = inlined;
    }
    const { example: own, examples } = schema;
    const example: unknown = own ?? (Array.isArray(examples) ? (examples as unknown[])[0] : examples);
    const isShort = typeof example !== 'string' || example.length <= MAX_EXAMPLE;
    if (isShort && isScalar(example) && JSON.stringify(example).length <= MAX_EXAMPLE) out['examples'] = [example];
    if (this.#cut > cutBefore) loosen(out);
    const { schema: fitting, changes } = fitted(out);
    for (const change of changes) this.#changes.add(change);
    return closedFor(fitting, parts.isPart);
  }

  #keyword(key: string, kind: KeywordKind, value: unknown, depth: number, place: Place): unknown {
    switch (kind) {
      case 'schema':
        if (typeof value === 'boolean') return value;
        return isObject(value) ? this.#inline(value, depth + 1, place) : undefined;
      case 'list':
        if (!Array.isArray(value) || value.length === 0) return undefined;
        return value.map((item) => this.#inline(item, depth + 2, place));
      case 'schemas':
        return isObject(value) ? this.#schemas(value, depth + 2, key === 'patternProperties', place) : undefined;
      case 'text':
        return checkedValue(kind, plainText(value, MAX_TEXT));
      default: {
        this.#nodes += sizeOf(value);
        const checked = this.exhausted && kind === 'enum' ? undefined : checkedValue(kind, value);
        if (checked === undefined && NARROWING.has(key)) this.#cut += 1;
        return checked;
      }
    }
  }

  #schemas(schemas: Schema, depth: number, patterns: boolean, place: Place): JsonSchema {
    const out: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas)) {
      if (POISONED_KEYS.has(name)) throw refusal(`a schema has the forbidden key ${name}`);
      if (patterns && checkedValue('pattern', name) === undefined) throw refusal('a schema has a malformed pattern');
      out[name] = this.#inline(schema, depth, place);
    }
    return out;
  }
}

/** A type, unless its enum contradicts it. */
function typeWith(type: unknown, values: unknown): unknown {
  return fitted({ type: checkedValue('type', type), enum: checkedValue('enum', values) }).schema['type'];
}

/** Whether several schemas describe one value, each a part of it. */
function hasParts({ allOf, properties }: Schema): boolean {
  return Array.isArray(allOf) && (allOf.length > 1 || (allOf.length === 1 && properties !== undefined));
}

// Without one of these keywords, the schema accepts more values than the document.
const NARROWING = new Set(['type', 'enum', 'const', 'pattern']);

/**
 * A shortened part accepts more values. Where that would make the whole accept fewer values, the keyword is removed or
 * weakened: a call that the API accepts must not be rejected because of the limits.
 */
function loosen(out: Record<string, unknown>): void {
  for (const key of ['not', 'if', 'then', 'else', 'unevaluatedItems', 'unevaluatedProperties', 'maxContains'])
    delete out[key];
  if (Array.isArray(out['oneOf'])) {
    if (out['anyOf'] === undefined) out['anyOf'] = out['oneOf'];
    delete out['oneOf'];
  }
}
