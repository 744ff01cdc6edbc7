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

/** Code of the error that stands for an answer that never came because its stream broke. */
export const STREAM_ENDED = -32_099;
/** Code of the error that stands for an answer that was to something else. */
export const NOT_ANSWERED = -32_098;

type HttpEndpoint = Extract<Endpoint, { url: URL }>;
type SendOptions = Exclude<Parameters<StreamableHTTPClientTransport['send']>[1], undefined> & TransportSendOptions;

/** One message on its way. */
interface Exchange {
  /** Whether what was answered is a stream of events. */
  isStream: boolean;
  /** Aborts when nobody wants the answer any more. */
  readonly signal?: AbortSignal;
}

// What the SDK's transport does not hand on: which message a fetch, or a stream that is to be opened again, belongs to. A signal
// among its own options would be joined with the connection's by AbortSignal.any(), which leaks on Node 20.
const sending = new AsyncLocalStorage<Exchange>();
const MIN_RECONNECT_MS = 1_000;

/**
 * Streamable HTTP that goes through an egress of its own and says when it has lost something. The SDK's transport lets a
 * request wait for its timeout when the stream of its answer breaks or when what comes is no answer to it, leaves the exchange
 * of a request that was given up open where the protocol is the older one, and gives the server's own stream up in silence.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  // Its sockets are never shared with another connection, whose answers could be mixed up with ours.
  readonly #egress: Egress;
  readonly #requests = new Map<RequestId, AbortController>();

  /** @param lost called when a stream that broke could not be opened again */
  constructor({ url, headers, allow }: HttpEndpoint, maxBytes: number, lost: () => void) {
    const egress = new Egress({ allow });
    super(url, {
      fetch: boundedFetch(egress.fetch, { maxBytes, exchange: () => sending.getStore() }),
      requestInit: { headers: { ...headers } },
      reconnectionScheduler: (reconnect, delayMs, failures) => {
        if (sending.getStore()?.signal?.aborted) return () => undefined;
        if (failures > 0) lost();
        // A server may ask for any wait, and none at all would be a tight loop.
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
      // After an answer, or once nobody waits for one, there is nothing to say.
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

  /** To be told of every message that arrives, before it is handled. */
  readonly seen = (message: JSONRPCMessage): void => {
    if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined) {
      this.#requests.delete(message.id);
    }
  };

  override async close(): Promise<void> {
    await super.close();
    await this.#egress.close();
  }

  // A request that was given up must not keep its exchange open.
  #heed(message: JSONRPCMessage | JSONRPCMessage[]): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'] as RequestId;
    this.#requests.get(id)?.abort();
    this.#requests.delete(id);
  }
}
