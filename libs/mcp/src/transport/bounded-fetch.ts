import { type EgressFetch, withLinkedSignal } from '@tool-search/core/egress';
import { ReadRateLimiter } from './read-rate-limiter.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const MAX_ERROR_BYTES = 64 * 1024;
const PIECE = 50;

export class MessageTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`a message of the server has more than ${maxBytes} bytes`);
    this.name = 'MessageTooLarge';
  }
}

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

export interface FetchOptions {
  readonly maxBytes: number;
  /**
   * The exchange that a fetch belongs to: its signal aborts the fetch, and `isStream` is set when an event stream
   * arrives.
   */
  readonly exchange?: (init?: RequestInit) => { isStream: boolean; readonly signal?: AbortSignal } | undefined;
}

/**
 * A `fetch` whose response bodies fail when one message exceeds `maxBytes`. Error bodies are cut at 64 KiB; redirects
 * and batches of messages are errors. All its event streams share one {@link ReadRateLimiter}.
 */
export function boundedFetch(fetch: EgressFetch, { maxBytes, exchange }: FetchOptions): EgressFetch {
  const pace = new ReadRateLimiter();
  return (url, init) => {
    const own = exchange?.(init);
    return new Promise((resolve, reject) => {
      const run = async (signal: AbortSignal) => {
        const response = await fetch(url, { ...init, signal });
        const { status, statusText, headers, body, ok } = response;
        if (status >= 300 && status < 400) {
          await body?.cancel();
          throw new Redirected(status);
        }
        if (!body) return resolve(response);
        const isStream = ok && isMediaType(headers, 'text/event-stream');
        if (own) own.isStream = isStream;
        const made = (content: ReadableStream<Uint8Array> | string) =>
          new Response(content, { status, statusText, headers });
        if (ok && isMediaType(headers, 'application/json')) {
          const text = await boundedText(body, maxBytes);
          // The supported protocol revisions have no batches.
          if (!/^\s*\{/.test(text)) throw new NoMessage();
          return resolve(made(text));
        }
        const { readable, writable } = ok ? bounded(maxBytes, isStream ? pace : undefined) : cut(MAX_ERROR_BYTES);
        const piped = body.pipeTo(writable);
        resolve(made(readable));
        await piped;
      };
      // One signal serves all requests of a connection, but `fetch` removes its listeners late, which causes warnings
      // about listener leaks. Failures after the response are reported through its body, so rejecting then has no
      // effect.
      withLinkedSignal([init?.signal ?? undefined, own?.signal], run).catch(reject);
    });
  };
}

function isMediaType(headers: Headers, type: string): boolean {
  return headers.get('content-type')?.trim().toLowerCase().startsWith(type) ?? false;
}

// Without a pipe, whose two streams cost more than the rest of a small answer.
async function boundedText(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(Buffer.concat(chunks));
    size += value.length;
    if (size > maxBytes) {
      const error = new MessageTooLarge(maxBytes);
      await reader.cancel(error).catch(() => undefined);
      throw error;
    }
    chunks.push(value);
  }
}

function bounded(maxBytes: number, pace: ReadRateLimiter | undefined): TransformStream<Uint8Array, Uint8Array> {
  return pace ? boundedEvents(maxBytes, pace) : boundedWhole(maxBytes);
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

function boundedEvents(maxBytes: number, pace: ReadRateLimiter): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lineIsEmpty = true;
  // An event stream may last for days, so the limit applies to one event, up to its empty line.
  const endsEvent = (byte: number | undefined): boolean => {
    size += 1;
    if (byte === CARRIAGE_RETURN || size > maxBytes) return false;
    const endsLine = byte === LINE_FEED;
    const ends = endsLine && lineIsEmpty;
    if (ends) size = 0;
    lineIsEmpty = endsLine;
    return ends;
  };
  return new TransformStream({
    async transform(chunk, controller) {
      let from = 0;
      let events = 0;
      for (let at = 0; at < chunk.length; at++) {
        if (endsEvent(chunk[at])) events += 1;
        if (size > maxBytes) return controller.error(new MessageTooLarge(maxBytes));
        if (events < PIECE) continue;
        controller.enqueue(chunk.subarray(from, at + 1));
        from = at + 1;
        await pace.keep(events);
        events = 0;
      }
      controller.enqueue(chunk.subarray(from));
      await pace.keep(events);
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
