import type { JsonSchema } from '@tool-search/core';
import { argumentNames, hasRemoved, isObject, POISONED_KEYS, readableArgument } from '@tool-search/core/internal';
import type { OperationSite } from '../document/document.js';
import { follow, type OpenApiDocument, refusal } from '../document/document-references.js';
import { plainText } from '../document/plain-text.js';
import { type OperationParameter, operationParameters } from './operation-parameters.js';
import type { PlannedArgument, PlannedBody, PlannedParameter } from './operation-plan.js';
import { describedBody, type RequestBody, requestBody } from './request-body.js';
import { SchemaInliner } from '../schema/schema-inliner.js';

export interface SchemaBounds {
  readonly schemaBytes: number;
  readonly schemaDepth: number;
}

// Nesting of a parameter's schema: root, `properties`, parameter.
const INPUT_DEPTH = 3;
const MAX_TITLE = 100;
// If the whole schema is too large, the deepest details are removed first, so that every argument keeps a description.
const SMALLER_DEPTHS = [14, 11, 8, 6];

/** An argument of a tool and its destination in the request. */
export interface Input extends PlannedArgument {
  readonly schema: unknown;
  readonly required: boolean;
}

export interface ParameterInput extends Input, PlannedParameter {}

/** All arguments of an operation, by destination. */
export interface Inputs {
  readonly path: readonly ParameterInput[];
  readonly query: readonly ParameterInput[];
  /** The whole query, as one argument. */
  readonly querystring?: Input & { readonly plan: PlannedBody };
  readonly header: readonly ParameterInput[];
  readonly cookie: readonly ParameterInput[];
  readonly body: readonly Input[];
  readonly requestBody?: Omit<PlannedBody, 'from'> & { readonly whole: boolean };
  /** What the tool lacks because it cannot be sent. */
  readonly changes: readonly string[];
}

/**
 * The arguments of an operation: one per parameter and per property of its body.
 *
 * @param provided `in name`, lower case, of parameters that arguments must not set
 * @throws ToolSearchError `INVALID_TOOL`
 */
export function inputsOf(document: OpenApiDocument, site: OperationSite, provided: ReadonlySet<string>): Inputs {
  const changes = new Set<string>();
  const described = operationParameters(document, site, provided, changes);
  const names = parameterNames(described);
  const parameters = described.map((parameter, index) => ({ ...parameter, argument: names[index] ?? '' }));
  const of = (place: OperationParameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const [query] = of('querystring');
  const taken = new Set(names);
  const body = bodyOf(document, site, changes);
  const flat = body && flatInputs(body, taken);
  const whole = ['body', 'request_body', 'request_body_'].find((name) => !taken.has(name)) ?? '';
  return {
    path: of('path'),
    query: of('query'),
    ...(query && { querystring: wholeQuery(document, query, changes) }),
    header: of('header'),
    cookie: of('cookie'),
    body: flat ?? (body ? [wholeInput(body, whole)] : []),
    ...(body ? { requestBody: { ...body, whole: flat === undefined } } : {}),
    changes: [...changes],
  };
}

// RFC 9110 defines no meaning for the body of a GET or HEAD request, and fetch refuses to send one.
function bodyOf(document: OpenApiDocument, site: OperationSite, changes: Set<string>): RequestBody | undefined {
  const { method, operation } = site;
  if (method !== 'GET' && method !== 'HEAD') return requestBody(document, operation, changes);
  if (operation['requestBody'] === undefined) return undefined;
  const body = follow(document, operation['requestBody']);
  if (isObject(body) && body['required'] === true) throw refusal(`it requires a body, which ${method} does not have`);
  if (!isObject(body) || !holdsNothing(document, body['content']))
    changes.add(`its optional body is not offered: ${method} has none`);
  return undefined;
}

/** Whether a body is an object without properties, which some generators write for every operation. */
function holdsNothing(document: OpenApiDocument, content: unknown): boolean {
  return Object.values(isObject(content) ? content : {}).every((media) => {
    const schema = isObject(media) ? follow(document, media['schema']) : undefined;
    return isObject(schema) && isObject(schema['properties']) && Object.keys(schema['properties']).length === 0;
  });
}

function wholeQuery(
  document: OpenApiDocument,
  { argument, name, required, schema, content = {} }: ParameterInput & OperationParameter,
  changes: Set<string>,
): Input & { readonly plan: PlannedBody } {
  const body = describedBody(document, content, changes);
  if (!body || body.encoding === 'multipart') throw refusal('its query is neither JSON nor a form nor text');
  const { mediaType, encoding, fields } = body;
  const plan = { mediaType, encoding, required, from: { argument, name }, ...(fields && { fields }) };
  const descriptionField = typeof schema['description'] === 'string' ? { description: schema['description'] } : {};
  return { argument, name, required, schema: { ...(body.schema as object), ...descriptionField }, plan };
}

/**
 * The names of the arguments of some parameters: the parameter's own name if providers accept it and no other has it,
 * otherwise one that can be told apart from all others.
 */
function parameterNames(parameters: readonly OperationParameter[]): readonly string[] {
  const taken = new Set<string>();
  const keys = parameters.map(({ name, in: place }) => {
    let key = [name, `${place}_${name}`].find((each) => !taken.has(each) && !POISONED_KEYS.has(each));
    for (let more = 2; key === undefined; more += 1) {
      const other = `${place}_${name} ${more}`;
      if (!taken.has(other)) key = other;
    }
    taken.add(key);
    return key;
  });
  // The catalog holds a tool with a name of which a credential was removed, because its API knows another one.
  const shown = argumentNames(keys.filter((key) => !hasRemoved(key)));
  return keys.map((key) => shown.get(key) ?? key);
}

/** The body's properties as separate arguments; undefined if their names clash or are unusable. */
function flatInputs(body: RequestBody, taken: ReadonlySet<string>): readonly Input[] | undefined {
  if (!body.properties) return undefined;
  const inputs = [...body.properties].map(([name, schema]) => ({
    argument: POISONED_KEYS.has(name) ? `body_${name}` : fieldName(name),
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

/** `''` if nothing of the name can be shown: then it stays a name within the body. */
function fieldName(name: string): string {
  if (hasRemoved(name)) return name;
  return /[A-Za-z0-9]/.test(name) ? readableArgument(name) : '';
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
): { readonly inputSchema: JsonSchema; readonly lost: number; readonly changes: readonly string[] } {
  const { path, query, querystring, header, cookie, body } = inputs;
  const all = [...path, ...query, ...(querystring ? [querystring] : []), ...header, ...cookie, ...body];
  const required = all.filter((input) => input.required).map(({ argument }) => argument);
  const depths = [target.schemaDepth, ...SMALLER_DEPTHS.filter((depth) => depth < target.schemaDepth)];
  for (const depth of depths) {
    const inliner = new SchemaInliner(document, depth);
    try {
      const properties = all.map((input) => [input.argument, argumentSchema(inliner, input)] as const);
      if (inliner.exhausted && depth !== depths.at(-1)) continue;
      const inputSchema = {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      };
      if (Buffer.byteLength(JSON.stringify(inputSchema)) <= target.schemaBytes)
        return { inputSchema, lost: inliner.lost, changes: [...inliner.changes] };
    } catch (error) {
      if (!inliner.exhausted) throw error;
    }
  }
  throw refusal('its schema is too large');
}

/** A name with letters that providers do not accept is told as a title. */
function argumentSchema(inliner: SchemaInliner, { argument, name, schema }: Input): JsonSchema {
  const inlined = inliner.inline(schema, INPUT_DEPTH);
  const needsTitle = name !== argument && /[^ -~]/.test(name);
  return needsTitle ? { ...inlined, title: plainText(name, MAX_TITLE) } : inlined;
}
