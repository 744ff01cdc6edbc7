import { isObject } from '@tool-search/core/internal';
import { follow, type OpenApiDocument, refusal } from '../document/document-references.js';
import { isReadOnly } from '../schema/read-only.js';
import { formFields, multipartSchema } from './form-fields.js';
import { type BodyShape, shapeOf } from './body-shape.js';
import { isMediaType } from './media-type.js';
import type { PlannedBody } from './operation-plan.js';

type Schema = Readonly<Record<string, unknown>>;

/** The body of an operation, before its arguments get names. */
export interface RequestBody extends Pick<PlannedBody, 'mediaType' | 'encoding' | 'required' | 'fields'> {
  readonly schema: unknown;
  readonly description: unknown;
  /** The body's properties, if it is an object with named properties only. */
  readonly properties?: ReadonlyMap<string, unknown>;
  readonly requiredProperties: ReadonlySet<string>;
}

const ENCODINGS: readonly (readonly [PlannedBody['encoding'], RegExp])[] = [
  ['json', /^(application\/json|text\/json|\*\/\*|application\/\*|[^;]*\+json)\s*(;|$)/i],
  ['form', /^application\/x-www-form-urlencoded\s*(;|$)/i],
  ['multipart', /^multipart\/form-data\s*(;|$)/i],
  [
    'text',
    /^(text\/|application\/(octet-stream|xml|(x-)?yaml|(x-)?ndjson|jsonl|json-seq|graphql|sql|javascript)\s*(;|$)|[^;]*\+(xml|yaml)\s*(;|$))/i,
  ],
];
const MAX_TYPES = 80;

/**
 * The body of an operation: JSON if accepted, else a form, else text; undefined if it takes no body.
 *
 * @param changes receives what is left out because it cannot be sent
 * @throws ToolSearchError `INVALID_TOOL` if it is malformed, or requires a body that cannot be sent
 */
export function requestBody(
  document: OpenApiDocument,
  operation: Schema,
  changes: Set<string>,
): RequestBody | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  const body = follow(document, operation['requestBody']);
  if (!isObject(body) || !isObject(body['content'])) throw refusal('the request body is malformed');
  const required = body['required'] === true;
  const described = describedBody(document, body['content'], changes);
  if (described) return { ...described, required, description: described.description ?? body['description'] };
  const fault = unsendable(Object.keys(body['content']));
  if (required) throw refusal(`the request body ${fault}`);
  changes.add(`its optional body is not offered: it ${fault}`);
  return undefined;
}

function unsendable(types: readonly string[]): string {
  if (types.length > 0 && !types.some(isMediaType)) return 'has a media type that is malformed';
  if (types.some((type) => /^multipart\/form-data\b/i.test(type))) return 'is a form with files, which cannot be sent';
  return `is neither JSON nor a form nor text (${types.filter(isMediaType).join(', ').slice(0, MAX_TYPES) || 'no media type'})`;
}

/** The first of some media types that can be sent; undefined if there is none. */
export function describedBody(
  document: OpenApiDocument,
  content: Schema,
  changes: Set<string>,
): Omit<RequestBody, 'required'> | undefined {
  for (const [encoding, pattern] of ENCODINGS) {
    const type = Object.keys(content).find((key) => pattern.test(key) && isMediaType(key));
    if (type === undefined) continue;
    const media = follow(document, content[type]);
    const body = ofType(document, encoding, type, isObject(media) ? media : {}, changes);
    if (body) return body;
  }
  return undefined;
}

function ofType(
  document: OpenApiDocument,
  encoding: PlannedBody['encoding'],
  type: string,
  media: Schema,
  changes: Set<string>,
): Omit<RequestBody, 'required'> | undefined {
  const mediaType = type.includes('*') ? 'application/json' : type;
  const none = { mediaType, encoding, description: undefined, requiredProperties: new Set<string>() };
  if (encoding === 'text') return { ...none, ...textSchema(document, media['schema'], mediaType) };
  const schema =
    encoding === 'multipart' ? multipartSchema(document, media, changes) : (media['schema'] ?? ({} as unknown));
  if (schema === undefined) return undefined;
  const fields = encoding === 'json' ? undefined : formFields(media['encoding']);
  const shape = shapeOf(document, schema);
  return {
    ...none,
    schema,
    ...(fields && { fields }),
    ...(shape && shape.properties.size > 0 && { properties: writable(document, shape) }),
    requiredProperties: shape?.required ?? new Set(),
  };
}

/** A body of text is one string, whatever the document says that the text describes. */
function textSchema(document: OpenApiDocument, schema: unknown, mediaType: string) {
  const resolved = schema === undefined ? {} : follow(document, schema);
  const { type, properties, items } = isObject(resolved) ? resolved : {};
  const types = [type].flat();
  const isScalar = types.some((each) => ['string', 'number', 'integer', 'boolean'].includes(String(each)));
  if (isScalar && schema !== undefined) return { schema };
  const isStructure = properties !== undefined || items !== undefined || types.some((each) => each !== undefined);
  const composed = ['allOf', 'anyOf', 'oneOf'].some((key) => isObject(resolved) && resolved[key] !== undefined);
  if (schema !== undefined && !isStructure && !composed) return { schema: { ...(resolved as object), type: 'string' } };
  const descriptionField = isStructure || composed ? { description: `The body as text of the type ${mediaType}.` } : {};
  return { schema: { type: 'string', ...descriptionField } };
}

function writable(document: OpenApiDocument, { properties }: BodyShape): ReadonlyMap<string, unknown> {
  return new Map([...properties].filter(([, property]) => !isReadOnly(document, property)));
}
