import { isObject } from '@tool-search/core/internal';
import type { OperationSite } from '../document/document.js';
import { follow, type OpenApiDocument, refusal } from '../document/document-references.js';
import { isForbiddenHeader, type WireForm, type WireStyle } from './operation-plan.js';

export interface OperationParameter extends WireForm {
  readonly in: ParameterPlace;
  readonly name: string;
  readonly required: boolean;
  /** The parameter's schema, with the parameter's own description. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The media types that describe the whole query. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The places of parameters, in the order of a tool's arguments. */
const PLACES = ['path', 'query', 'querystring', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof PLACES)[number];

const DELIMITED: readonly WireStyle[] = ['spaceDelimited', 'pipeDelimited', 'tabDelimited'];
const STYLES: Readonly<Record<ParameterPlace, readonly WireStyle[]>> = {
  path: ['simple', 'label', 'matrix', ...DELIMITED],
  query: ['form', 'deepObject', ...DELIMITED],
  querystring: ['form'],
  header: ['simple', ...DELIMITED],
  cookie: ['form', 'cookie'],
};
/** Headers that OpenAPI takes from elsewhere, and that a parameter must not describe. */
const NEVER_PARAMETERS = new Set(['accept', 'authorization', 'content-type']);
const JSON_TYPE = /[/+]json\b/i;

/**
 * An operation's parameters: path, query, header, then cookie; its own replace those of its path. Leaves out headers that
 * arguments must never set, and parameters that the operator or a security scheme provides.
 *
 * @param provided `in name`, lower case, of parameters that arguments must not set
 * @param changes receives what is left out because it cannot be sent
 * @throws ToolSearchError `INVALID_TOOL` for a malformed or unsupported parameter
 */
export function operationParameters(
  document: OpenApiDocument,
  site: OperationSite,
  provided: ReadonlySet<string>,
  changes: Set<string>,
): readonly OperationParameter[] {
  const byKey = new Map<string, OperationParameter>();
  for (const node of [site.pathItem['parameters'], site.operation['parameters']].flat()) {
    const raw = follow(document, node);
    if (raw === undefined) continue;
    const name = isObject(raw) ? nameOf(raw['name']) : '';
    if (!isObject(raw) || name === '') throw refusal('a parameter is malformed');
    const place = PLACES.find((known) => known === raw['in']);
    const key = `${place} ${name}`;
    if (provided.has(key.toLowerCase())) continue;
    const fault = place === undefined ? 'has no known place' : faultOf(place, name, site.path);
    if (fault !== undefined) changes.add(`a parameter that ${fault} is not offered`);
    else if (place !== undefined && isOffered(place, name)) byKey.set(key, parameterOf(document, raw, place, name));
  }
  for (const [, name = ''] of site.path.matchAll(/\{([^{}/]+)\}/g)) {
    // Building the path needs a value even for a placeholder that the document does not describe.
    if (!byKey.has(`path ${name}`))
      byKey.set(`path ${name}`, parameterOf(document, { schema: { type: 'string' } }, 'path', name));
  }
  const all = [...byKey.values()];
  if (all.filter((parameter) => parameter.in === 'querystring').length > 1)
    throw refusal('it describes its query twice');
  return all.sort((left, right) => PLACES.indexOf(left.in) - PLACES.indexOf(right.in));
}

/** YAML reads an unquoted name such as `404` as a number. */
function nameOf(name: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof name) ? String(name) : '';
}

function faultOf(place: ParameterPlace, name: string, path: string): string | undefined {
  if (place === 'path' && !path.includes(`{${name}}`)) return 'its path does not have';
  if (place === 'header' && isForbiddenHeader(name) && !NEVER_PARAMETERS.has(name.toLowerCase()))
    return 'controls the connection or identifies the client';
  return undefined;
}

function isOffered(place: ParameterPlace, name: string): boolean {
  return place !== 'header' || !isForbiddenHeader(name);
}

function parameterOf(
  document: OpenApiDocument,
  raw: Readonly<Record<string, unknown>>,
  place: ParameterPlace,
  name: string,
): OperationParameter {
  const content = isObject(raw['content']) ? raw['content'] : undefined;
  const [type, described] = Object.entries(content ?? {})[0] ?? [];
  const media = follow(document, described);
  const schema = isObject(media) ? media['schema'] : raw['schema'];
  const style = STYLES[place].find((known) => known === (raw['style'] ?? STYLES[place][0]));
  if (style === undefined) throw refusal(`the style of the ${place} parameter is not supported`);
  return {
    in: place,
    name,
    required: place === 'path' || raw['required'] === true,
    style: type === undefined ? style : JSON_TYPE.test(type) ? 'json' : 'text',
    explode: typeof raw['explode'] === 'boolean' ? raw['explode'] : style === 'form' || style === 'cookie',
    ...(place === 'query' && raw['allowReserved'] === true && { allowReserved: true }),
    ...(place === 'querystring' && { content: content ?? {} }),
    schema: {
      ...(isObject(schema) ? schema : {}),
      ...(typeof raw['description'] === 'string' ? { description: raw['description'] } : {}),
      ...(raw['example'] === undefined ? {} : { example: raw['example'] }),
      ...(raw['deprecated'] === true ? { deprecated: true } : {}),
    },
  };
}
