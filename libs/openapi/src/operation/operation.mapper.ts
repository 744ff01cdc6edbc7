import { isObject, isTime } from '@tool-search/core/internal';
import { serverUrl } from './base-url.js';
import type { OperationSite } from '../document/document.js';
import { type OpenApiDocument, refusal } from '../document/document-references.js';
import {
  boundedSchema,
  type Input,
  type Inputs,
  inputsOf,
  type ParameterInput,
  type SchemaBounds,
} from './operation-inputs.js';
import type { OperationOrigin } from './operation-origin.js';
import type { OperationPlan, PlannedArgument, PlannedBody, PlannedParameter, PlannedText } from './operation-plan.js';
import { plainText } from '../document/plain-text.js';
import { plannedSecurity } from './security-schemes.js';

/** The mapping data that all operations of a document share. */
export interface MappingTarget extends SchemaBounds {
  /** URL of the document's first server, without a trailing slash; `''` for none. */
  readonly server: string;
  /** Base URL of an operation's relative server. */
  readonly relativeTo?: string;
  /** `in name`, lower case, of parameters that a security scheme provides. */
  readonly provided: ReadonlySet<string>;
  readonly about: string;
}

/** An operation as a tool, before any setting of the application. */
export interface MappedOperation {
  readonly origin: OperationOrigin;
  /** Number of places where the schema has less detail than the document. */
  readonly lost: number;
  /** What the tool lacks because it cannot be sent, and what was corrected in its schema. */
  readonly changes: readonly string[];
}

const MAX_DESCRIPTION = 1000;
const MAX_TAG = 64;
const MAX_TAGS = 50;
const MAX_ID = 200;

/**
 * Maps an operation to a tool with one flat object of arguments, and the plan of its calls.
 *
 * @throws ToolSearchError `INVALID_TOOL` if the operation cannot be read or called
 */
export function mapOperation(
  document: OpenApiDocument,
  site: OperationSite,
  name: string,
  target: MappingTarget,
): MappedOperation {
  const { method, path, operation } = site;
  const inputs = inputsOf(document, site, target.provided);
  const { inputSchema, lost, changes } = boundedSchema(document, inputs, target);
  const server = serverOf(site, target);
  const { requestBody } = inputs;
  const origin: OperationOrigin = {
    name,
    method,
    path,
    operationId: operationIdOf(operation),
    description: descriptionOf(site, MAX_DESCRIPTION),
    tags: tagsOf(operation['tags']),
    deprecated: operation['deprecated'] === true,
    ...(operation['deprecated'] === true && isTime(operation['x-sunset']) && { sunset: operation['x-sunset'] }),
    inputSchema,
    server,
    home: server !== '' && target.server !== '' && new URL(server).origin === new URL(target.server).origin,
    segments: segmentsOf(path, new Map(inputs.path.map((input) => [input.name, plannedText(input)]))),
    query: inputs.query.map(plannedParameter),
    ...(inputs.querystring && { querystring: inputs.querystring.plan }),
    headers: inputs.header.map(plannedText),
    ...(inputs.cookie.length > 0 && { cookies: inputs.cookie.map(plannedParameter) }),
    ...(requestBody ? { body: bodyPlan(requestBody, inputs.body) } : {}),
    security: plannedSecurity(document, operation),
    about: target.about,
  };
  return { origin, lost, changes: [...inputs.changes, ...changes] };
}

/** The operation's id, at most 200 characters; `''` if it has none. */
export function operationIdOf(operation: Readonly<Record<string, unknown>>): string {
  const id = operation['operationId'];
  return typeof id === 'string' ? id.slice(0, MAX_ID) : '';
}

/** Normalizes a tag: lower case, words joined by `-`, at most 64 characters. */
export function foldTag(tag: string): string {
  return tag.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, '-').slice(0, MAX_TAG);
}

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
      // A faulty server does not matter if the operator sets the base URL; otherwise the tool is refused later.
      return '';
    }
  }
  return target.server;
}

function bodyPlan(
  { mediaType, encoding, required, fields, whole }: NonNullable<Inputs['requestBody']>,
  inputs: readonly Input[],
): PlannedBody {
  const from = inputs.map(planned);
  const [only] = from;
  return { mediaType, encoding, required, from: whole && only ? only : from, ...(fields && { fields }) };
}

function planned({ argument, name }: PlannedArgument): PlannedArgument {
  return { argument, name };
}

function plannedParameter({ argument, name, style, explode, allowReserved }: ParameterInput): PlannedParameter {
  return { argument, name, style, explode, ...(allowReserved && { allowReserved }) };
}

/** Without a form, which is left out where it is `simple` and makes no difference: stored plans stay as they are. */
function plannedText(input: ParameterInput): PlannedText {
  return input.style === 'simple' && !input.explode ? planned(input) : plannedParameter(input);
}

function segmentsOf(path: string, argumentsByName: ReadonlyMap<string, PlannedText>): OperationPlan['segments'] {
  return path
    .slice(1)
    .split('/')
    .map((segment) =>
      segment.split(/\{([^{}]+)\}/).flatMap((part, index): (string | PlannedText)[] => {
        const argument = index % 2 === 1 ? argumentsByName.get(part) : undefined;
        if (argument !== undefined) return [argument];
        if (/[?#\\{}\s]/.test(part)) throw refusal('its path is not a plain path');
        // Keeps percent-encoding that the document already contains.
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
