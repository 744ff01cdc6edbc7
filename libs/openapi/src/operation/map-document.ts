import { isToolSearchError, ToolSearchError } from '@tool-search/core';
import { isObject, POISONED_KEYS, TimeSlicer, type SourceLimits } from '@tool-search/core/internal';
import { serverUrl } from './base-url.js';
import type { OperationSettings } from './configured-tools.js';
import { documentDescription, operationSites, type OperationSite } from '../document/document.js';
import type { OpenApiDocument } from '../document/document-references.js';
import type { FilteredOperation } from './operation-filter.js';
import { operationIdOf, mapOperation, type MappingTarget, tagsOf } from './operation.mapper.js';
import { operationNames } from './operation-name.js';
import type { OperationOrigin } from './operation-origin.js';
import type { OperationRemark } from './operation-remark.js';
import { securityParameters, securitySchemeNames } from './security-schemes.js';

export interface MappingSettings {
  readonly source: string;
  readonly namespace: string;
  readonly limits: SourceLimits;
  readonly documentUrl?: string;
  /** Whether the operator sets the base URL; then the document need not name a server. */
  readonly hasBaseUrl: boolean;
}

export interface MappedDocument {
  readonly origins: readonly OperationOrigin[];
  readonly refused: readonly OperationRemark[];
  /** Operations that became tools without a part, or with a corrected schema. */
  readonly amended: readonly OperationRemark[];
  /** Names of tools whose schema has less detail than the document. */
  readonly shortened: readonly string[];
  /** Settings that match nothing in this document. */
  readonly unused: readonly string[];
  readonly about: string;
}

/** Milliseconds of work on a document between two turns of the event loop. */
export const SLICE_MS = 10;

const MAX_NAME = 128;
// The default of the catalog. Deeper schemas are shortened: no document needs more, whatever the catalog accepts.
const MAX_SCHEMA_DEPTH = 32;
// Limits all operations, because each takes time even if it is not selected.
const MAX_OPERATIONS = 20_000;

/**
 * Maps the selected operations of a document; those that cannot become tools are listed with the reason.
 *
 * @throws ToolSearchError `SOURCE_LIMIT`, or `INVALID_CONFIGURATION` if neither document nor operator names a server;
 * the signal's reason when aborted
 */
export async function mapDocument(
  document: OpenApiDocument,
  settings: MappingSettings,
  selection: OperationSettings,
  signal: AbortSignal,
): Promise<MappedDocument> {
  return new TimeSlicer(SLICE_MS, signal).run(mapping(document, settings, selection));
}

function* mapping(
  document: OpenApiDocument,
  settings: MappingSettings,
  selection: OperationSettings,
): Generator<void, MappedDocument> {
  const refused: OperationRemark[] = poisonedComponents(document);
  const amended: OperationRemark[] = [];
  const sites = yield* operationSites(document, (operation, reason) => refused.push({ operation, reason }));
  if (sites.length > MAX_OPERATIONS) throw tooMany(sites.length, MAX_OPERATIONS, settings.source);
  const named = yield* namedOperations(sites, settings);
  const target = mappingTarget(document, settings);
  const chosen: typeof named = [];
  for (const each of named) {
    yield;
    if (selection.takes(each.seen)) chosen.push(each);
  }
  checkCount(chosen.length, settings);
  const origins: OperationOrigin[] = [];
  const shortened: string[] = [];
  for (const { seen, site } of chosen) {
    yield;
    const operation = `${site.method} ${site.path}`;
    try {
      const { origin, lost, changes } = mapOperation(document, site, seen.name, target);
      origins.push(origin);
      if (lost > 0) shortened.push(seen.name);
      amended.push(...changes.map((reason) => ({ operation, reason })));
    } catch (error) {
      refused.push({ operation, reason: isToolSearchError(error) ? error.message : 'the operation is malformed' });
    }
  }
  const unused = selection.unused(
    named.map(({ seen }) => seen),
    securitySchemeNames(document),
  );
  return { origins, refused, amended, shortened, unused, about: target.about };
}

interface NamedOperation {
  readonly seen: FilteredOperation;
  readonly site: OperationSite;
}

function* namedOperations(
  sites: readonly OperationSite[],
  { namespace }: MappingSettings,
): Generator<void, NamedOperation[]> {
  const names = yield* operationNames(sites, MAX_NAME - namespace.length - 1);
  const named: NamedOperation[] = [];
  for (const [index, site] of sites.entries()) {
    yield;
    const { method, path, operation } = site;
    const seen = { method, path, operationId: operationIdOf(operation), tags: tagsOf(operation['tags']) };
    named.push({ site, seen: { name: names[index] ?? '', ...seen } });
  }
  return named;
}

function mappingTarget(document: OpenApiDocument, settings: MappingSettings): MappingTarget {
  const { limits, documentUrl } = settings;
  return {
    server: documentServer(document, settings),
    relativeTo: documentUrl,
    provided: new Set(securityParameters(document)),
    schemaBytes: limits.schemaBytes ?? 65_536,
    schemaDepth: MAX_SCHEMA_DEPTH,
    about: documentDescription(document) ?? '',
  };
}

function documentServer(document: OpenApiDocument, settings: MappingSettings): string {
  const { documentUrl, hasBaseUrl, source } = settings;
  const servers = document['servers'];
  try {
    // By the OpenAPI specification, the default server is `/`, relative to the document.
    const named = Array.isArray(servers) && servers.length > 0 ? servers : [{ url: '/' }];
    const server = serverUrl(documentUrl === undefined ? servers : named, documentUrl);
    if (server !== undefined || hasBaseUrl) return server ?? '';
  } catch (error) {
    if (!hasBaseUrl) throw error;
    return '';
  }
  throw new ToolSearchError('INVALID_CONFIGURATION', `The document of source ${source} names no server.`, {
    hint: 'Set baseUrl of this source.',
  });
}

function checkCount(count: number, { source, limits }: MappingSettings): void {
  const limit = limits.tools ?? Number.POSITIVE_INFINITY;
  if (count > limit) throw tooMany(count, limit, source);
}

function tooMany(count: number, limit: number, source: string): ToolSearchError {
  return new ToolSearchError('SOURCE_LIMIT', `Source ${source} has ${count} operations; its limit is ${limit}.`, {
    hint: 'Narrow it with include or exclude, raise limits.tools, or cut the document down.',
  });
}

// No reference can reach these components, so they are harmless, but the operator should see them in the report.
function poisonedComponents(document: OpenApiDocument): OperationRemark[] {
  const places = isObject(document['components']) ? Object.entries(document['components']) : [];
  const named = [...places, ['definitions', document['definitions']] as const];
  return named.flatMap(([place, parts]) =>
    isObject(parts)
      ? Object.keys(parts)
          .filter((key) => POISONED_KEYS.has(key))
          .map((key) => ({ operation: `${place} ${key}`, reason: 'no part of a document may have this name' }))
      : [],
  );
}
