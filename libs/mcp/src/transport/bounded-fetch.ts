import type { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import {
  type EgressAnswer,
  type EgressFetch,
  type EgressRequest,
  parsedJson,
  withLinkedSignal,
} from '@tool-search/core/internal';
import { boundedEvents, MessageTooLarge } from './event-stream.js';
import { ReadRateLimiter } from './read-rate-limiter.js';

const MAX_ERROR_BYTES = 64 * 1024;

/**
 * The server answered with a redirect. Redirects are not followed: only the operator may choose the address and where
 * credentials are sent.
 */
export class Redirected extends Error {
  constructor(readonly status: number) {
    super(`the server answered with a redirect (${status}), which is not followed`);
    this.name = 'Redirected';
  }
}

/** The server answered with JSON that is not a single message. */
export class NoMessage extends Error {
  constructor() {
    super('the server answered with JSON that is not one message');
    this.name = 'NoMessage';
  }
}

export interface FetchOptions<E extends Exchange = Exchange> {
  readonly maxBytes: number;
  /** Mends a message before it is passed on. @default messages stay as they are */
  readonly mend?: (message: unknown, exchange: E | undefined) => unknown;
  /**
   * The exchange that a fetch belongs to: its signal aborts the fetch, and `isStream` is set when an event stream
   * arrives.
   */
  readonly exchange?: (init?: RequestInit) => E | undefined;
}

interface Exchange {
  isStream: boolean;
  readonly signal?: AbortSignal;
}

// The statuses for which a Response takes no body, without redirects.
const WITHOUT_BODY: readonly number[] = [204, 205];

/**
 * A `fetch` whose response bodies fail when one message exceeds `maxBytes`. Error bodies are cut at 64 KiB; redirects
 * and batches of messages are errors. All its event streams share one {@link ReadRateLimiter}. Sends texts only.
 */
export function boundedFetch<E extends Exchange = Exchange>(
  request: EgressRequest,
  { maxBytes, exchange, mend = (message) => message }: FetchOptions<E>,
): EgressFetch {
  const pace = new ReadRateLimiter();
  return (url, init) => {
    const own = exchange?.(init);
    return new Promise((resolve, reject) => {
      const run = async (signal: AbortSignal) => {
        const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers);
        const answer = await request(url, { method: init?.method, headers, body: textOf(init?.body), signal });
        try {
          await passedOn(answer, own);
        } catch (error) {
          answer.body.on('error', () => undefined).destroy();
          throw error;
        }
      };
      const passedOn = async ({ status, headers, body }: EgressAnswer, own: E | undefined) => {
        if (status >= 300 && status < 400) throw new Redirected(status);
        const made = (content: ReadableStream<Uint8Array> | null) => new Response(content, { status, headers });
        if (WITHOUT_BODY.includes(status)) {
          resolve(made(null));
          return body.on('error', () => undefined).resume();
        }
        const ok = status < 300;
        const isStream = ok && isMediaType(headers['content-type'], 'text/event-stream');
        if (own) own.isStream = isStream;
        if (ok && isMediaType(headers['content-type'], 'application/json')) {
          const text = await boundedText(body, maxBytes);
          // The supported protocol revisions have no batches.
          if (!/^\s*\{/.test(text)) throw new NoMessage();
          return resolve(new TextResponse(text, { status, headers }, (message) => mend(message, own)));
        }
        const { readable, writable } = isStream
          ? boundedEvents(maxBytes, pace, (message) => mend(message, own))
          : ok
            ? boundedWhole(maxBytes)
            : cut(MAX_ERROR_BYTES);
        // Not `Readable.toWeb()`, whose stream fails on Node 20 when data arrives after it was cancelled.
        const piped = ReadableStream.from<Uint8Array>(body).pipeTo(writable);
        resolve(made(readable));
        await piped;
      };
      // One signal serves all requests of a connection, and a body may outlast the request: the signal is let go of with
      // its last byte. Failures after the response are reported through its body, so rejecting then has no effect.
      withLinkedSignal([init?.signal ?? undefined, own?.signal], run).catch(reject);
    });
  };
}

/** A response that is read as text or JSON alone, and makes no stream of its text. */
class TextResponse extends Response {
  override readonly text: () => Promise<string>;
  override readonly json: () => Promise<unknown>;

  constructor(text: string, init: ResponseInit, mend: (message: unknown) => unknown) {
    super(null, init);
    this.text = async () => text;
    this.json = async () => {
      const message = parsedJson(text);
      // The error of the parser would quote a part of the text, in which a credential may begin.
      if (message === undefined) throw new NoMessage();
      return mend(message);
    };
  }
}

function textOf(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only texts can be sent');
}

function isMediaType(contentType: string | undefined, type: string): boolean {
  return contentType?.trim().toLowerCase().startsWith(type) ?? false;
}

// Without a pipe, whose two streams cost more than the rest of a small answer.
function boundedText(body: Readable, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    body.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > maxBytes) body.destroy(new MessageTooLarge(maxBytes));
      else chunks.push(chunk);
    });
    body.on('error', reject);
    body.on('end', () => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
  });
}

function boundedWhole(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes) controller.error(new MessageTooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}

function cut(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
