import { STATUS_CODES } from 'node:http';
import type { JsonValue, SourceAnswer, ToolContent } from '@tool-search/core';
import { depthOf, estimateTokens, truncated } from '@tool-search/core/internal';
import type { Secrets } from '@tool-search/core/source';
import { errorText } from './error-text.js';
import { type ResponseBody, textOf } from './response-body.js';
import { trimmedJson } from './trimmed-json.js';

const MAX_DEPTH = 64;
// Derived from core's token estimate.
const CHARS_PER_TOKEN = 1_000 / estimateTokens('x'.repeat(1_000));
const JSON_TYPE = /^[^;]*[/+]json\s*(;|$)/i;
const TEXT_TYPE =
  /^(text\/|application\/(xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)|[^;]*\+(xml|yaml))/i;
const LONG_NUMBER = /\d{16}|\d[eE]/;
// A text without an end goes to the end of the answer: else each of its quotation marks would begin a search.
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*/g;
const PLACE_HEADERS = ['Location', 'Content-Location', 'Operation-Location', 'Azure-AsyncOperation'];
const MAX_PLACE = 500;
const IMAGE_TYPE = /^image\/[\w.+-]{1,60}/i;

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ResponseBody;
}

/**
 * Converts a response into a tool's answer. A status of 400 and above gives `isError`, for 4xx with the API's message;
 * for 5xx only the status is reported.
 *
 * @param maxTokens limit of the answer in tokens, estimated from its length; 0 for no limit
 */
export function operationAnswer(response: ReceivedResponse, secrets: Secrets, maxTokens: number): SourceAnswer {
  const { status, headers, body } = response;
  const type = secrets.redact(headers.get('content-type') ?? '');
  const line = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  if (status >= 400) return refusedAnswer(line, response, type, secrets);
  const answer = contentAnswer(line, body, type, secrets, maxTokens);
  const places = placesIn(headers, secrets);
  return places.length === 0 ? answer : { ...answer, content: [...answer.content, text(places.join('\n'))] };
}

function contentAnswer(
  line: string,
  body: ResponseBody,
  type: string,
  secrets: Secrets,
  maxTokens: number,
): SourceAnswer {
  if (body.bytes.length === 0) return { content: [text(`${line}, without content`)] };
  if (type !== '' && !JSON_TYPE.test(type) && !TEXT_TYPE.test(type))
    return { content: [binary(line, type, body, secrets)] };
  const words = secrets.redact(textOf(body, type), body.cut);
  const json = JSON_TYPE.test(type) && !body.cut ? parsed(words, secrets) : undefined;
  const maxChars = maxTokens === 0 ? Number.POSITIVE_INFINITY : Math.floor(maxTokens * CHARS_PER_TOKEN);
  return json ? jsonAnswer(json, maxChars) : textAnswer(words, body, maxChars);
}

/** The headers of a success that say where the result is: for 201 and 202 often the only place where its id is. */
function placesIn(headers: Headers, secrets: Secrets): readonly string[] {
  return PLACE_HEADERS.flatMap((name) => {
    // What is removed could stand within a credential, so it is removed before credentials are searched for.
    const value = secrets.redact((headers.get(name) ?? '').replace(/[^\x20-\x7e]/g, ''));
    return value === '' ? [] : [`[${name}: ${truncated(value, MAX_PLACE)}]`];
  });
}

function refusedAnswer(line: string, { status, headers, body }: ReceivedResponse, type: string, secrets: Secrets) {
  const wait = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '');
  const first = line + (wait ? `; retry after ${wait[0]} seconds` : '');
  // HTML pages are made for browsers, and error pages of a failing server may show internals.
  const isShown = status < 500 && (JSON_TYPE.test(type) || /^text\/plain/i.test(type));
  const words = isShown ? secrets.redact(textOf(body, type), body.cut) : '';
  const json = JSON_TYPE.test(type) && !body.cut && isShown ? parsed(words, secrets) : undefined;
  const more = isShown ? errorText(words, json?.value) : '';
  return { isError: true, content: [text([first, more].filter((part) => part !== '').join('\n'))] };
}

function textAnswer(words: string, { cut, bytes }: ResponseBody, maxChars: number): SourceAnswer {
  if (words.length > maxChars) {
    const kept = truncated(words, maxChars);
    const whole = cut ? `more than ${words.length}` : String(words.length);
    return { content: [text(`${kept}\n[cut: the first ${kept.length} of ${whole} characters]`)] };
  }
  return { content: [text(cut ? `${words}\n[cut: the response is longer than ${bytes.length} bytes]` : words)] };
}

function jsonAnswer({ words, value }: ParsedJson, maxChars: number): SourceAnswer {
  if (words.length <= maxChars) return { content: [text(words)], structured: value };
  const trimmed = trimmedJson(value, maxChars);
  const content = [text(JSON.stringify(trimmed.value))];
  if (trimmed.cut) content.push(text('[cut: parts of a long answer are left out; ask for less at once to see them]'));
  return { content, structured: trimmed.value };
}

function binary(line: string, type: string, { bytes, cut }: ResponseBody, secrets: Secrets): ToolContent {
  const image = IMAGE_TYPE.exec(type)?.[0];
  if (image !== undefined && !cut)
    return { type: 'image', data: secrets.redactBytes(bytes).toString('base64'), mimeType: image.toLowerCase() };
  const mediaType = /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0].slice(0, 100) ?? 'unknown type';
  return text(`${line}: ${cut ? 'more than ' : ''}${bytes.length} bytes of ${mediaType}`);
}

interface ParsedJson {
  readonly words: string;
  readonly value: JsonValue;
}

/**
 * Parses JSON. Removes `__proto__` keys and keeps numbers that would lose precision as strings. Returns undefined for
 * invalid JSON, or for more than 64 levels.
 */
function parsed(json: string, secrets: Secrets): ParsedJson | undefined {
  try {
    const value = JSON.parse(withFaithfulNumbers(json)) as JsonValue;
    if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) return undefined;
    // Escapes could hide `__proto__` keys and credentials from a search in the raw text.
    if (!/__proto__|\\[u/]/.test(json)) return { words: json, value };
    const clean = JSON.parse(withFaithfulNumbers(json), (key, item: unknown) =>
      key === '__proto__' ? undefined : item,
    ) as JsonValue;
    const words = secrets.redact(JSON.stringify(clean));
    return { words, value: JSON.parse(words) as JsonValue };
  } catch {
    return undefined;
  }
}

// An id of 20 digits would be rounded to another id.
function withFaithfulNumbers(json: string): string {
  if (!LONG_NUMBER.test(json)) return json;
  return json.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"')) return token;
    const number = Number(token);
    const isFaithful = /^-?\d+$/.test(token) ? Number.isSafeInteger(number) : Number.isFinite(number);
    return isFaithful ? token : `"${token}"`;
  });
}

function text(words: string): ToolContent {
  return { type: 'text', text: words };
}
