import { isObject } from '@tool-search/core/source';
import { follow, type OpenApiDocument, refusal } from '../document/document-references.js';
import type { PlannedBody } from './operation-plan.js';

type Schema = Readonly<Record<string, unknown>>;

/** The body of an operation, before its arguments get names. */
export interface RequestBody extends Pick<PlannedBody, 'mediaType' | 'encoding' | 'required'> {
  readonly schema: unknown;
  readonly description: unknown;
  /** The body's properties, if it is an object with named properties only. */
  readonly properties?: ReadonlyMap<string, unknown>;
  readonly requiredProperties: ReadonlySet<string>;
}

const ENCODINGS: readonly (readonly [PlannedBody['encoding'], RegExp])[] = [
  ['json', /^(application\/json|\*\/\*|application\/\*|[^;]*\+json)\s*(;|$)/i],
  ['form', /^application\/x-www-form-urlencoded\s*(;|$)/i],
  ['text', /^(text\/|application\/(octet-stream|xml)\s*(;|$))/i],
];

/**
 * The body of an operation: JSON if accepted, else a form, else text; undefined if it takes no body.
 *
 * @throws ToolSearchError `INVALID_TOOL` if it is malformed, or requires a body of another kind
 */
export function requestBody(document: OpenApiDocument, operation: Schema): RequestBody | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  const body = follow(document, operation['requestBody']);
  if (!isObject(body) || !isObject(body['content'])) throw refusal('the request body is malformed');
  const required = body['required'] === true;
  const content = body['content'];
  for (const [encoding, pattern] of ENCODINGS) {
    const type = Object.keys(content).find((key) => pattern.test(key));
    if (type === undefined) continue;
    const media = follow(document, content[type]);
    const schema =
      isObject(media) && media['schema'] !== undefined
        ? media['schema']
        : encoding === 'text'
          ? { type: 'string' }
          : {};
    const shape = encoding === 'text' ? undefined : shapeOf(document, schema, new Set());
    return {
      mediaType: type.includes('*') ? 'application/json' : type,
      encoding,
      required,
      schema,
      description: body['description'],
      ...(shape && shape.properties.size > 0 ? { properties: shape.properties } : {}),
      requiredProperties: shape?.required ?? new Set(),
    };
  }
  if (required) throw refusal('the request body is neither JSON nor a form nor text');
  return undefined;
}

interface Shape {
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
}

/**
 * A schema as a plain list of properties: an object with named properties, or an `allOf` of such objects. `oneOf` and
 * `anyOf` that only choose among these properties are left to the API. Undefined for any other schema.
 */
function shapeOf(document: OpenApiDocument, schema: unknown, seen: Set<unknown>): Shape | undefined {
  const resolved = follow(document, schema);
  if (!isObject(resolved) || seen.has(resolved)) return undefined;
  seen.add(resolved);
  const { type, properties, required, allOf, additionalProperties, patternProperties } = resolved;
  if (type !== undefined && ![type].flat().includes('object')) return undefined;
  if (patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false))
    return undefined;
  const shape: Shape = { properties: new Map(), required: new Set() };
  const parts = [
    { properties: isObject(properties) ? Object.entries(properties) : [], required: names(required) },
    ...(Array.isArray(allOf) ? allOf.map((part) => shapeOf(document, part, seen)) : []),
  ];
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const [name, property] of part.properties) {
      if (shape.properties.has(name)) return undefined;
      const readOnly = isObject(property) && property['readOnly'] === true;
      if (!readOnly) shape.properties.set(name, property);
    }
    for (const name of part.required) shape.required.add(name);
  }
  const alternatives = [resolved['oneOf'], resolved['anyOf']].flat().filter((branch) => branch !== undefined);
  if (!alternatives.every((branch) => namesWithin(document, branch, shape.properties))) return undefined;
  return shape;
}

function namesWithin(document: OpenApiDocument, branch: unknown, properties: ReadonlyMap<string, unknown>): boolean {
  const resolved = follow(document, branch);
  if (!isObject(resolved) || resolved['allOf'] || resolved['oneOf'] || resolved['anyOf']) return false;
  return Object.keys(isObject(resolved['properties']) ? resolved['properties'] : {}).every((name) =>
    properties.has(name),
  );
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}
