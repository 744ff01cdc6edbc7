import { isObject, ToolSearchError } from '@tool-search/core';
import type { OpenApiDocument } from './document-references.js';
import { readInWorker, type WorkerBounds } from './document-worker.js';
import { modernDocument } from './swagger2.js';

/** JSON of this length is parsed in a few milliseconds, which is less than a worker needs to start. */
const MAX_INLINE_BYTES = 1_048_576;

/**
 * Reads the UTF-8 text of a document: JSON when it parses as such, else YAML with at most 100 aliases. Short JSON is parsed at once,
 * everything else in a worker.
 *
 * @throws ToolSearchError `SOURCE_LIMIT` (too much YAML, memory or time), `UPSTREAM_INVALID`; the signal's reason when aborted
 */
export async function parsedDocument(
  chunks: readonly Uint8Array[],
  bounds: WorkerBounds,
  signal: AbortSignal,
): Promise<OpenApiDocument> {
  return checkedDocument(shortJson(chunks) ?? (await readInWorker(chunks, bounds, signal)));
}

/**
 * A value as an OpenAPI 3 document; one of Swagger 2.0 says afterwards in the words of OpenAPI 3 where calls go and how they are secured.
 *
 * @throws ToolSearchError `UPSTREAM_INVALID` when it is neither
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
