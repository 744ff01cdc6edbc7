import { isObject } from '@tool-search/core/internal';
import { follow, type OpenApiDocument } from '../document/document-references.js';
import { shapeOf } from './body-shape.js';
import { isMediaType } from './media-type.js';
import type { PlannedField, WireStyle } from './operation-plan.js';

type Schema = Readonly<Record<string, unknown>>;

const STYLES: readonly WireStyle[] = ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'];
const TEXT_TYPE = /^text\/|[/+](json|xml|yaml)\b|urlencoded/i;

/**
 * How the fields of a form are sent, by an OpenAPI `encoding`. With `style`, `explode` or `allowReserved` the media type
 * of a field has no meaning.
 */
export function formFields(encoding: unknown): Readonly<Record<string, PlannedField>> | undefined {
  const fields = Object.entries(isObject(encoding) ? encoding : {}).flatMap(([name, node]) => {
    const field = isObject(node) ? fieldOf(node) : undefined;
    return field ? [[name, field] as const] : [];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

function fieldOf({ style, explode, allowReserved, contentType }: Schema): PlannedField | undefined {
  const known = STYLES.find((each) => each === style);
  if (known !== undefined || typeof explode === 'boolean' || typeof allowReserved === 'boolean') {
    const written = known ?? 'form';
    return { style: written, explode: typeof explode === 'boolean' ? explode : written === 'form' };
  }
  // Several media types are alternatives.
  const type = typeof contentType === 'string' ? contentType.split(',', 1)[0]?.trim() : undefined;
  return type !== undefined && isMediaType(type) && !type.includes('*') ? { mediaType: type } : undefined;
}

/**
 * The schema of a multipart form without its files, which no argument can hold; undefined if nothing is left, a file is
 * required, or the form is no object with named fields.
 */
export function multipartSchema(document: OpenApiDocument, media: Schema, changes: Set<string>): unknown {
  const resolved = follow(document, media['schema']);
  if (!isObject(resolved)) return undefined;
  const shape = shapeOf(document, resolved);
  const properties =
    shape?.properties ?? new Map(Object.entries(isObject(resolved['properties']) ? resolved['properties'] : {}));
  const encoding = isObject(media['encoding']) ? media['encoding'] : {};
  const fields = [...properties].filter(([name, property]) => !isFile(document, property, encoding[name]));
  const names = new Set(fields.map(([name]) => name));
  const required = [...(shape?.required ?? [resolved['required']].flat())];
  if (names.size === 0 || required.some((name) => properties.has(String(name)) && !names.has(String(name))))
    return undefined;
  if (names.size < properties.size) changes.add('files of its form cannot be sent, so it is offered without them');
  const rest = shape ? { type: 'object', required, additionalProperties: false } : resolved;
  return { ...rest, properties: Object.fromEntries(fields) };
}

/** Whether a field holds bytes: by its schema, or by the media type of its part. */
function isFile(document: OpenApiDocument, schema: unknown, encoding: unknown, depth = 0): boolean {
  const resolved = follow(document, schema);
  if (!isObject(resolved) || depth > 3) return false;
  const { format, type, contentMediaType, contentEncoding, items } = resolved;
  const partType = isObject(encoding) ? encoding['contentType'] : undefined;
  const isText = typeof partType === 'string' && TEXT_TYPE.test(partType);
  if (type === 'file') return true;
  if (format === 'binary') return !isText;
  if (contentEncoding === undefined && typeof contentMediaType === 'string') return !TEXT_TYPE.test(contentMediaType);
  if (items !== undefined) return isFile(document, items, encoding, depth + 1);
  const isBytes = typeof partType === 'string' && !isText && format !== 'byte' && contentEncoding === undefined;
  return isBytes && (type === 'string' || type === undefined);
}
