import type { JsonSchema } from '@tool-search/core';
import { POISONED_KEYS } from '@tool-search/core/source';
import type { OperationSite } from '../document/document.js';
import { type OpenApiDocument, refusal } from '../document/document-references.js';
import { operationParameters } from './operation-parameters.js';
import type { PlannedArgument, PlannedBody, PlannedQuery } from './operation-plan.js';
import { type RequestBody, requestBody } from './request-body.js';
import { SchemaInliner } from '../schema/schema-inliner.js';

export interface SchemaBounds {
  readonly schemaBytes: number;
  readonly schemaDepth: number;
}

// Nesting of a parameter's schema: root, `properties`, parameter.
const INPUT_DEPTH = 3;
// If the whole schema is too large, the deepest details are removed first, so that every argument keeps a description.
const SMALLER_DEPTHS = [14, 11, 8, 6];

/** An argument of a tool and its destination in the request. */
export interface Input extends PlannedArgument {
  readonly schema: unknown;
  readonly required: boolean;
}

/** All arguments of an operation, by destination. */
export interface Inputs {
  readonly path: readonly Input[];
  readonly query: readonly (Input & PlannedQuery)[];
  readonly header: readonly Input[];
  readonly body: readonly Input[];
  readonly requestBody?: Omit<PlannedBody, 'from'> & { readonly whole: boolean };
}

/**
 * The arguments of an operation: one per parameter and per property of its body.
 *
 * @param provided `in name`, lower case, of parameters that arguments must not set
 * @throws ToolSearchError `INVALID_TOOL`
 */
export function inputsOf(document: OpenApiDocument, site: OperationSite, provided: ReadonlySet<string>): Inputs {
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
  // RFC 9110 defines no meaning for the body of a GET or HEAD request, and fetch refuses to send one.
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

/** The body's properties as separate arguments; undefined if their names clash or are unusable. */
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

// Model providers accept only these characters in argument names.
function legalArgument(name: string): string {
  return name
    .split(/[^A-Za-z0-9_.-]+/)
    .filter((word) => word !== '')
    .join('_')
    .slice(0, 64);
}

/**
 * The schema of all arguments, with less detail if it would be too large.
 *
 * @throws ToolSearchError `INVALID_TOOL` if it is too large even so
 */
export function boundedSchema(
  document: OpenApiDocument,
  inputs: Inputs,
  target: SchemaBounds,
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
