import {
  type CallToolResult,
  Client,
  type ConnectOptions,
  type Progress,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { ToolProgress } from '@tool-search/core';
import { atMost } from './at-most.js';
import { cleanError } from '../errors/clean-error.js';
import type { Endpoint } from './credentials.js';
import { floodGuard } from '../transport/flood-guard.js';
import { HttpTransport } from '../transport/http-transport.js';
import { followToolList } from './list-subscription.js';
import { serverDescription } from './server-description.js';
import { StdioTransport } from '../transport/stdio-transport.js';
import { layToolsAside, toolPages } from '../tools/tool-pages.js';
import { isOutdated, LastWords, NotConnected } from '../errors/upstream-failure.js';

/** How a connection is opened and whom it tells. */
export interface ConnectionOptions {
  /** Gives the connection up while it is being opened. */
  readonly signal: AbortSignal;
  /** Milliseconds that one request of opening may take. */
  readonly timeoutMs: number;
  /** The server said that its tools changed, or may have said so unheard. Left out, it is not listened to. */
  readonly changed?: (() => void) | undefined;
  /** Called once, when the connection has ended; whether it ended without our doing. */
  readonly ended: (unasked: boolean) => void;
}

/** One call of a tool as a server gets it. */
export interface McpCall {
  /** As the server knows it. */
  readonly name: string;
  /** As the server sent it, if it is known. */
  readonly inputSchema: unknown;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly progress: (update: ToolProgress) => void;
}

/** How we introduce ourselves to servers. */
export const CLIENT = { name: 'tool-search', version: '0.1.0' };
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** A local server of the older protocol may keep silent when asked for the newer one. */
const MAX_STDIO_PROBE_MS = 10_000;
const COURTESY_MS = 2_000;

/** A live connection to a server, in whichever revision of the protocol the two agreed on. */
export class McpConnection {
  #pending = 0;
  #retired = false;
  #lost = false;
  #closed: Promise<void> | undefined;
  readonly #gone = new AbortController();

  private constructor(
    private readonly client: Client,
    private readonly transport: HttpTransport | StdioTransport,
    private readonly secrets: readonly string[],
  ) {
    const guard = floodGuard();
    transport.onmessage = (message) => {
      if (transport instanceof HttpTransport) transport.seen(message);
      guard(message);
      layToolsAside(message);
    };
    transport.onclose = () => {
      this.#lost ||= !this.#retired;
      this.#gone.abort();
    };
  }

  /** @throws NotConnected with whatever the SDK or the system reports when the server cannot be reached */
  static async open(server: Endpoint, options: ConnectionOptions): Promise<McpConnection> {
    try {
      return await McpConnection.#attempt(server, options, {});
    } catch (error) {
      // A server of the older protocol may end when asked for the newer one; it is started again and not asked.
      const { cause } = error as Error;
      const endedByQuestion = cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
      if ('url' in server || !endedByQuestion || options.signal.aborted) throw error;
      return McpConnection.#attempt(server, options, { prior: { kind: 'legacy' } });
    }
  }

  static async #attempt(
    server: Endpoint,
    { signal, timeoutMs, changed, ended }: ConnectionOptions,
    era: Pick<ConnectOptions, 'prior'>,
  ): Promise<McpConnection> {
    signal.throwIfAborted();
    const isHttp = 'url' in server;
    const client = new Client(CLIENT, {
      versionNegotiation: {
        mode: 'auto',
        probe: { timeoutMs: isHttp ? timeoutMs : Math.min(timeoutMs / 3, MAX_STDIO_PROBE_MS) },
      },
      inputRequired: { autoFulfill: false },
    });
    const connection: McpConnection = new McpConnection(
      client,
      isHttp
        ? new HttpTransport(server, MAX_MESSAGE_BYTES, () => connection.#lose())
        : new StdioTransport(server, MAX_MESSAGE_BYTES),
      Object.values(isHttp ? server.headers : server.env),
    );
    const { transport } = connection;
    const abandon = () => void transport.close().catch(() => undefined);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      await client.connect(transport, { ...era, timeout: timeoutMs, signal });
      if (changed) await followToolList(client, changed, connection.#gone.signal);
      signal.throwIfAborted();
    } catch (error) {
      await connection.close();
      throw new NotConnected(connection.#explained(error));
    } finally {
      signal.removeEventListener('abort', abandon);
    }
    const end = () => ended(connection.#lost);
    if (connection.#gone.signal.aborted) end();
    else connection.#gone.signal.addEventListener('abort', end, { once: true });
    return connection;
  }

  /** Whether nothing new may be sent here: the connection has ended, or is only finishing what runs on it. */
  get isOver(): boolean {
    return this.#retired || this.#gone.signal.aborted;
  }

  /** What the server says of itself, or undefined when it says nothing. */
  get description(): string | undefined {
    return serverDescription(this.client);
  }

  /** The server's tools page by page, unchecked; no page when it has none. */
  async *toolPages(signal: AbortSignal, timeoutMs: number): AsyncGenerator<readonly unknown[]> {
    if (!this.client.getServerCapabilities()?.tools) return;
    this.#pending += 1;
    try {
      yield* toolPages(this.client, signal, timeoutMs);
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#settle();
    }
  }

  /** Runs a tool; whatever goes wrong is thrown as the SDK reports it. */
  async callTool({ name, inputSchema, args, signal, timeoutMs, progress }: McpCall): Promise<CallToolResult> {
    this.#pending += 1;
    try {
      return await this.client.callTool(
        { name, arguments: args },
        {
          signal,
          timeout: timeoutMs,
          onprogress: (update) => progress(progressOf(update)),
          // Without an output schema: the SDK would compile it with an engine of its own, without our bounds.
          toolDefinition: { name, inputSchema: inputSchema as Tool['inputSchema'] },
        },
      );
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#settle();
    }
  }

  /** Whether an error means that the server does not know this connection any more, and so has not run the call. */
  async isForgotten(error: unknown): Promise<boolean> {
    if (isOutdated(error)) return true;
    if (!(error instanceof SdkHttpError) || this.transport instanceof StdioTransport) return false;
    if (this.transport.sessionId === undefined) return false;
    if (error.status === 404) return true;
    // Many servers answer 400 to a session they do not know; a second question tells that from a bad request.
    return error.status === 400 && !(await this.#answersPing());
  }

  /** Ends the connection as soon as the calls that run on it have ended. Resolves at once where some do. */
  async retire(): Promise<void> {
    this.#retired = true;
    if (this.#pending === 0) await this.close();
  }

  #lose(): void {
    this.#lost ||= !this.#retired;
    void this.retire();
  }

  /** Ends the connection now, and with it the child process. Idempotent, never throws. */
  close(): Promise<void> {
    this.#retired = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { client, transport } = this;
    if (transport instanceof HttpTransport) await atMost(COURTESY_MS, transport.terminateSession());
    await client.close().catch(() => undefined);
    // A client that never got as far as to own its transport does not close it.
    await transport.close().catch(() => undefined);
    // The SDK does not wait for a process that it had to kill.
    if (transport instanceof StdioTransport && transport.hasStarted) await atMost(COURTESY_MS, this.#goneAway());
    this.#gone.abort();
  }

  #goneAway(): Promise<void> {
    const { signal } = this.#gone;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #settle(): void {
    this.#pending -= 1;
    if (this.#retired && this.#pending === 0) void this.close();
  }

  #answersPing(): Promise<boolean> {
    return this.client.ping({ timeout: COURTESY_MS }).then(
      () => true,
      () => false,
    );
  }

  // For whoever reads the log: a process that ends mostly says why on its standard error.
  #explained(error: unknown): unknown {
    const { transport } = this;
    if (transport instanceof StdioTransport && transport.lastWords !== '' && error instanceof SdkError) {
      error.cause ??= new LastWords(transport.lastWords);
    }
    cleanError(error, this.secrets);
    return error;
  }
}

function progressOf({ progress, total, message }: Progress): ToolProgress {
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
}
