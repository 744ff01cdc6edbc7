import { isObject, isToolSearchError } from '@tool-search/core';
import { follow, type OpenApiDocument, refusal } from './document-references.js';
import { plainText } from './plain-text.js';
import { modernOperation } from './swagger2.js';

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

const MAX_DESCRIPTION = 500;

/** What a document says of itself: its title, summary and description as plain words; undefined when it says nothing. */
export function documentDescription(document: OpenApiDocument): string | undefined {
  const info = isObject(document['info']) ? document['info'] : {};
  const parts = ['title', 'summary', 'description'].map((field) => plainText(info[field], MAX_DESCRIPTION));
  return parts.filter((part) => part !== '').join('\n') || undefined;
}

/**
 * All operations in the order of the document, those of Swagger 2 in the words of OpenAPI 3; `refuse` hears of every path and
 * operation that cannot be read. An operation that says `x-tool-search: false` of itself is left out in silence. Pauses at each path.
 */
export function* operationSites(
  document: OpenApiDocument,
  refuse: (path: string, reason: string) => void,
): Generator<void, OperationSite[]> {
  const sites: OperationSite[] = [];
  for (const [path, item] of Object.entries(document['paths'] as object)) {
    yield;
    // Extensions stand beside the paths.
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
