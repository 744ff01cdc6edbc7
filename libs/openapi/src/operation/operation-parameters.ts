import { isObject } from '@tool-search/core/source';
import type { OperationSite } from '../document/document.js';
import { follow, type OpenApiDocument, refusal } from '../document/document-references.js';
import { isForbiddenHeader, type QueryStyle } from './operation-plan.js';

export interface OperationParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required: boolean;
  readonly style: QueryStyle;
  readonly explode: boolean;
  /** The parameter's schema, with the parameter's own description. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const STYLES: ReadonlySet<unknown> = new Set<QueryStyle>(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']);
const PLACES = ['path', 'query', 'header'] as const;

/**
 * An operation's parameters: path, query, then header; its own replace those of its path. Leaves out cookies, headers
 * that arguments must never set, and parameters that the operator or a security scheme provides.
 *
 * @param provided `in name`, lower case, of parameters that arguments must not set
 * @throws ToolSearchError `INVALID_TOOL` for a malformed or unsupported parameter
 */
export function operationParameters(
  document: OpenApiDocument,
  site: OperationSite,
  provided: ReadonlySet<string>,
): readonly OperationParameter[] {
  const byKey = new Map<string, OperationParameter>();
  for (const node of [site.pathItem['parameters'], site.operation['parameters']].flat()) {
    const raw = follow(document, node);
    if (raw === undefined) continue;
    if (!isObject(raw) || typeof raw['name'] !== 'string' || raw['name'] === '')
      throw refusal('a parameter is malformed');
    const place = PLACES.find((known) => known === raw['in']);
    const key = `${place} ${raw['name']}`;
    if (place === undefined || provided.has(key.toLowerCase())) continue;
    if (place === 'header' && isForbiddenHeader(raw['name'])) continue;
    if (place === 'path' && !site.path.includes(`{${raw['name']}}`)) continue;
    byKey.set(key, parameterOf(raw, place, raw['name']));
  }
  for (const [, name = ''] of site.path.matchAll(/\{([^{}/]+)\}/g)) {
    // Building the path needs a value even for a placeholder that the document does not describe.
    if (!byKey.has(`path ${name}`))
      byKey.set(`path ${name}`, parameterOf({ schema: { type: 'string' } }, 'path', name));
  }
  return [...byKey.values()].sort((left, right) => PLACES.indexOf(left.in) - PLACES.indexOf(right.in));
}

function parameterOf(
  raw: Readonly<Record<string, unknown>>,
  place: OperationParameter['in'],
  name: string,
): OperationParameter {
  const content = isObject(raw['content']) ? Object.values(raw['content'])[0] : undefined;
  const schema = isObject(content) ? content['schema'] : raw['schema'];
  const style = raw['style'] ?? (place === 'query' ? 'form' : 'simple');
  if (place === 'query' ? !STYLES.has(style) : style !== 'simple')
    throw refusal(`the style of the ${place} parameter is not supported`);
  return {
    in: place,
    name,
    required: place === 'path' || raw['required'] === true,
    style: content === undefined ? (style as QueryStyle) : 'json',
    explode: typeof raw['explode'] === 'boolean' ? raw['explode'] : style === 'form',
    schema: {
      ...(isObject(schema) ? schema : {}),
      ...(typeof raw['description'] === 'string' ? { description: raw['description'] } : {}),
      ...(raw['example'] === undefined ? {} : { example: raw['example'] }),
      ...(raw['deprecated'] === true ? { deprecated: true } : {}),
    },
  };
}
