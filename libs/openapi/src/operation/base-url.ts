import { ToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';

/**
 * Checks a server's URL: absolute, http or https, without credentials, query, fragment or unresolved variables. Returns
 * it without a trailing slash, so that a path can follow.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkedBaseUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    throw unusable('The base URL is not an absolute http or https URL.');
  }
  if (parsed.username !== '' || parsed.password !== '') throw unusable('The base URL holds credentials.');
  if (/[?#{}]/.test(url)) throw unusable('The base URL holds a query, a fragment or a variable without a default.');
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}

/**
 * The URL of the first of some OpenAPI `servers`, with default values for its variables; undefined if there is none.
 *
 * @param base base of a relative URL
 */
export function serverUrl(servers: unknown, base?: string): string | undefined {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isObject(first) || typeof first['url'] !== 'string') return undefined;
  const variables = isObject(first['variables']) ? first['variables'] : {};
  const url = first['url'].replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable)
      ? (scalarOf(variable['default']) ?? scalarOf([variable['enum']].flat()[0]) ?? whole)
      : whole;
  });
  // Resolving would encode the braces of an unresolved variable and hide it from the check.
  return checkedBaseUrl(!/[{}]/.test(url) && URL.canParse(url, base) ? new URL(url, base).href : url);
}

/** YAML reads an unquoted port or version as a number. */
function scalarOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function unusable(message: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, {
    hint: 'Set baseUrl of this source, for example "https://api.example.com/v1"; credentials belong in headers.',
  });
}
