import { isToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/source';
import { follow, type OpenApiDocument, refusal } from './document-references.js';
import { plainText } from './plain-text.js';
import { modernOperation } from './swagger2.js';

export interface OperationSite {
  /** Upper case. */
  readonly method: Method;
  /** The path template, for example `/pets/{petId}`. */
  readonly path: string;
  /** The path item, with the parameters and servers that its operations share. */
  readonly pathItem: Readonly<Record<string, unknown>>;
  readonly operation: Readonly<Record<string, unknown>>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Methods whose operations become tools. OPTIONS and TRACE concern the connection, not the domain. */
export type Method = (typeof METHODS)[number];

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
      for (const method of METHODS) {
        const operation = pathItem[method.toLowerCase()];
        if (isObject(operation)) addSite(document, { method, path, pathItem, operation }, sites, refuse);
      }
    } catch (error) {
      refuse(path, isToolSearchError(error) ? error.message : 'the path item is malformed');
    }
  }
  return sites;
}

function addSite(
  document: OpenApiDocument,
  site: OperationSite,
  sites: OperationSite[],
  refuse: (operation: string, reason: string) => void,
): void {
  if (site.operation['x-tool-search'] === false) return;
  try {
    sites.push(document['swagger'] === undefined ? site : modernOperation(document, site));
  } catch (error) {
    const reason = isToolSearchError(error) ? error.message : 'the operation is malformed';
    refuse(`${site.method} ${site.path}`, reason);
  }
}
