import { type JsonSchema, POISONED_KEYS, type ToolDeclaration } from '@tool-search/core';
import { serverUrl } from './base-url.js';
import { type OpenApiDocument, type OperationSite, refusal } from './document.js';
import { operationParameters } from './operation-parameters.js';
import type { OperationPlan, PlannedArgument, PlannedBody, PlannedQuery } from './operation-plan.js';
import { joined } from './operation-request.js';
import { plainText } from './plain-text.js';
import { type RequestBody, requestBody } from './request-body.js';
import { SchemaInliner } from './schema-inliner.js';

/** What is the same for all operations of a source. */
export interface MappingTarget {
  /** Where calls go, without a slash at the end. */
  readonly baseUrl: string;
  /** The operator chose the base URL, so an operation's own `servers` do not count. */
  readonly fixed: boolean;
  /** `in name`, lower case, of parameters that the operator or a security scheme provides. */
  readonly provided: ReadonlySet<string>;
  readonly schemaBytes: number;
  readonly schemaDepth: number;
  readonly descriptionChars: number;
}

/** One operation as a tool, and how to call it. */
export interface MappedOperation {
  readonly declaration: ToolDeclaration;
  readonly plan: OperationPlan;
  /** How many places of its schema hold less than the document says. */
  readonly lost: number;
}

const MAX_DESCRIPTION = 1000;
const MAX_TAG = 64;
const MAX_TAGS = 50;
// Parameters stand at level 3 of the schema: root, properties, parameter.
const INPUT_DEPTH = 3;
// Where a schema is too large as a whole, its deepest details go first, so that every argument stays described.
const SMALLER_DEPTHS = [14, 11, 8, 6];

/**
 * Turns an operation into a tool with one flat object of arguments and a plan for its calls.
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
  return {
    declaration: {
      name,
      description: descriptionOf(site, Math.min(target.descriptionChars, MAX_DESCRIPTION)),
      tags: tagsOf(operation['tags']),
      sideEffects: method === 'GET' || method === 'HEAD' ? 'read' : 'write',
      inputSchema,
      ...(operation['deprecated'] === true ? { deprecated: {} } : {}),
      // Part of the definition's hash, so that a tool which now calls another place counts as changed.
      extra: { method, path },
    },
    plan: planOf(site, inputs, target),
    lost,
  };
}

/** A tag as tools carry it: lower case, words joined by `-`, at most 64 characters. */
export function foldTag(tag: string): string {
  return tag.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, '-').slice(0, MAX_TAG);
}

interface Input extends PlannedArgument {
  readonly schema: unknown;
  readonly required: boolean;
}

interface Inputs {
  readonly path: readonly Input[];
  readonly query: readonly (Input & PlannedQuery)[];
  readonly header: readonly Input[];
  readonly body: readonly Input[];
  readonly requestBody?: Omit<PlannedBody, 'from'> & { readonly whole: boolean };
}

function inputsOf(document: OpenApiDocument, site: OperationSite, provided: ReadonlySet<string>): Inputs {
  const taken = new Set<string>();
  const claim = (argument: string, prefix: string): string => {
    const free = [argument, `${prefix}_${argument}`.slice(0, 64)].find(
      (name) => name !== '' && !taken.has(name) && !POISONED_KEYS.has(name),
    );
    if (free === undefined) throw refusal('two of its parameters have the same name');
    taken.add(free);
    return free;
  };
  const parameters = operationParameters(document, site, provided).map((parameter) => ({
    ...parameter,
    argument: claim(legalArgument(parameter.name), parameter.in),
  }));
  // RFC 9110 gives a body in a GET or HEAD request no meaning, and fetch refuses to send one.
  const body = site.method === 'GET' || site.method === 'HEAD' ? undefined : requestBody(document, site.operation);
  const flat = body && flatInputs(body, taken);
  return {
    path: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    header: parameters.filter((parameter) => parameter.in === 'header'),
    body: flat ?? (body ? [wholeInput(body, claim('body', 'request'))] : []),
    ...(body ? { requestBody: { ...body, whole: flat === undefined } } : {}),
  };
}

/** The body's properties as arguments of their own; undefined where their names do not allow it. */
function flatInputs(body: RequestBody, taken: ReadonlySet<string>): readonly Input[] | undefined {
  if (!body.properties) return undefined;
  const inputs = [...body.properties].map(([name, schema]) => ({
    argument: POISONED_KEYS.has(name) ? `body_${name}` : legalArgument(name),
    name,
    schema,
    required: body.required && body.requiredProperties.has(name),
  }));
  const names = new Set(inputs.map(({ argument }) => argument));
  const clash = names.size < inputs.length || names.has('') || [...names].some((argument) => taken.has(argument));
  return clash ? undefined : inputs;
}

function wholeInput(body: RequestBody, argument: string): Input {
  const description = typeof body.description === 'string' ? { description: body.description } : {};
  const schema = typeof body.schema === 'object' ? { ...description, ...body.schema } : description;
  return { argument, name: argument, schema, required: body.required };
}

// Providers accept these characters in the name of an argument, and no others.
function legalArgument(name: string): string {
  return name
    .split(/[^A-Za-z0-9_.-]+/)
    .filter((word) => word !== '')
    .join('_')
    .slice(0, 64);
}

function boundedSchema(
  document: OpenApiDocument,
  inputs: Inputs,
  target: MappingTarget,
): { readonly inputSchema: JsonSchema; readonly lost: number } {
  const all = [...inputs.path, ...inputs.query, ...inputs.header, ...inputs.body];
  const required = all.filter((input) => input.required).map(({ argument }) => argument);
  const depths = [target.schemaDepth, ...SMALLER_DEPTHS.filter((depth) => depth < target.schemaDepth)];
  for (const depth of depths) {
    const inliner = new SchemaInliner(document, depth);
    try {
      const properties = all.map(({ argument, schema }) => [argument, inliner.inline(schema, INPUT_DEPTH)] as const);
      if (inliner.exhausted && depth !== depths.at(-1)) continue;
      const inputSchema = {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      };
      if (Buffer.byteLength(JSON.stringify(inputSchema)) <= target.schemaBytes)
        return { inputSchema, lost: inliner.lost };
    } catch (error) {
      if (!inliner.exhausted) throw error;
    }
  }
  throw refusal('its schema is too large');
}

function planOf(site: OperationSite, inputs: Inputs, target: MappingTarget): OperationPlan {
  const own = target.fixed
    ? undefined
    : (serverUrl(site.operation['servers'], target.baseUrl) ?? serverUrl(site.pathItem['servers'], target.baseUrl));
  const baseUrl = own ?? target.baseUrl;
  const segments = segmentsOf(site.path, new Map(inputs.path.map((input) => [input.name, input.argument])));
  const sample = segments
    .map((parts) => `/${parts.map((part) => (typeof part === 'string' ? part : 'x')).join('')}`)
    .join('');
  if (!joined(baseUrl, sample)) throw refusal('its path is not a plain path');
  const { requestBody } = inputs;
  return {
    method: site.method,
    baseUrl,
    trusted: new URL(baseUrl).origin === new URL(target.baseUrl).origin,
    segments,
    query: inputs.query.map(({ argument, name, style, explode }) => ({ argument, name, style, explode })),
    headers: inputs.header.map(planned),
    ...(requestBody ? { body: bodyPlan(requestBody, inputs.body) } : {}),
  };
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

function tagsOf(tags: unknown): readonly string[] {
  if (!Array.isArray(tags)) return [];
  const folded = tags.flatMap((tag) => (typeof tag === 'string' ? [foldTag(tag)] : [])).filter((tag) => tag !== '');
  return [...new Set(folded)].slice(0, MAX_TAGS);
}
