import { isObject, ToolSearchError } from '@tool-search/core';
import type { OpenApiDocument } from './document-references.js';
import { readInWorker, type WorkerBounds } from './document-worker.js';
import { modernDocument } from './swagger2.js';

/** Up to this length JSON is parsed in a few milliseconds, faster than a worker starts. */
const MAX_INLINE_BYTES = 1_048_576;

/**
 * Parses the UTF-8 text of a document: as JSON if possible, otherwise as YAML with at most 100 aliases. Short JSON is
 * parsed directly, everything else in a worker.
 *
 * @throws ToolSearchError `SOURCE_LIMIT` (too much YAML, memory or time), `UPSTREAM_INVALID`; the signal's reason when
 * aborted
 */
export async function parsedDocument(
  chunks: readonly Uint8Array[],
  bounds: WorkerBounds,
  signal: AbortSignal,
): Promise<OpenApiDocument> {
  return checkedDocument(shortJson(chunks) ?? (await readInWorker(chunks, bounds, signal)));
}

/**
 * Checks that a value is an OpenAPI 3 or Swagger 2.0 document. Converts the servers and security schemes of Swagger 2.0
 * to OpenAPI 3.
 *
 * @throws ToolSearchError `UPSTREAM_INVALID` if it is neither
 */
export function checkedDocument(document: unknown): OpenApiDocument {
  if (!isObject(document)) throw invalid('The document is not an object.');
  if (!isObject(document['paths'])) throw invalid('The document has no paths.');
  // YAML reads an unquoted 2.0 or 3.0 as a number.
  if (/^2(\.0)?$/.test(String(document['swagger']))) return modernDocument(document);
  if (document['swagger'] !== undefined || !/^3(\.\d+)*$/.test(String(document['openapi'])))
    throw invalid('The document does not say that it is OpenAPI 3 or Swagger 2.0.');
  return document;
}

function shortJson(chunks: readonly Uint8Array[]): unknown {
  if (chunks.reduce((bytes, { length }) => bytes + length, 0) > MAX_INLINE_BYTES) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks))) as unknown;
  } catch {
    return undefined;
  }
}

function invalid(message: string): ToolSearchError {
  const hint = 'Name a document of OpenAPI 3.0, 3.1 or Swagger 2.0.';
  return new ToolSearchError('UPSTREAM_INVALID', message, { hint });
}
