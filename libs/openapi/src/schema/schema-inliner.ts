import type { JsonSchema } from '@tool-search/core';
import { isObject, POISONED_KEYS } from '@tool-search/core/source';
import { lookUp, type OpenApiDocument, refusal } from '../document/document-references.js';
import { checkedValue, isScalar, KEYWORDS, type KeywordKind, modernised, split, withNull } from './schema-keywords.js';
import { plainText } from '../document/plain-text.js';

const MAX_NODES = 2000;
const MAX_CUT = 2000;
const MAX_TEXT = 500;
const MAX_EXAMPLE = 100;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Converts an OpenAPI document's schemas for one tool into JSON Schema 2020-12 without references: at most 2,000
 * schemas and enum values, and no deeper than the given depth. A part that is recursive or beyond these limits becomes
 * a schema with only description and type, so that every call the API accepts still matches the tool's schema.
 */
export class SchemaInliner {
  #nodes = 0;
  #cut = 0;
  readonly #active = new Set<string>();

  /** @param maxDepth levels of the resulting JSON; the tool's root schema is level 1 */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly maxDepth: number,
  ) {}

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
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    if (schema['nullable'] === true || schema['x-nullable'] === true) return this.inline(withNull(schema), depth);
    if (typeof schema['$ref'] === 'string') return this.#reference(schema['$ref'], schema, depth);
    if (this.exhausted || depth > this.maxDepth - 2) return this.#placeholder(schema);
    this.#nodes += 1;
    return this.#keywords(modernised(schema), depth);
  }

  #reference(reference: string, schema: Schema, depth: number): JsonSchema {
    const { assertions, annotations } = split(schema);
    if (Object.keys(assertions).length > 0) {
      return this.inline({ ...annotations, allOf: [{ $ref: reference }, assertions] }, depth);
    }
    const target = lookUp(this.document, reference);
    if (this.#active.has(reference) || this.#active.size >= this.maxDepth) {
      return this.#placeholder(isObject(target) ? { ...target, ...annotations } : annotations);
    }
    this.#active.add(reference);
    const inlined = this.inline(isObject(target) ? { ...target, ...annotations } : target, depth);
    this.#active.delete(reference);
    return inlined;
  }

  #placeholder(schema: Schema): JsonSchema {
    this.#cut += 1;
    if (this.#cut > MAX_CUT) throw refusal('the schema is too large');
    const description = plainText(schema['description'], MAX_TEXT);
    const type = checkedValue('type', schema['type']);
    return { ...(typeof type === 'string' ? { type } : {}), ...(description === '' ? {} : { description }) };
  }

  #keywords(schema: Schema, depth: number): JsonSchema {
    const cutBefore = this.#cut;
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      const kind = KEYWORDS.get(key);
      if (kind === undefined || (key === 'title' && typeof schema['description'] === 'string')) continue;
      const inlined = this.#keyword(key, kind, value, depth);
      if (inlined !== undefined) out[key] = inlined;
    }
    const example: unknown = schema['example'] ?? [schema['examples']].flat()[0];
    if (isScalar(example) && JSON.stringify(example).length <= MAX_EXAMPLE) out['examples'] = [example];
    if (this.#cut > cutBefore) loosen(out);
    return out;
  }

  #keyword(key: string, kind: KeywordKind, value: unknown, depth: number): unknown {
    switch (kind) {
      case 'schema':
        return typeof value === 'boolean' ? value : isObject(value) ? this.inline(value, depth + 1) : undefined;
      case 'list':
        return Array.isArray(value) && value.length > 0 ? value.map((item) => this.inline(item, depth + 2)) : undefined;
      case 'schemas':
        return isObject(value) ? this.#schemas(value, depth + 2, key === 'patternProperties') : undefined;
      case 'text':
        return checkedValue(kind, plainText(value, MAX_TEXT));
      default: {
        if (Array.isArray(value)) this.#nodes += value.length;
        const checked = this.exhausted && kind === 'enum' ? undefined : checkedValue(kind, value);
        if (checked === undefined && NARROWING.has(key)) this.#cut += 1;
        return checked;
      }
    }
  }

  #schemas(schemas: Schema, depth: number, patterns: boolean): JsonSchema {
    const out: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas)) {
      if (POISONED_KEYS.has(name)) throw refusal(`a schema has the forbidden key ${name}`);
      if (patterns && checkedValue('pattern', name) === undefined) throw refusal('a schema has a malformed pattern');
      out[name] = this.inline(schema, depth);
    }
    return out;
  }
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
