import { ToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/source';
import {
  isForbiddenHeader,
  type OperationPlan,
  type PlannedArgument,
  type PlannedBody,
  type PlannedQuery,
} from '../operation/operation-plan.js';

type Arguments = Readonly<Record<string, unknown>>;

export interface OperationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
}

/**
 * Builds the request for a tool's arguments. Each path argument stays within one segment, arguments never set another
 * parameter's header, and the operator's headers override everything.
 *
 * @param operatorHeaders sent only if the plan trusts the target
 * @param operatorQuery names and values, not encoded; sent only if the plan trusts the target
 * @throws ToolSearchError `INVALID_ARGUMENTS`
 */
export function operationRequest(
  plan: OperationPlan,
  input: unknown,
  operatorHeaders: Headers,
  operatorQuery: readonly (readonly [string, string])[] = [],
): OperationRequest {
  if (!isObject(input)) throw invalid('The arguments must be an object.');
  const headers = new Headers({ accept: 'application/json, text/plain;q=0.9, */*;q=0.1' });
  for (const { argument, name } of plan.headers) {
    const value = argumentOf(input, argument);
    if (value !== undefined && !isForbiddenHeader(name)) headers.set(name, headerValue(value, argument));
  }
  const body = plan.body && bodyOf(plan.body, input);
  if (plan.body && body !== undefined) headers.set('content-type', plan.body.mediaType);
  if (plan.trusted) operatorHeaders.forEach((value, name) => headers.set(name, value));
  return { method: plan.method, url: urlOf(plan, input, plan.trusted ? operatorQuery : []), headers, body };
}

function urlOf(plan: OperationPlan, input: Arguments, operatorQuery: readonly (readonly [string, string])[]): string {
  const path = plan.segments.map((parts) => `/${segmentOf(parts, input)}`).join('');
  const own = operatorQuery.map((pair) => pair.map(encodeURIComponent).join('='));
  const query = [queryOf(plan, input), ...own].filter((part) => part !== '').join('&');
  const url = joined(plan.baseUrl, path, query);
  if (!url) throw invalid('The arguments do not fit the path of this tool.');
  return url.href;
}

/**
 * Joins a base URL and a path. Returns undefined if URL parsing would change the result, for example to another host or
 * another number of segments.
 */
export function joined(baseUrl: string, path: string, query = ''): URL | undefined {
  const base = new URL(baseUrl);
  const url = new URL(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`);
  const asWritten = url.pathname === `${base.pathname.replace(/\/$/, '')}${path}`;
  return asWritten && url.origin === base.origin && url.hash === '' ? url : undefined;
}

function segmentOf(parts: readonly (string | PlannedArgument)[], input: Arguments): string {
  const segment = parts.map((part) => (typeof part === 'string' ? part : pathValue(part.argument, input))).join('');
  if (/^(\.|%2e){1,2}$/i.test(segment)) throw invalid('The arguments do not fit the path of this tool.');
  return segment;
}

function pathValue(argument: string, input: Arguments): string {
  const value = argumentOf(input, argument);
  const items = (Array.isArray(value) ? value : [value]).map((item) =>
    // Path parameters have no format for nested lists or objects.
    typeof item === 'object' || item === undefined ? '' : String(item),
  );
  if (items.length === 0 || items.some((item) => item === '' || hasDotSegment(item))) {
    throw invalid(`"${argument}" is part of the path: it must not be empty, "." or ".." or hold such a part.`);
  }
  return items.map((item) => encoded(item, argument)).join(',');
}

// A server that decodes the path before routing, even several times, would resolve such segments to another path.
function hasDotSegment(item: string): boolean {
  const decoded = item.replace(/%(25)*2e/gi, '.').replace(/%(25)*(2f|5c)/gi, '/');
  return decoded.split(/[/\\]/).some((part) => /^\.{1,2}$/.test(part));
}

function queryOf({ query, security }: OperationPlan, input: Arguments): string {
  const credentials = security.flat().filter(({ kind }) => kind === 'query');
  const names = new Set([...query, ...credentials].map(({ name }) => name));
  return query.flatMap((parameter) => pairsOf(parameter, argumentOf(input, parameter.argument), names)).join('&');
}

/**
 * The encoded `name=value` pairs of one parameter.
 *
 * @param names names of other parameters, which an object's keys must not use
 */
function pairsOf(parameter: PlannedQuery, value: unknown, names: ReadonlySet<string>): string[] {
  const { argument, name, style, explode } = parameter;
  const encode = (item: unknown) => encoded(textOf(item), argument);
  const pair = (key: string, item: unknown) => `${encoded(key, argument)}=${encode(item)}`;
  if (value === undefined) return [];
  if (style === 'json') return [`${encoded(name, argument)}=${encoded(JSON.stringify(value), argument)}`];
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => pair(name, item));
    const separator = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style as string] ?? ',';
    return [`${encoded(name, argument)}=${value.map(encode).join(separator)}`];
  }
  if (!isObject(value)) return [pair(name, value)];
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  if (style === 'deepObject') {
    return entries.flatMap(([key, item]) =>
      pairsOf({ argument, name: `${name}[${key}]`, style, explode: true }, item, names),
    );
  }
  if (!explode) return [`${encoded(name, argument)}=${entries.flat().map(encode).join(',')}`];
  if (entries.some(([key]) => names.has(key))) throw invalid(`"${argument}" holds the name of another parameter.`);
  return entries.map(([key, item]) => pair(key, item));
}

function headerValue(value: unknown, argument: string): string {
  const text = (Array.isArray(value) ? value : [value]).map(textOf).join(',');
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    throw invalid(`"${argument}" travels as a header: use plain characters, no line breaks.`);
  return text;
}

function bodyOf(body: PlannedBody, input: Arguments): string | undefined {
  const value =
    'argument' in body.from ? argumentOf(input, body.from.argument, true) : objectOf(body.from, input, body.required);
  if (value === undefined) return undefined;
  if (body.encoding === 'json') return JSON.stringify(value);
  if (body.encoding === 'text' || !isObject(value)) return textOf(value);
  return Object.entries(value)
    .flatMap(([name, item]) =>
      pairsOf(
        { argument: name, name, style: isObject(item) ? 'deepObject' : 'form', explode: true },
        item ?? undefined,
        new Set(),
      ),
    )
    .join('&');
}

function objectOf(from: readonly PlannedArgument[], input: Arguments, required: boolean): Arguments | undefined {
  const given = from.filter(({ argument }) => argumentOf(input, argument, true) !== undefined);
  if (given.length === 0 && !required) return undefined;
  return Object.fromEntries(given.map(({ argument, name }) => [name, input[argument]]));
}

// In a body, null is a value; elsewhere it means that the argument is left out.
function argumentOf(input: Arguments, argument: string, keepNull = false): unknown {
  const value = Object.hasOwn(input, argument) ? input[argument] : undefined;
  return value === null && !keepNull ? undefined : value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function encoded(text: string, argument: string): string {
  try {
    return encodeURIComponent(text);
  } catch (error) {
    throw new ToolSearchError('INVALID_ARGUMENTS', `"${argument}" is not well-formed text.`, { cause: error });
  }
}

function invalid(message: string): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', message, { hint: 'Correct the arguments and call the tool again.' });
}
