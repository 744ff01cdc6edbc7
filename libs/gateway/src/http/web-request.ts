import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptedTypes } from './accepted-types.js';

/** Request and response of Node behind those of Express or Fastify. */
export interface NodeExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The part of Fastify's reply that hands the connection over. */
interface HijackableReply {
  readonly raw: ServerResponse;
  hijack(): void;
  getHeaders(): Readonly<Record<string, string | number | string[] | undefined>>;
}

/** Takes the connection over from Express or Fastify, with the headers that the application has set on it. */
export function nodeExchange(request: object, response: object): NodeExchange {
  if (!('hijack' in response)) return { request: request as IncomingMessage, response: response as ServerResponse };
  const reply = response as HijackableReply;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  return { request: (request as { raw: IncomingMessage }).raw, response: reply.raw };
}

/** Runs work when a response has ended or its client is gone: at once, if the client left while a guard was asked. */
export function whenClosed(response: ServerResponse, work: () => void): void {
  if (response.destroyed) work();
  else response.once('close', work);
}

/**
 * The web request for the SDK, without its body, which is passed separately. Its signal aborts when the client
 * disconnects.
 */
export function webRequest({ request, response }: NodeExchange, contentType: string): Request {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  if (contentType !== '') headers['content-type'] = contentType;
  headers['accept'] = acceptedTypes(request.headers.accept);
  const gone = new AbortController();
  whenClosed(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  // The URL is not read: the route has been found already.
  return new Request('http://gateway.invalid/', { method: request.method ?? 'POST', headers, signal: gone.signal });
}
