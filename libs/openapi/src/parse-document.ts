import { isObject, ToolSearchError } from '@tool-search/core';
import { parse as parseYaml } from 'yaml';
import type { OpenApiDocument } from './document-references.js';
import { modernDocument } from './swagger2.js';

const MAX_ALIASES = 100;

/**
 * Reads the text of a document: JSON when it parses as such, else YAML with at most 100 aliases.
 *
 * @param maxYamlBytes how long YAML may be, which takes the process 1.4 s a megabyte
 * @throws ToolSearchError `SOURCE_LIMIT` (YAML that is too long), `UPSTREAM_INVALID`
 */
export function parsedDocument(text: string, maxYamlBytes = Number.POSITIVE_INFINITY): OpenApiDocument {
  return checkedDocument(parsed(text.replace(/^\ufeff/, ''), maxYamlBytes));
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

function parsed(text: string, maxYamlBytes: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (jsonError) {
    // Only flow style could be meant by a brace, and a broken JSON file is better reported than read as YAML.
    if (/^\s*\{/.test(text)) throw invalid('The document is not valid JSON.', jsonError);
  }
  if (Buffer.byteLength(text) > maxYamlBytes) {
    throw new ToolSearchError('SOURCE_LIMIT', `The document is YAML of more than ${maxYamlBytes} bytes.`, {
      hint: 'Name the same document as JSON, which is read a hundred times faster.',
    });
  }
  try {
    return parseYaml(text, { maxAliasCount: MAX_ALIASES, merge: true, logLevel: 'error' }) as unknown;
  } catch (error) {
    throw invalid('The document is neither JSON nor YAML within bounds.', error);
  }
}

function invalid(message: string, cause?: unknown): ToolSearchError {
  const hint = 'Name a document of OpenAPI 3.0, 3.1 or Swagger 2.0.';
  return new ToolSearchError('UPSTREAM_INVALID', message, { hint, cause });
}
