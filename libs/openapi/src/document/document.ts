import { isToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import { follow, type OpenApiDocument, refusal } from './document-references.js';
import { plainText } from './plain-text.js';
import { modernOperation } from './swagger2.js';

export interface OperationSite {
  /** As it is sent: upper case, unless the document names one of its own in another case. */
  readonly method: string;
  /** The path template, for example `/pets/{petId}`. */
  readonly path: string;
  /** The path item, with the parameters and servers that its operations share. */
  readonly pathItem: Readonly<Record<string, unknown>>;
  readonly operation: Readonly<Record<string, unknown>>;
}

/** Methods whose operations become tools. OPTIONS and TRACE concern the connection, not the domain. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
const OF_THE_CONNECTION = new Set(['OPTIONS', 'TRACE', 'TRACK', 'CONNECT']);
const METHOD = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$/;

const MAX_DESCRIPTION = 500;

/** A document's title, summary and description as plain text; undefined if it has none. */
export function documentDescription(document: OpenApiDocument): string | undefined {
  const info = isObject(document['info']) ? document['info'] : {};
  const parts = ['title', 'summary', 'description'].map((field) => plainText(info[field], MAX_DESCRIPTION));
  return parts.filter((part) => part !== '').join('\n') || undefined;
}

/**
 * All operations in document order; Swagger 2 operations are converted to OpenAPI 3. Calls `refuse` for every path and
 * operation that cannot be read, and skips operations with `x-tool-search: false`. Yields before each path.
 */
export function* operationSites(
  document: OpenApiDocument,
  refuse: (path: string, reason: string) => void,
): Generator<void, OperationSite[]> {
  const sites: OperationSite[] = [];
  for (const [path, item] of Object.entries(document['paths'] as object)) {
    yield;
    // Skips extensions such as `x-…`.
    if (!path.startsWith('/')) continue;
    try {
      const pathItem = follow(document, item);
      if (!isObject(pathItem)) throw refusal('the path item is not an object');
      for (const [method, operation] of operationsOf(pathItem)) {
        if (isObject(operation)) addSite(document, { method, path, pathItem, operation }, sites, refuse);
      }
    } catch (error) {
      refuse(path, isToolSearchError(error) ? error.message : 'the path item is malformed');
    }
  }
  return sites;
}

/** The operations of a path by method, with those that OpenAPI 3.2 adds. */
function operationsOf(pathItem: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const known = [...METHODS, ...OF_THE_CONNECTION].map((method) => [method, pathItem[method.toLowerCase()]] as const);
  const more = pathItem['additionalOperations'];
  const others = Object.entries(isObject(more) ? more : {}).map(
    ([method, operation]) =>
      [METHODS.includes(method.toUpperCase()) ? method.toUpperCase() : method, operation] as const,
  );
  const named = new Set(known.flatMap(([method, operation]) => (operation === undefined ? [] : [method])));
  return [...known, ...others.filter(([method]) => !named.has(method))];
}

function addSite(
  document: OpenApiDocument,
  site: OperationSite,
  sites: OperationSite[],
  refuse: (operation: string, reason: string) => void,
): void {
  if (site.operation['x-tool-search'] === false) return;
  try {
    if (OF_THE_CONNECTION.has(site.method.toUpperCase())) throw refusal('its method concerns the connection');
    if (!METHOD.test(site.method)) throw refusal('its method is no name that HTTP allows');
    sites.push(document['swagger'] === undefined ? site : modernOperation(document, site));
  } catch (error) {
    const reason = isToolSearchError(error) ? error.message : 'the operation is malformed';
    refuse(`${site.method} ${site.path}`, reason);
  }
}
