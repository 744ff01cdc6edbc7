import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.js';
import type { McpHttpServer } from './mcp-source-options.js';

/** Code of the error that stands for an answer that never came because its stream broke. */
export const STREAM_ENDED = -32_099;

/**
 * Streamable HTTP that says when it has lost something. The SDK's transport lets a request wait for its timeout when
 * the stream of its answer breaks, and gives the server's own stream up in silence.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** @param lost called when a stream that broke could not be opened again */
  constructor({ url, headers }: McpHttpServer, maxMessageBytes: number, lost: () => void) {
    super(new URL(url), {
      fetch: boundedFetch(maxMessageBytes),
      requestInit: { headers: { ...headers } },
      reconnectionScheduler: (reconnect, delayMs, failures) => {
        if (failures > 0) lost();
        const timer = setTimeout(reconnect, delayMs);
        timer.unref();
        return () => clearTimeout(timer);
      },
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options.onRequestStreamEnd) {
      return super.send(message, options);
    }
    const { id } = message;
    const error = { code: STREAM_ENDED, message: 'the stream of the answer ended without the answer' };
    return super.send(message, {
      ...options,
      // After an answer this speaks of a request that nobody waits for any more, and is ignored.
      onRequestStreamEnd: () => this.onmessage?.({ jsonrpc: '2.0', id, error }),
    });
  }
}

type SendOptions = Exclude<Parameters<StreamableHTTPClientTransport['send']>[1], undefined> & TransportSendOptions;
