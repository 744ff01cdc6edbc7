import {
  Client,
  type ClientCapabilities,
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { PassThrough } from 'node:stream';
import { type Era, MODERN_VERSION } from './wire.js';

/** The two streams between a client and a server over standard input and output. */
export class Pipes implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #buffer = new ReadBuffer();

  constructor(
    readonly toServer: PassThrough,
    readonly fromServer: PassThrough,
  ) {}

  async start(): Promise<void> {
    this.fromServer.on('data', (chunk: Buffer) => {
      this.#buffer.append(chunk);
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage()) {
        this.onmessage?.(message);
      }
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.toServer.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.toServer.end();
    this.onclose?.();
  }
}

/** A client of the SDK that speaks one era. */
export function clientOf(era: Era, capabilities: ClientCapabilities = {}): Client {
  return new Client(
    { name: 'pipes', version: '1' },
    { capabilities, versionNegotiation: { mode: era === 'modern' ? { pin: MODERN_VERSION } : 'legacy' } },
  );
}
