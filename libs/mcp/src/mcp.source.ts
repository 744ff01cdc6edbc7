import {
  isObject,
  type Loading,
  type SourceAnswer,
  type SourceLimits,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import { McpConnection } from './mcp-connection.js';
import { type McpHttpServer, type McpSourceOptions, type McpStdioServer, serverOf } from './mcp-source-options.js';
import { sourceAnswer } from './source-answer.js';
import { Throttle } from './throttle.js';
import { type McpTool, toolReader } from './tool-declaration.js';
import { underSignals } from './under-signals.js';
import { callFailure, loadFailure, unavailable } from './upstream-failure.js';

const DEFAULT_LOAD_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_TOOLS = 1_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
const CHANGE_INTERVAL_MS = 1_000;

/**
 * An MCP server as a source of tools, over stdio or Streamable HTTP, in the 2025-11-25 and 2026-07-28 revisions of the
 * protocol. It connects at the first `load()` or `call()` and again whenever a connection has ended. Nothing of the
 * context is sent to the server.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export class McpSource implements ToolSource {
  readonly name: string;
  readonly owner?: string;
  readonly loading: Loading;
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs: number;
  readonly limits?: SourceLimits;

  // Private to the engine too, so that no log of a source can show headers or environment.
  readonly #server: McpHttpServer | McpStdioServer;
  readonly #ownDescription: string | undefined;
  #description: string | undefined;
  #connection: Promise<McpConnection> | undefined;
  #tools: ReadonlyMap<string, McpTool> = new Map();
  #closed: Promise<void> | undefined;
  readonly #connections = new Set<Promise<McpConnection>>();
  readonly #closing = new AbortController();
  readonly #watchers = new Set<() => void>();
  readonly #changes = new Throttle(() => this.#watchers.forEach((changed) => changed()), CHANGE_INTERVAL_MS);
  readonly #read: (raw: unknown) => McpTool | undefined;

  constructor(options: McpSourceOptions) {
    this.#server = serverOf(options);
    this.name = options.name;
    this.loading = options.loading ?? 'deferred';
    this.loadTimeoutMs = options.loadTimeoutMs ?? DEFAULT_LOAD_TIMEOUT_MS;
    this.owner = options.owner;
    this.callTimeoutMs = options.callTimeoutMs;
    this.limits = options.limits;
    this.#read = toolReader(options);
    this.#ownDescription = options.description;
  }

  /** The operator's description, else what the server said of itself at the last load. */
  get description(): string | undefined {
    return this.#ownDescription ?? this.#description;
  }

  /** @throws ToolSearchError `SOURCE_UNAVAILABLE`, `SOURCE_LIMIT` or `UPSTREAM_INVALID` */
  load(signal: AbortSignal): Promise<readonly ToolDeclaration[]> {
    return underSignals([signal, this.#closing.signal], (either) => this.#load(either));
  }

  async #load(signal: AbortSignal): Promise<readonly ToolDeclaration[]> {
    let connection: McpConnection | undefined;
    try {
      connection = await this.#connect(signal);
      const tools = await this.#list(connection, signal);
      this.#description = connection.description;
      this.#tools = new Map(tools.map((tool) => [tool.declaration.name, tool]));
      return tools.map((tool) => tool.declaration);
    } catch (error) {
      // The next load begins anew: a server that hangs, or that was replaced, is not asked twice in the same way.
      connection?.retire();
      throw loadFailure(this.name, error);
    }
  }

  watch(changed: () => void): () => void {
    // Wrapped, so that one function may watch twice.
    const watcher = () => changed();
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /**
   * @throws ToolSearchError `SOURCE_UNAVAILABLE`, `INVALID_ARGUMENTS`, `TOOL_FAILED`, `TOOL_TIMEOUT`, `UPSTREAM_INVALID`
   * or `UPSTREAM_TOO_LARGE`; the reason of the signal when it aborts
   */
  call(name: string, input: unknown, _context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    return underSignals([call.signal, this.#closing.signal], (signal) => this.#call(name, input, call, signal));
  }

  async #call(name: string, input: unknown, call: ToolCall, signal: AbortSignal): Promise<SourceAnswer> {
    const { rawName, inputSchema } = this.#tools.get(name) ?? { rawName: name, inputSchema: undefined };
    const runOn = async (connection: McpConnection) => {
      signal.throwIfAborted();
      const timeoutMs = Math.min(Math.max(call.deadline - Date.now(), 1), MAX_TIMER_MS);
      const progress = call.progress.bind(call);
      const args = isObject(input) ? input : {};
      return sourceAnswer(await connection.callTool({ name: rawName, inputSchema, args, signal, timeoutMs, progress }));
    };
    try {
      const connection = await this.#connect(signal);
      try {
        return await runOn(connection);
      } catch (error) {
        if (signal.aborted || !(await connection.isForgotten(error))) throw error;
        connection.retire();
        return await runOn(await this.#connect(signal));
      }
    } catch (error) {
      call.signal.throwIfAborted();
      throw callFailure(this.name, this.#closing.signal.aborted ? this.#closing.signal.reason : error);
    }
  }

  /** Rejects what is running and ends the child process. Final and idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#watchers.clear();
    this.#changes.stop();
    this.#closing.abort(unavailable(this.name, new Error('the source has been closed')));
    const opened = await Promise.allSettled(this.#connections);
    await Promise.all(opened.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value.close()] : [])));
  }

  async #list(connection: McpConnection, signal: AbortSignal): Promise<readonly McpTool[]> {
    const limit = this.limits?.tools ?? DEFAULT_MAX_TOOLS;
    const tools: McpTool[] = [];
    for await (const page of connection.toolPages(signal, this.loadTimeoutMs)) {
      for (const raw of page) {
        const tool = this.#read(raw);
        if (tool) tools.push(tool);
      }
      if (tools.length > limit) {
        const message = `Source ${this.name} brought more than its limit of ${limit} tools.`;
        const hint = 'Narrow the source with include or exclude, or raise limits.tools for it.';
        throw new ToolSearchError('SOURCE_LIMIT', message, { hint });
      }
    }
    return tools;
  }

  /** The live connection, or a new one; giving up waiting does not give up the connection, others may wait for it. */
  async #connect(signal: AbortSignal): Promise<McpConnection> {
    for (;;) {
      signal.throwIfAborted();
      const opening = (this.#connection ??= this.#open());
      const connection = await orAborted(opening, signal);
      if (!connection.isOver) return connection;
      if (this.#connection === opening) this.#connection = undefined;
    }
  }

  #open(): Promise<McpConnection> {
    const { loadTimeoutMs } = this;
    const open = (signal: AbortSignal): Promise<McpConnection> =>
      McpConnection.open(this.#server, {
        signal,
        timeoutMs: loadTimeoutMs,
        changed: () => this.#changes.request(),
        ended: () => {
          this.#forget(opening);
          if (!this.#closing.signal.aborted) this.#changes.request();
        },
      });
    const opening = underSignals([this.#closing.signal], open, loadTimeoutMs);
    this.#connections.add(opening);
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  #forget(opening: Promise<McpConnection>): void {
    this.#connections.delete(opening);
    if (this.#connection === opening) this.#connection = undefined;
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
