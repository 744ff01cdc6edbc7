import { isIP } from 'node:net';
import { type JsonObject, type JsonValue, ToolSearchError } from '@tool-search/core';
import { hasRemoved, isObject, AddressRules, namedLoopback } from '@tool-search/core/internal';

const MAX_MESSAGE = 2_000;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1_000;
const MAX_URL = 4_096;
const MAX_FIELDS = 50;
const MAX_CHOICES = 200;
const FIELD_NAME = /^[\w.$-]{1,64}$/;
const TYPES = ['string', 'number', 'integer', 'boolean', 'array'];
const FORMATS = ['email', 'uri', 'date', 'date-time'];
const COUNTS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
/** Addresses on the public internet. */
const PUBLIC = new AddressRules({});

/** Who asks. */
export interface Questioner {
  /** Name of the source. */
  readonly source: string;
  /** Whether its server is on this machine, so that a page of this machine may be its. */
  readonly isLocal: boolean;
}

/**
 * A question of a server as its caller may see it: members that the protocol defines, texts of one line without characters
 * that nobody sees, the name of the source before the message, and only addresses that a browser may open.
 *
 * @throws ToolSearchError `INPUT_REQUIRED` for an address that is not allowed, or for a form that cannot be shown as it is
 */
export function plainQuestion({ source, isLocal }: Questioner, params: JsonObject): JsonObject {
  const refuse = (reason: string): never => {
    const message = `The server of ${source} asks its caller in a way that is not passed on: ${reason}.`;
    throw new ToolSearchError('INPUT_REQUIRED', message, { hint: 'Ask whoever runs the server.' });
  };
  // No text contains the brackets in which the name of a source stands.
  const message = `[${source}] ${line(params['message'], MAX_MESSAGE)}`;
  if (params['mode'] === 'url') {
    const { elicitationId } = params;
    const url = allowedUrl(params['url'], isLocal) ?? refuse('its address is not one of the public web (https)');
    return { mode: 'url', message, url, ...(isPlainId(elicitationId) && { elicitationId }) };
  }
  const { requestedSchema: schema } = params;
  const properties =
    isObject(schema) && isObject(schema['properties']) ? schema['properties'] : refuse('it has no form');
  const fields = Object.entries(properties);
  if (fields.length > MAX_FIELDS) refuse(`its form has more than ${MAX_FIELDS} fields`);
  const shown = fields.map(([name, field]) => {
    if (!FIELD_NAME.test(name)) refuse('a field has a name that cannot be shown');
    return [name, plainField(field) ?? refuse(`the field ${name} cannot be shown as it is`)] as const;
  });
  const { required } = schema as JsonObject;
  return {
    ...(params['mode'] === 'form' && { mode: 'form' }),
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(shown),
      ...(Array.isArray(required) && { required: required.filter((name) => shown.some(([known]) => known === name)) }),
    },
  };
}

/** An address that a person may be sent to; undefined for others, however they are written. */
function allowedUrl(given: JsonValue | undefined, isLocal: boolean): string | undefined {
  if (typeof given !== 'string' || given.length > MAX_URL || hasRemoved(given) || !URL.canParse(given))
    return undefined;
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') return undefined;
  if (namedLoopback(url).length > 0) return isLocal && /^https?:$/.test(url.protocol) ? url.href : undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isElsewhere =
    isIP(host) === 0 ? host.includes('.') && !/\.(localhost|local|internal)\.?$/.test(host) : PUBLIC.permits('', host);
  return url.protocol === 'https:' && isElsewhere ? url.href : undefined;
}

/** A field of a form with the members that the protocol defines; undefined if a value would have to be changed. */
function plainField(field: unknown): JsonObject | undefined {
  if (!isObject(field) || !TYPES.includes(String(field['type']))) return undefined;
  const { title, description, format, enum: values, enumNames, oneOf, items, default: byDefault } = field;
  const choices = plainChoices(values, oneOf);
  const inside =
    field['type'] === 'array'
      ? isObject(items)
        ? plainChoices(items['enum'], items['anyOf'], 'anyOf')
        : undefined
      : {};
  if (!choices || !inside || (byDefault !== undefined && !isPlainValue(byDefault))) return undefined;
  const names =
    Array.isArray(enumNames) && Array.isArray(values) && enumNames.length === values.length ? enumNames : undefined;
  return {
    type: String(field['type']),
    ...(typeof title === 'string' && { title: line(title, MAX_TITLE) }),
    ...(typeof description === 'string' && { description: line(description, MAX_DESCRIPTION) }),
    ...(FORMATS.includes(String(format)) && { format: String(format) }),
    ...Object.fromEntries(COUNTS.flatMap((count) => (typeof field[count] === 'number' ? [[count, field[count]]] : []))),
    ...choices,
    ...(names && { enumNames: names.map((name) => line(name as JsonValue, MAX_TITLE)) }),
    ...(field['type'] === 'array' && { items: { type: 'string', ...inside } }),
    ...(byDefault !== undefined && { default: byDefault as JsonValue }),
  };
}

/** The choices of a field: a value cannot be changed, a title is made one line. */
function plainChoices(values: unknown, titled: unknown, key: 'oneOf' | 'anyOf' = 'oneOf'): JsonObject | undefined {
  if (values === undefined && titled === undefined) return {};
  const all = values ?? titled;
  if (!Array.isArray(all) || all.length > MAX_CHOICES) return undefined;
  if (values !== undefined) return all.every(isPlainValue) ? { enum: all as JsonValue[] } : undefined;
  const entries = all.map((each: unknown) =>
    isObject(each) && isPlainValue(each['const'])
      ? { const: each['const'] as JsonValue, title: line(each['title'] as JsonValue, MAX_TITLE) }
      : undefined,
  );
  return entries.some((each) => each === undefined) ? undefined : { [key]: entries as JsonObject[] };
}

function isPlainValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MAX_CHOICES && value.every((each) => isPlainValue(each));
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean';
  // Its server would not know a value of which a credential was removed.
  return value === visible(value) && value.length <= MAX_TITLE && !hasRemoved(value);
}

function isPlainId(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,256}$/.test(value);
}

function line(text: JsonValue | undefined, max: number): string {
  if (typeof text !== 'string') return '';
  const plain = visible(text).replaceAll('[', '(').replaceAll(']', ')').trim();
  return plain.length <= max ? plain : `${plain.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** One line without characters that are not seen or that change the order of others. */
function visible(text: string): string {
  return text
    .replace(/[\s\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\u{115f}|\u{1160}|\u{3164}|\u{ffa0}|[\u{fe00}-\u{fe0f}]/gu, '');
}
