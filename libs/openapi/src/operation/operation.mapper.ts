import { isObject } from '@tool-search/core';
import { serverUrl } from './base-url.js';
import type { OperationSite } from '../document/document.js';
import { type OpenApiDocument, refusal } from '../document/document-references.js';
import { boundedSchema, type Input, type Inputs, inputsOf, type SchemaBounds } from './operation-inputs.js';
import type { OperationOrigin } from './operation-origin.js';
import type { OperationPlan, PlannedArgument, PlannedBody } from './operation-plan.js';
import { plainText } from '../document/plain-text.js';
import { plannedSecurity } from './security-schemes.js';

/** What is the same for all operations of a document. */
export interface MappingTarget extends SchemaBounds {
  /** The document's own first server, without a slash at the end; `''` for none. */
  readonly server: string;
  /** What an operation's relative server is relative to. */
  readonly relativeTo?: string;
  /** `in name`, lower case, of parameters that a security scheme provides. */
  readonly provided: ReadonlySet<string>;
  readonly descriptionChars: number;
  /** What the document says of itself. */
  readonly about: string;
}

/** One operation as a tool, before any setting of the application. */
export interface MappedOperation {
  readonly origin: OperationOrigin;
  /** How many places of its schema hold less than the document says. */
  readonly lost: number;
}

const MAX_DESCRIPTION = 1000;
const MAX_TAG = 64;
const MAX_TAGS = 50;
const MAX_ID = 200;

/**
 * Turns an operation into a tool with one flat object of arguments and what its calls need.
 *
 * @throws ToolSearchError `INVALID_TOOL` when the operation cannot be read or called
 */
export function mapOperation(
  document: OpenApiDocument,
  site: OperationSite,
  name: string,
  target: MappingTarget,
): MappedOperation {
  const { method, path, operation } = site;
  const inputs = inputsOf(document, site, target.provided);
  const { inputSchema, lost } = boundedSchema(document, inputs, target);
  const server = serverOf(site, target);
  const { requestBody } = inputs;
  const origin: OperationOrigin = {
    name,
    method,
    path,
    operationId: operationIdOf(operation),
    description: descriptionOf(site, Math.min(target.descriptionChars, MAX_DESCRIPTION)),
    tags: tagsOf(operation['tags']),
    deprecated: operation['deprecated'] === true,
    inputSchema,
    server,
    home: server !== '' && target.server !== '' && new URL(server).origin === new URL(target.server).origin,
    segments: segmentsOf(path, new Map(inputs.path.map((input) => [input.name, input.argument]))),
    query: inputs.query.map(({ argument, name: wire, style, explode }) => ({ argument, name: wire, style, explode })),
    headers: inputs.header.map(planned),
    ...(requestBody ? { body: bodyPlan(requestBody, inputs.body) } : {}),
    security: plannedSecurity(document, operation),
    about: target.about,
  };
  return { origin, lost };
}

/** An operation's own id, as far as filters look at it. */
export function operationIdOf(operation: Readonly<Record<string, unknown>>): string {
  const id = operation['operationId'];
  return typeof id === 'string' ? id.slice(0, MAX_ID) : '';
}

/** A tag as tools carry it: lower case, words joined by `-`, at most 64 characters. */
export function foldTag(tag: string): string {
  return tag.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, '-').slice(0, MAX_TAG);
}

/** The tags of an operation as tools carry them. */
export function tagsOf(tags: unknown): readonly string[] {
  if (!Array.isArray(tags)) return [];
  const folded = tags.flatMap((tag) => (typeof tag === 'string' ? [foldTag(tag)] : [])).filter((tag) => tag !== '');
  return [...new Set(folded)].slice(0, MAX_TAGS);
}

function serverOf({ operation, pathItem }: OperationSite, target: MappingTarget): string {
  for (const { servers } of [operation, pathItem] as { servers?: unknown }[]) {
    if (!Array.isArray(servers) || !isObject(servers[0])) continue;
    try {
      return serverUrl(servers, target.relativeTo ?? target.server) ?? '';
    } catch {
      // It does not count where the operator names the base URL, so it is told where it does.
      return '';
    }
  }
  return target.server;
}

function bodyPlan(
  { mediaType, encoding, required, whole }: NonNullable<Inputs['requestBody']>,
  inputs: readonly Input[],
): PlannedBody {
  const from = inputs.map(planned);
  const [only] = from;
  return { mediaType, encoding, required, from: whole && only ? only : from };
}

function planned({ argument, name }: PlannedArgument): PlannedArgument {
  return { argument, name };
}

function segmentsOf(path: string, argumentsByName: ReadonlyMap<string, string>): OperationPlan['segments'] {
  return path
    .slice(1)
    .split('/')
    .map((segment) =>
      segment.split(/\{([^{}]+)\}/).flatMap((part, index): (string | PlannedArgument)[] => {
        const argument = index % 2 === 1 ? argumentsByName.get(part) : undefined;
        if (argument !== undefined) return [{ argument, name: part }];
        if (/[?#\\{}\s]/.test(part)) throw refusal('its path is not a plain path');
        // What the document encoded already stays as it is.
        return part === '' ? [] : [encodeURI(part).replace(/%25([0-9a-f]{2})/gi, '%$1')];
      }),
    );
}

function descriptionOf({ method, path, operation }: OperationSite, maxChars: number): string {
  const summary = plainText(operation['summary'], maxChars);
  const description = plainText(operation['description'], maxChars);
  const repeats = description.toLowerCase().startsWith(summary.toLowerCase());
  return plainText(repeats ? description : `${summary}\n${description}`, maxChars) || `${method} ${path}`;
}
