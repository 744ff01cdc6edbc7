import type { IncomingMessage } from 'node:http';
import { checkJsonBody, isToolSearchError, type ToolSearchError } from '@tool-search/core';
import { keepsWholeNumbers } from '@tool-search/core/source';
import { RpcRefusal } from './rpc-refusal.js';

/** A body as the gateway read it: the parsed value, or the refusal to answer with. */
export type RequestBody =
  | {
      readonly value: unknown;
      /** Whether no whole number of the text was rounded. */
      readonly exactNumbers: boolean;
    }
  | { readonly refusal: RpcRefusal };

export const NO_BODY: RequestBody = { value: undefined, exactNumbers: true };

const bodies = new WeakMap<IncomingMessage, { readonly contentType: string; readonly body: RequestBody }>();

/**
 * Reads the body of a request before any body parser of the application, so that there is one limit on Express and
 * Fastify and every fault can be answered as a JSON-RPC error. For the parsers the request then has no body.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  const contentType = request.headers['content-type'] ?? '';
  const declared = Number(request.headers['content-length'] ?? 0);
  const body = declared > maxBytes ? tooLarge(request, maxBytes) : await collected(request, maxBytes);
  bodies.set(request, { contentType, body });
  for (const header of ['content-type', 'content-length', 'transfer-encoding']) delete request.headers[header];
}

/** The body that {@link readBody} read, and the request's own content type. */
export function bodyOf(request: IncomingMessage): { readonly contentType: string; readonly body: RequestBody } {
  return bodies.get(request) ?? { contentType: '', body: { refusal: new RpcRefusal(400, -32700, NO_JSON) } };
}

const NO_JSON = 'Parse error: the body is not valid JSON.';

// By events, because an async iterator costs more than the rest of a small request.
function collected(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else settle(tooLarge(request, maxBytes));
    };
    const onEnd = () => settle(bytes === 0 ? NO_BODY : parsed(Buffer.concat(chunks)));
    const onBreak = () => settle({ refusal: new RpcRefusal(400, -32700, 'Parse error: the body ended too early.') });
    const settle = (body: RequestBody) => {
      request.off('data', onData).off('end', onEnd).off('close', onBreak);
      resolve(body);
    };
    // A broken request emits 'close' after 'error', which must have a listener.
    request
      .on('data', onData)
      .on('end', onEnd)
      .on('close', onBreak)
      .on('error', () => undefined);
  });
}

function tooLarge(request: IncomingMessage, maxBytes: number): RequestBody {
  request.resume();
  return { refusal: new RpcRefusal(413, -32600, `The body is larger than ${maxBytes} bytes.`, 'ARGUMENTS_TOO_LARGE') };
}

function parsed(bytes: Buffer): RequestBody {
  try {
    const text = bytes.toString();
    checkJsonBody(text);
    return { value: JSON.parse(text) as unknown, exactNumbers: keepsWholeNumbers(text) };
  } catch (error) {
    return { refusal: isToolSearchError(error) ? outOfBounds(error) : new RpcRefusal(400, -32700, NO_JSON) };
  }
}

function outOfBounds({ code, message }: ToolSearchError): RpcRefusal {
  return new RpcRefusal(code === 'ARGUMENTS_TOO_LARGE' ? 413 : 400, -32600, message, code);
}
