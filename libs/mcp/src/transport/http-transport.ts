import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { Egress } from '@tool-search/core/egress';
import { boundedFetch } from './bounded-fetch.js';
import type { Endpoint } from '../connection/credentials.js';

/** JSON-RPC error code for an answer lost because its stream ended. */
export const STREAM_ENDED = -32_099;
/** JSON-RPC error code for a response that does not answer the request. */
export const NOT_ANSWERED = -32_098;

type HttpEndpoint = Extract<Endpoint, { url: URL }>;
type SendOptions = Exclude<Parameters<StreamableHTTPClientTransport['send']>[1], undefined> & TransportSendOptions;

interface Exchange {
  isStream: boolean;
  /** Aborts when the request is cancelled. */
  readonly signal?: AbortSignal;
}

// The SDK's transport does not tell `fetch` or the reconnection which message it is for. A signal in its own options
// would be joined with the connection's signal by `AbortSignal.any()`, which leaks on Node 20.
const sending = new AsyncLocalStorage<Exchange>();
const MIN_RECONNECT_MS = 1_000;

/**
 * Streamable HTTP transport with its own egress. Fixes gaps of the SDK's transport:
 * - If an answer's stream breaks, or the response does not answer the request, the SDK waits until the timeout; here
 *   the request fails at once.
 * - In the 2025-11-25 revision the SDK leaves the HTTP exchange of a cancelled request open; here it is aborted.
 * - If the server's own stream cannot be reopened, the SDK stops silently; here `lost` is called.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  // Sockets are not shared between connections, so that answers cannot be mixed up.
  readonly #egress: Egress;
  readonly #requests = new Map<RequestId, AbortController>();

  /** @param lost called when a broken stream could not be reopened */
  constructor({ url, headers, allow }: HttpEndpoint, maxBytes: number, lost: () => void) {
    const egress = new Egress({ allow });
    super(url, {
      fetch: boundedFetch(egress.fetch, { maxBytes, exchange: () => sending.getStore() }),
      requestInit: { headers: { ...headers } },
      reconnectionScheduler: (reconnect, delayMs, failures) => {
        if (sending.getStore()?.signal?.aborted) return () => undefined;
        if (failures > 0) lost();
        // The server chooses the delay; without a minimum, 0 would be a tight loop.
        const timer = setTimeout(reconnect, Math.max(delayMs, MIN_RECONNECT_MS));
        timer.unref();
        return () => clearTimeout(timer);
      },
    });
    this.#egress = egress;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) {
      await sending.run({ isStream: false }, () => super.send(message, options));
      this.#heed(message);
    } else {
      await this.#request(message, options);
    }
  }

  async #request(message: JSONRPCRequest, options: SendOptions): Promise<void> {
    const { id } = message;
    const request = new AbortController();
    const exchange: Exchange = { isStream: false, signal: request.signal };
    this.#requests.set(id, request);
    const instead = (code: number, words: string) => {
      // The request was answered or cancelled already.
      if (this.#requests.get(id) !== request) return;
      this.#requests.delete(id);
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code, message: words } });
    };
    const ended = () => instead(STREAM_ENDED, 'the stream of the answer ended without the answer');
    try {
      await sending.run(exchange, () => super.send(message, { onRequestStreamEnd: ended, ...options }));
    } catch (error) {
      this.#requests.delete(id);
      throw error;
    }
    if (!exchange.isStream) instead(NOT_ANSWERED, 'what was answered is no answer to the request');
  }

  /** Must be called with every received message before it is handled. */
  readonly seen = (message: JSONRPCMessage): void => {
    if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined) {
      this.#requests.delete(message.id);
    }
  };

  override async close(): Promise<void> {
    await super.close();
    await this.#egress.close();
  }

  // Aborts the HTTP exchange of a cancelled request.
  #heed(message: JSONRPCMessage | JSONRPCMessage[]): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'] as RequestId;
    this.#requests.get(id)?.abort();
    this.#requests.delete(id);
  }
}
