import { createReadStream } from 'node:fs';
import { isObject, isToolSearchError, POISONED_KEYS, ToolSearchError } from '@tool-search/core';
import { parse as parseYaml } from 'yaml';
import { plainText } from './plain-text.js';

/** An OpenAPI document as it was written: nothing resolved, nothing trusted but that it is an object with paths. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** One operation where it stands in its document. */
export interface OperationSite {
  /** Upper case. */
  readonly method: Method;
  /** The path template, `/pets/{petId}`. */
  readonly path: string;
  /** What the operations of one path share: parameters and servers. */
  readonly pathItem: Readonly<Record<string, unknown>>;
  readonly operation: Readonly<Record<string, unknown>>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A method whose operations become tools; OPTIONS and TRACE describe the connection, not the domain. */
export type Method = (typeof METHODS)[number];

const MAX_ALIASES = 100;
const MAX_HOPS = 32;
const MAX_DESCRIPTION = 500;

/**
 * Reads an OpenAPI 3.x document. A file is JSON when it parses as such, else YAML with at most 100 aliases.
 *
 * @param from path of a file, or the document itself
 * @param maxBytes how large a file may be
 * @throws ToolSearchError `SOURCE_UNAVAILABLE` (unreadable file), `SOURCE_LIMIT` (too large), `UPSTREAM_INVALID` (not
 * an OpenAPI 3.x document)
 */
export async function readDocument(
  from: string | object,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OpenApiDocument> {
  const document = typeof from === 'string' ? parse(await readBounded(from, maxBytes, signal)) : from;
  if (!isObject(document)) throw invalid('The document is not an object.');
  if (document['swagger'] !== undefined) {
    throw invalid('The document is Swagger 2.0.', 'Convert it to OpenAPI 3, for example with swagger2openapi.');
  }
  // YAML reads an unquoted 3.0 as the number 3.
  if (!/^3(\.\d+)*$/.test(String(document['openapi'])))
    throw invalid('The document does not say that it is OpenAPI 3.');
  if (!isObject(document['paths'])) throw invalid('The document has no paths.');
  return document;
}

/** What a document says of itself: its title, summary and description as plain words; undefined when it says nothing. */
export function documentDescription(document: OpenApiDocument): string | undefined {
  const info = isObject(document['info']) ? document['info'] : {};
  const parts = ['title', 'summary', 'description'].map((field) => plainText(info[field], MAX_DESCRIPTION));
  return parts.filter((part) => part !== '').join('\n') || undefined;
}

/** All operations in the order of the document; `refuse` hears of every path that cannot be read. */
export function operationSites(
  document: OpenApiDocument,
  refuse: (path: string, reason: string) => void,
): OperationSite[] {
  const sites: OperationSite[] = [];
  for (const [path, item] of Object.entries(document['paths'] as object)) {
    // Extensions stand beside the paths.
    if (!path.startsWith('/')) continue;
    try {
      const pathItem = follow(document, item);
      if (!isObject(pathItem)) throw refusal('the path item is not an object');
      for (const method of METHODS) {
        const operation = pathItem[method.toLowerCase()];
        if (isObject(operation)) sites.push({ method, path, pathItem, operation });
      }
    } catch (error) {
      refuse(path, isToolSearchError(error) ? error.message : 'the path item is malformed');
    }
  }
  return sites;
}

/**
 * What a reference object stands for; anything else is returned as it is. References are followed inside the document
 * only.
 *
 * @throws ToolSearchError `INVALID_TOOL` for a reference that leads outside, nowhere or in a circle
 */
export function follow(document: OpenApiDocument, node: unknown): unknown {
  let current = node;
  for (let hops = 0; isObject(current) && typeof current['$ref'] === 'string'; hops++) {
    if (hops === MAX_HOPS) throw refusal('a reference leads through too many others');
    current = lookUp(document, current['$ref']);
  }
  return current;
}

/** The part of the document that a reference such as `#/components/schemas/Pet` names. Throws like {@link follow}. */
export function lookUp(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/')) throw refusal('a reference leads outside the document; those are never fetched');
  let node: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (POISONED_KEYS.has(key)) throw refusal('a reference names a part that no document may have');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) {
      throw refusal('a reference leads to a part that the document does not have');
    }
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

/** Why one operation cannot become a tool; the others are untouched. */
export function refusal(reason: string): ToolSearchError {
  return new ToolSearchError('INVALID_TOOL', reason);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Reads one byte more than allowed at most, so that the bound also holds for pipes, devices and growing files.
async function readBounded(path: string, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { end: maxBytes, signal })) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolSearchError('SOURCE_UNAVAILABLE', `The document ${path} cannot be read.`, {
      hint: 'Check that the file exists and that the application may read it.',
      cause: error,
    });
  }
  if (bytes > maxBytes) {
    throw new ToolSearchError('SOURCE_LIMIT', `The document ${path} is larger than ${maxBytes} bytes.`, {
      hint: 'Raise maxDocumentBytes for this source, or cut the document down.',
    });
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (jsonError) {
    // Only flow style could be meant by a brace, and a broken JSON file is better reported than read as YAML.
    if (/^\s*\{/.test(text)) throw invalid('The document is not valid JSON.', undefined, jsonError);
  }
  try {
    return parseYaml(text, { maxAliasCount: MAX_ALIASES, merge: true, logLevel: 'error' }) as unknown;
  } catch (error) {
    throw invalid('The document is neither JSON nor YAML within bounds.', undefined, error);
  }
}

function invalid(message: string, hint = 'Name an OpenAPI 3.0 or 3.1 document.', cause?: unknown): ToolSearchError {
  return new ToolSearchError('UPSTREAM_INVALID', message, { hint, cause });
}
