import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';

/** Standard input and output as a transport whose end can be waited for. */
export class ClosingTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Resolves when either side has ended the connection. */
  readonly closed: Promise<void>;
  readonly #inner: StdioServerTransport;
  #end: () => void = () => undefined;

  constructor(input?: Readable, output?: Writable) {
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.#inner = new StdioServerTransport(input, output);
    this.#inner.onmessage = (message) => this.onmessage?.(message);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      this.onclose?.();
      this.#end();
    };
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
