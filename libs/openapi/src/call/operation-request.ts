import { ToolSearchError } from '@tool-search/core';
import type { TraceContext } from '@tool-search/core/source';
import { isObject, traceHeaders } from '@tool-search/core/internal';
import {
  isForbiddenHeader,
  type OperationPlan,
  type PlannedArgument,
  type PlannedBody,
  type PlannedCredential,
  type PlannedParameter,
  type PlannedText,
} from '../operation/operation-plan.js';
import { writtenBody } from './request-body.js';
import { TakenNames } from './taken-names.js';
import { type Pair, pairsOf, singleText } from './wire-form.js';

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
  for (const header of plan.headers) {
    const value = argumentOf(input, header.argument);
    if (value !== undefined && !isForbiddenHeader(header.name)) headers.set(header.name, headerValue(header, value));
  }
  const body = plan.body && bodyOf(plan.body, input);
  if (body) headers.set('content-type', body.mediaType);
  const cookies = cookiesOf(plan, input, plan.trusted ? (operatorHeaders.get('cookie') ?? '') : '');
  if (plan.trusted) operatorHeaders.forEach((value, name) => headers.set(name, value));
  if (cookies !== '') headers.set('cookie', cookies);
  const url = urlOf(plan, input, plan.trusted ? operatorQuery : []);
  return { method: plan.method, url, headers, body: body?.text };
}

/**
 * Gives a request its place in a trace, in place of arguments with these names. The operator's headers override it.
 *
 * @param operatorHeaders those that are sent
 */
export function addTrace({ headers }: OperationRequest, trace: TraceContext, operatorHeaders: Headers): void {
  // The parts of two traces must not be mixed.
  if (!operatorHeaders.has('tracestate')) headers.delete('tracestate');
  for (const [name, value] of Object.entries(traceHeaders(trace, operatorHeaders))) headers.set(name, value);
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

function segmentOf(parts: OperationPlan['segments'][number], input: Arguments): string {
  const segment = parts.map((part) => (typeof part === 'string' ? part : pathValue(part, input))).join('');
  if (/^(\.|%2e){1,2}$/i.test(segment)) throw invalid('The arguments do not fit the path of this tool.');
  return segment;
}

function pathValue(part: PlannedText, input: Arguments): string {
  const { argument, name } = part;
  const value = argumentOf(input, argument);
  const items: readonly unknown[] = isObject(value) ? Object.values(value) : [value].flat();
  if (items.length === 0 || items.some((item) => item === undefined || item === null)) throw unfit(argument);
  return singleText(name, value, part, (item) => {
    if (item === '' || hasDotSegment(item)) throw unfit(argument);
    return encoded(item, argument);
  });
}

function unfit(argument: string): ToolSearchError {
  return invalid(`"${argument}" is part of the path: it must not be empty, "." or ".." or hold such a part.`);
}

// A server that decodes the path before routing, even several times, would resolve such segments to another path.
function hasDotSegment(item: string): boolean {
  const decoded = item.replace(/%(25)*2e/gi, '.').replace(/%(25)*(2f|5c)/gi, '/');
  return decoded.split(/[/\\]/).some((part) => /^\.{1,2}$/.test(part));
}

function queryOf({ query, querystring, security }: OperationPlan, input: Arguments): string {
  const taken = new TakenNames(query, credentialNames(security, 'query'));
  const pairs = query.flatMap((parameter) => parameterPairs(parameter, input, taken));
  return [...pairs, ...(querystring ? [wholeQuery(querystring, input, taken)] : [])].filter(Boolean).join('&');
}

function credentialNames(security: OperationPlan['security'], place: PlannedCredential['kind']): readonly string[] {
  return security.flatMap((all) => all.filter(({ kind }) => kind === place).map(({ name }) => name));
}

/** The query as one argument: a form, or a text that is encoded as a whole. */
function wholeQuery(query: PlannedBody, input: Arguments, taken: TakenNames): string {
  const value = valueOf(query, input);
  const argument = 'argument' in query.from ? query.from.argument : '';
  if (value === undefined || value === null) return '';
  const isForm = query.encoding === 'form' && isObject(value);
  const encode = (text: string) => encoded(text, argument);
  const { text } = writtenBody(query, value, encode);
  const written = isForm ? text : encode(text);
  // The names are those of the text: a field of the form may write others than its own.
  const names = written.split('&').map((assignment) => assignment.split('=', 1)[0] ?? '');
  if (taken.hasAnyOf(names)) throw clash(argument);
  return written;
}

function parameterPairs(parameter: PlannedParameter, input: Arguments, taken: TakenNames): readonly string[] {
  const { argument, name, style, explode, allowReserved = false } = parameter;
  const value = argumentOf(input, argument);
  const isSpread = isObject(value) && explode && style !== 'deepObject' && style !== 'json' && style !== 'text';
  const encode = (text: string) => (allowReserved ? withReserved : String)(encoded(text, argument));
  const pairs = pairsOf(name, value, parameter, encode);
  if (taken.hasAnyOf(namesOf(pairs), isSpread ? undefined : name)) throw clash(argument);
  return pairs.map((pair) => pair.join('='));
}

function namesOf(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(([name]) => name);
}

/** Decodes the reserved characters that separate nothing in a query. */
function withReserved(text: string): string {
  return text.replace(/%(3A|2F|3F|40|24|2C|3B)/g, decodeURIComponent);
}

function clash(argument: string): ToolSearchError {
  return invalid(`"${argument}" holds the name of another parameter.`);
}

function headerValue(header: PlannedText, value: unknown): string {
  const text = singleText(header.name, value, header, String);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    throw invalid(`"${header.argument}" travels as a header: use plain characters, no line breaks.`);
  return text;
}

/** The arguments' cookies and the operator's, whose names no argument may use. */
function cookiesOf({ cookies = [], security }: OperationPlan, input: Arguments, operators: string): string {
  if (cookies.length === 0) return '';
  const taken = new TakenNames(cookies, [...cookieNames(operators), ...credentialNames(security, 'cookie')]);
  const given = cookies.flatMap((cookie) => {
    if (taken.isCredential(cookie.name)) return [];
    const pairs =
      cookie.style === 'cookie' ? plainCookies(cookie, input, taken) : [parameterPairs(cookie, input, taken).join('&')];
    return pairs.filter((pair) => pair !== '');
  });
  return [...given, ...(operators === '' ? [] : [operators])].join('; ');
}

/** The names in a `Cookie` header. */
export function cookieNames(header: string): readonly string[] {
  return header.split(';').map((cookie) => cookie.trim().split('=', 1)[0] ?? '');
}

/** The style `cookie` encodes nothing, so a value must be one that a cookie may have. */
function plainCookies(cookie: PlannedParameter, input: Arguments, taken: TakenNames): readonly string[] {
  const { argument, name } = cookie;
  const value = argumentOf(input, argument);
  const pairs = pairsOf(name, value, cookie, String);
  const isSpread = isObject(value) && cookie.explode;
  if (taken.hasAnyOf(namesOf(pairs), isSpread ? undefined : name)) throw clash(argument);
  return pairs.map(([key, text]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key) || !/^[\x21\x23-\x2b\x2c-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text))
      throw invalid(`"${argument}" travels as a cookie: use no spaces, quotes, semicolons or backslashes.`);
    return `${key}=${text}`;
  });
}

function bodyOf(body: PlannedBody, input: Arguments) {
  const value = valueOf(body, input);
  return value === undefined ? undefined : writtenBody(body, value, (text) => encoded(text, 'body'));
}

function valueOf({ from, required }: PlannedBody, input: Arguments): unknown {
  return 'argument' in from ? argumentOf(input, from.argument, true) : objectOf(from, input, required);
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
