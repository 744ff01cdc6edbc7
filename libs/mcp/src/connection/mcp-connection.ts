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
import { Secrets, withDeadline } from '@tool-search/core/egress';
import { redactError } from '../errors/redact-error.js';
import type { Endpoint } from './credentials.js';
import { notificationRateLimiter } from '../transport/notification-rate-limiter.js';
import { HttpTransport } from '../transport/http-transport.js';
import { followToolList } from './list-subscription.js';
import { serverDescription } from './server-description.js';
import { StdioTransport } from '../transport/stdio-transport.js';
import { layToolsAside, toolPages } from '../tools/tool-pages.js';
import { isOutdated, LastWords, NotConnected } from '../errors/mcp-errors.js';

export interface ConnectionOptions {
  readonly signal: AbortSignal;
  /** Timeout of each request during opening, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Called when the server announces changed tools, or when an announcement may have been missed. Without it, the
   * connection does not subscribe to changes.
   */
  readonly changed?: (() => void) | undefined;
  /** Called once, when the connection has ended. `unasked` is true unless this side closed it. */
  readonly ended: (unasked: boolean) => void;
}

export interface McpCall {
  readonly name: string;
  /** The schema as the server sent it; undefined if unknown. */
  readonly inputSchema: unknown;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly progress: (update: ToolProgress) => void;
}

export const CLIENT = { name: 'tool-search', version: '0.1.0' };
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Local servers of the 2025-11-25 revision may not answer the probe for the newer one. */
const MAX_STDIO_PROBE_MS = 10_000;
const COURTESY_MS = 2_000;

/** An open connection to a server, in the newest protocol revision that both sides support. */
export class McpConnection {
  #pending = 0;
  #retired = false;
  #lost = false;
  #closed: Promise<void> | undefined;
  readonly #gone = new AbortController();
  readonly #secrets = new Secrets();

  private constructor(
    private readonly client: Client,
    private readonly transport: HttpTransport | StdioTransport,
    values: readonly string[],
  ) {
    for (const value of values) this.#secrets.addValue(value);
    const guard = notificationRateLimiter();
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

  /** @throws NotConnected if the server cannot be reached; its cause is the error of the SDK or the system */
  static async open(server: Endpoint, options: ConnectionOptions): Promise<McpConnection> {
    try {
      return await McpConnection.#attempt(server, options, {});
    } catch (error) {
      // Some servers of the 2025-11-25 revision exit on the probe for the newer one: start them again, without the
      // probe.
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

  /** Whether the connection accepts no new requests, because it has ended or is only finishing running calls. */
  get isOver(): boolean {
    return this.#retired || this.#gone.signal.aborted;
  }

  /** The server's self-description; undefined if it sent none. */
  get description(): string | undefined {
    return serverDescription(this.client);
  }

  /** The server's tools page by page, not validated; no page if the server has no tools capability. */
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

  /** Runs a tool. @throws the error of the SDK */
  async callTool({ name, inputSchema, args, signal, timeoutMs, progress }: McpCall): Promise<CallToolResult> {
    this.#pending += 1;
    try {
      return await this.client.callTool(
        { name, arguments: args },
        {
          signal,
          timeout: timeoutMs,
          onprogress: (update) => progress(progressOf(update)),
          // Without the output schema: the SDK would compile it with its own validator, which has no limits.
          toolDefinition: { name, inputSchema: inputSchema as Tool['inputSchema'] },
        },
      );
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#settle();
    }
  }

  /** Whether an error means that the server has lost this session and therefore has not run the call. */
  async isForgotten(error: unknown): Promise<boolean> {
    if (isOutdated(error)) return true;
    if (!(error instanceof SdkHttpError) || this.transport instanceof StdioTransport) return false;
    if (this.transport.sessionId === undefined) return false;
    if (error.status === 404) return true;
    // Many servers answer 400 to an unknown session; a ping distinguishes that from a bad request.
    return error.status === 400 && !(await this.#answersPing());
  }

  /** Closes the connection after its running calls. Resolves at once while calls are running. */
  async retire(): Promise<void> {
    this.#retired = true;
    if (this.#pending === 0) await this.close();
  }

  #lose(): void {
    this.#lost ||= !this.#retired;
    void this.retire();
  }

  /** Closes the connection now and ends its child process. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#retired = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { client, transport } = this;
    const settled = (work: () => Promise<void>) => withDeadline(COURTESY_MS, work).catch(() => undefined);
    if (transport instanceof HttpTransport) await settled(() => transport.terminateSession());
    await client.close().catch(() => undefined);
    // If connecting failed early, the client does not own the transport and does not close it.
    await transport.close().catch(() => undefined);
    // The SDK does not wait for a process that it had to kill.
    if (transport instanceof StdioTransport && transport.hasStarted) await settled(() => this.#goneAway());
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

  // Adds the child's last lines on standard error, which usually explain why it exited.
  #explained(error: unknown): unknown {
    const { transport } = this;
    if (transport instanceof StdioTransport && transport.lastWords !== '' && error instanceof SdkError) {
      error.cause ??= new LastWords(transport.lastWords);
    }
    redactError(error, this.#secrets);
    return error;
  }
}

function progressOf({ progress, total, message }: Progress): ToolProgress {
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
}
