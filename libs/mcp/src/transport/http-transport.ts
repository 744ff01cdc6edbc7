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
import { traceHeaders } from '@tool-search/core/internal';
import { Egress } from '@tool-search/core/source';
import { boundedFetch } from './bounded-fetch.js';
import type { Endpoint } from '../connection/credentials.js';
import { OpenRequests } from '../messages/mended-messages.js';
import { NOT_ANSWERED, soundEnvelope } from '../messages/sound-envelope.js';
import { traceOfMessage } from './trace-of-message.js';

/** JSON-RPC error code for an answer lost because its stream ended. */
export const STREAM_ENDED = -32_099;

type HttpEndpoint = Extract<Endpoint, { url: URL }>;
type SendOptions = Exclude<Parameters<StreamableHTTPClientTransport['send']>[1], undefined> & TransportSendOptions;

interface Exchange {
  readonly id: RequestId;
  isStream: boolean;
  /** Aborts when the request is cancelled. */
  readonly signal: AbortSignal;
  readonly cancel: () => void;
  /** Id of the newest event of its stream, from which the SDK would resume it. */
  lastEvent?: string;
}

// Tells `fetch` which message a request of the SDK is for; never sent. A signal in the SDK's own options would be joined
// with the connection's signal by `AbortSignal.any()`, which leaks on Node 20, and async local storage slows down every
// promise of the process there.
const EXCHANGE_HEADER = 'x-exchange';
const MIN_RECONNECT_MS = 1_000;
// Streams whose request was cancelled, and which the SDK may still try to resume.
const MAX_ENDED_STREAMS = 1_000;

/**
 * Streamable HTTP transport with its own egress. Fixes gaps of the SDK's transport:
 * - If an answer's stream breaks, or the response does not answer the request, the SDK waits until the timeout; here
 *   the request fails at once.
 * - In the 2025-11-25 revision the SDK leaves the HTTP exchange of a cancelled request open; here it is aborted.
 * - If the server's own stream cannot be reopened, the SDK stops silently; here `lost` is called.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly open = new OpenRequests();
  // Sockets are not shared between connections, so that answers cannot be mixed up.
  readonly #egress: Egress;
  readonly #operatorHeaders: Headers;
  readonly #requests = new Map<RequestId, Exchange>();
  /** Exchanges whose response has not begun, by the value of {@link EXCHANGE_HEADER}. */
  readonly #sending = new Map<string, Exchange>();
  readonly #endedStreams = new Set<string>();
  #sent = 0;

  /** @param lost called when a broken stream could not be reopened */
  constructor({ url, headers, allow }: HttpEndpoint, maxBytes: number, lost: () => void) {
    const egress = new Egress({ allow });
    const send = boundedFetch(egress.request, {
      maxBytes,
      exchange: (init) => this.#exchangeOf(init),
      // A response to a request can answer only this request.
      mend: (message, exchange) => soundEnvelope(message, exchange?.id),
    });
    super(url, {
      fetch: async (target, init) =>
        this.#resumesEnded(init) ? new Response(null, { status: 405 }) : send(target, init),
      requestInit: { headers: { ...headers } },
      reconnectionScheduler: (reconnect, delayMs, failures) => {
        if (failures > 0) lost();
        // The server chooses the delay; without a minimum, 0 would be a tight loop.
        const timer = setTimeout(reconnect, Math.max(delayMs, MIN_RECONNECT_MS));
        timer.unref();
        return () => clearTimeout(timer);
      },
    });
    this.#egress = egress;
    this.#operatorHeaders = new Headers(headers);
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (!Array.isArray(message) && isJSONRPCRequest(message)) return this.#request(message, options);
    await super.send(message, options);
    this.#heed(message);
  }

  async #request(message: JSONRPCRequest, options: SendOptions): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    const exchange: Exchange = { id, isStream: false, signal: controller.signal, cancel: () => controller.abort() };
    this.#requests.set(id, exchange);
    this.open.add(message);
    options.requestSignal?.addEventListener('abort', () => this.#forget(id), { once: true });
    const instead = (code: number, words: string) => {
      // The request was answered or cancelled already.
      if (this.#requests.get(id) !== exchange) return;
      this.#requests.delete(id);
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code, message: words } });
    };
    const trace = traceHeaders(traceOfMessage(message), this.#operatorHeaders);
    const key = String(++this.#sent);
    this.#sending.set(key, exchange);
    try {
      await super.send(message, {
        onRequestStreamEnd: () => instead(STREAM_ENDED, 'the stream of the answer ended without the answer'),
        ...options,
        headers: { ...options.headers, ...trace, [EXCHANGE_HEADER]: key },
        onresumptiontoken: (eventId) => {
          exchange.lastEvent = eventId;
          options.onresumptiontoken?.(eventId);
        },
      });
    } catch (error) {
      this.#forget(id);
      throw error;
    } finally {
      this.#sending.delete(key);
    }
    if (!exchange.isStream) instead(NOT_ANSWERED, 'what was answered is no answer to the request');
  }

  #forget(id: RequestId): void {
    this.#requests.delete(id);
    this.open.delete(id);
  }

  #exchangeOf(init: RequestInit | undefined): Exchange | undefined {
    if (!(init?.headers instanceof Headers)) return undefined;
    const key = init.headers.get(EXCHANGE_HEADER);
    if (key === null) return undefined;
    init.headers.delete(EXCHANGE_HEADER);
    return this.#sending.get(key);
  }

  // The SDK resumes a stream that has broken, also if it broke because its request was cancelled.
  #resumesEnded(init: RequestInit | undefined): boolean {
    if (init?.method !== 'GET' || !(init.headers instanceof Headers)) return false;
    const eventId = init.headers.get('last-event-id');
    return eventId !== null && this.#endedStreams.delete(eventId);
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
    const exchange = this.#requests.get(id);
    if (!exchange) return;
    this.#forget(id);
    if (exchange.lastEvent !== undefined && this.#endedStreams.size < MAX_ENDED_STREAMS) {
      this.#endedStreams.add(exchange.lastEvent);
    }
    exchange.cancel();
  }
}
