import { isJSONRPCRequest, type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import { failureOf } from '@tool-search/core/adapter';
import { announcedApps } from '../announced-apps.js';
import { refusalOf } from '../protocol-error.js';
import { ExactLines } from './exact-lines.js';
import { RequestLines } from './request-lines.js';

/** Standard input and output as a transport whose end can be waited for. */
export class ClosingTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Resolves when either side has ended the connection. */
  readonly closed: Promise<void>;
  readonly lines = new ExactLines();
  /** Whether the client has announced that it is a host of MCP Apps, in the last message that says what it can do. */
  announcesApps = false;
  readonly #inner: StdioServerTransport;
  readonly #input: Readable;
  readonly #requests = new RequestLines();
  readonly #read = (chunk: Buffer | string) => this.lines.read(chunk);
  #end: () => void = () => undefined;

  constructor(input: Readable = process.stdin, output?: Writable) {
    this.#input = input;
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.#inner = new StdioServerTransport(this.#requests, output);
    this.#inner.onmessage = (message) => {
      if (isJSONRPCRequest(message)) {
        this.lines.note(message.id);
        this.announcesApps = announcedApps(message) ?? this.announcesApps;
      }
      this.onmessage?.(message);
    };
    this.#requests.refused = (message, error) => this.#refuse(message, error);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      this.#release();
      this.onclose?.();
      this.#end();
    };
  }

  start(): Promise<void> {
    this.#requests.on('data', this.#read);
    // A pipe passes on the end of its input, but neither its failure nor that it was closed.
    this.#input.on('error', this.#failed);
    this.#input.on('close', this.#ended);
    if (this.#input.readableEnded || this.#input.destroyed) this.#ended();
    else this.#input.pipe(this.#requests);
    return this.#inner.start();
  }

  /** Answers a request that is out of bounds. Anything else is only reported: nobody waits for an answer. */
  #refuse({ id, method }: Readonly<Record<string, unknown>>, error: unknown): void {
    const refusal = refusalOf(failureOf(error), ProtocolErrorCode.InvalidRequest);
    const isRequest = typeof method === 'string' && (typeof id === 'string' || Number.isInteger(id));
    if (!isRequest) return this.onerror?.(refusal);
    const { code, message, data } = refusal;
    const answer: JSONRPCMessage = { jsonrpc: '2.0', id: id as string | number, error: { code, message, data } };
    this.#inner.send(answer).catch((cause: unknown) => this.onerror?.(cause as Error));
  }

  readonly #ended = () => {
    if (!this.#requests.writableEnded) this.#requests.end();
  };
  readonly #failed = (error: Error) => void this.#requests.destroy(error);

  /** Lets a process end that has nothing else to do than to read its input. */
  #release(): void {
    this.#requests.off('data', this.#read);
    this.#input.off('error', this.#failed);
    this.#input.off('close', this.#ended);
    this.#input.unpipe(this.#requests);
    if (this.#input.listenerCount('data') === 0) this.#input.pause();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
