import { ToolSearchError } from '@tool-search/core';
import { isObject, POISONED_KEYS, referenceKeys } from '@tool-search/core/internal';

/** An OpenAPI document as written. References are not resolved; only `paths` is known to be an object. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

const MAX_HOPS = 32;

/**
 * Resolves a reference object; returns anything else unchanged. Only references within the document are followed.
 *
 * @throws ToolSearchError `INVALID_TOOL` for an external, dangling or circular reference
 */
export function follow(document: OpenApiDocument, node: unknown): unknown {
  let current = node;
  for (let hops = 0; isObject(current) && typeof current['$ref'] === 'string'; hops++) {
    if (hops === MAX_HOPS) throw refusal('a reference leads through too many others');
    current = lookUp(document, current['$ref']);
  }
  return current;
}

/** Resolves a reference such as `#/components/schemas/Pet`. @throws ToolSearchError as {@link follow} */
export function lookUp(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/')) throw refusal('a reference leads outside the document; those are never fetched');
  let node: unknown = document;
  for (const key of referenceKeys(reference)) {
    if (POISONED_KEYS.has(key)) throw refusal('a reference names a part that no document may have');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) {
      throw refusal('a reference leads to a part that the document does not have');
    }
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

/** The error for one operation that cannot become a tool; the other operations are unaffected. */
export function refusal(reason: string): ToolSearchError {
  return new ToolSearchError('INVALID_TOOL', reason);
}
