import { STATUS_CODES } from 'node:http';
import { depthOf, type JsonValue, type SourceAnswer, ToolSearchError } from '@tool-search/core';
import type { OperationRequest } from './operation-request.js';

const MAX_ERROR_TEXT = 2000;
const MAX_DEPTH = 64;
const MIN_SECRET = 8;
const JSON_TYPE = /^[^;]*[/+]json\s*(;|$)/i;
const TEXT_TYPE =
  /^(text\/|application\/(xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)|[^;]*\+(xml|yaml))/i;

/**
 * Sends a request and reads the answer within bounds. A status of 400 and above is an answer of the tool (`isError`),
 * with what the API says about it in at most 2,000 characters.
 *
 * @param operatorHeaders their credentials are struck out of the answer, should the API echo them
 * @throws ToolSearchError `UPSTREAM_INVALID` (redirect), `SOURCE_UNAVAILABLE` (network); the signal's reason when aborted
 */
export async function callOperation(
  request: OperationRequest,
  operatorHeaders: Headers,
  maxBytes: number,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  try {
    const { url, method, headers, body } = request;
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400 && response.headers.has('location')) {
      await response.body?.cancel();
      throw new ToolSearchError('UPSTREAM_INVALID', 'The API answered with a redirect, which is not followed.', {
        hint: 'If the resource was renamed or moved, call the tool with its new place.',
      });
    }
    const read = await readBounded(response, maxBytes);
    return answerOf(response, { ...read, text: withoutSecrets(read.text, operatorHeaders) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolSearchError) throw error;
    throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The API could not be reached or broke off its answer.', {
      hint: 'Try again later. A call that changes something may have taken effect.',
      cause: error,
    });
  }
}

interface BoundedText {
  readonly text: string;
  readonly bytes: number;
  /** The response was longer than the bound. */
  readonly cut: boolean;
}

async function readBounded(response: Response, maxBytes: number): Promise<BoundedText> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the transfer.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const kept = chunk.subarray(0, maxBytes - bytes);
    text += decoder.decode(kept, { stream: true });
    bytes += kept.length;
    if (kept.length < chunk.length) return { text, bytes, cut: true };
  }
  return { text: text + decoder.decode(), bytes, cut: false };
}

function answerOf(response: Response, { text, bytes, cut }: BoundedText): SourceAnswer {
  const type = response.headers.get('content-type') ?? '';
  const status = `HTTP ${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim();
  const note = cut ? `\n[cut: the response is longer than ${bytes} bytes]` : '';
  if (!response.ok) {
    const wait = /^\d{1,6}$/.exec(response.headers.get('retry-after') ?? '');
    const lines = [status + (wait ? `; retry after ${wait[0]} seconds` : ''), errorText(text, type)];
    return { isError: true, content: [{ type: 'text', text: lines.filter((line) => line !== '').join('\n') }] };
  }
  if (bytes === 0) return { content: [{ type: 'text', text: `${status}, without content` }] };
  if (type !== '' && !JSON_TYPE.test(type) && !TEXT_TYPE.test(type)) {
    const mediaType = /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0].slice(0, 100) ?? 'unknown type';
    return { content: [{ type: 'text', text: `${status}: ${cut ? 'more than ' : ''}${bytes} bytes of ${mediaType}` }] };
  }
  const structured = JSON_TYPE.test(type) && !cut ? parsed(text) : undefined;
  return { content: [{ type: 'text', text: text + note }], ...(structured === undefined ? {} : { structured }) };
}

// A page of HTML is for people, and where a server shows its inner workings.
function errorText(text: string, type: string): string {
  if (!JSON_TYPE.test(type) && !/^text\/plain/i.test(type)) return '';
  return text.length > MAX_ERROR_TEXT ? `${text.slice(0, MAX_ERROR_TEXT)}…` : text;
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return depthOf(value, MAX_DEPTH) > MAX_DEPTH ? undefined : value;
  } catch {
    return undefined;
  }
}

function withoutSecrets(text: string, operatorHeaders: Headers): string {
  let clean = text;
  operatorHeaders.forEach((value, name) => {
    if (!/auth|token|key|secret|password|cookie|credential|session/i.test(name)) return;
    // With and without a scheme such as "Bearer".
    for (const secret of [value, ...value.split(/[\s;,=]+/)]) {
      if (secret.length >= MIN_SECRET) clean = clean.replaceAll(secret, '[removed]');
    }
  });
  return clean;
}
