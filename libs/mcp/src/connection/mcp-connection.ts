import {
  type CallToolRequestParams,
  Client,
  type CompleteRequestParams,
  type ConnectOptions,
  type Progress,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { SourceAnswer } from '@tool-search/core';
import { isObject, type ToolProgress, withDeadline } from '@tool-search/core/internal';
import { type Completion, redactError, type Secrets } from '@tool-search/core/source';
import { type Endpoint, secretsOf, valuesOf } from './credentials.js';
import { cleanMessage } from '../messages/clean-message.js';
import { changeIncoming, mendMessage } from '../messages/mended-messages.js';
import { rawResult } from '../messages/sound-result.js';
import { notificationRateLimiter } from '../transport/notification-rate-limiter.js';
import { Askers, capabilitiesFor } from '../input/asker.js';
import { HttpTransport } from '../transport/http-transport.js';
import type { Following } from '../items/followed-resources.js';
import { ResourceUpdates } from '../items/resource-updates.js';
import { pageAnswer } from '../apps/page-answer.js';
import { promptAnswer, resourceAnswer } from '../items/item-answer.js';
import { followLists } from './list-subscription.js';
import type { CallerRequest, ConnectionInput, ConnectionOptions, ItemRequest, McpCall } from './connection-requests.js';
import { serverDescription } from './server-description.js';
import { StdioTransport } from '../transport/stdio-transport.js';
import { listPages, TOOL_LIST } from '../tools/tool-pages.js';
import type { ItemList } from '../items/exposed-items.js';
import { LastWords, NotConnected, BodyWords } from '../errors/error-kinds.js';
import { wordsOfBody } from '../errors/server-words.js';
import { SessionCheck, type SessionLoss } from './session-check.js';

export const CLIENT = { name: 'tool-search', version: '0.1.0' };
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Local servers of the 2025-11-25 revision may not answer the probe for the newer one. */
const MAX_STDIO_PROBE_MS = 10_000;
const COURTESY_MS = 2_000;
/** Of the SDK's own timer, which does not stop while a caller is asked: the signal of a call ends it. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Values of one completion. */
const MAX_SUGGESTIONS = 100;

/** The result of a server as it was sent, not validated. */
type ServerResult = Readonly<Record<string, unknown>>;

/** An open connection to a server, in the newest protocol revision that both sides support. */
export class McpConnection {
  #pending = 0;
  #retired = false;
  #lost = false;
  #closed: Promise<void> | undefined;
  readonly #gone = new AbortController();
  /** Redacted from errors. */
  readonly #values: Secrets;
  readonly #askers: Askers;
  readonly #updates: ResourceUpdates;
  readonly #session: SessionCheck;

  private constructor(
    private readonly client: Client,
    private readonly transport: HttpTransport | StdioTransport,
    server: Endpoint,
    private readonly input: ConnectionInput,
  ) {
    this.#askers = new Askers(client, input);
    this.#updates = new ResourceUpdates(client, this.#gone.signal);
    this.#session = new SessionCheck(client, transport, (error) => this.#explained(error));
    this.#values = valuesOf(server);
    const secrets = secretsOf(server);
    changeIncoming(transport, (message) => {
      cleanMessage(message, secrets);
      mendMessage(message, transport.open);
    });
    const guard = notificationRateLimiter();
    transport.onmessage = (message) => {
      if (transport instanceof HttpTransport) transport.seen(message);
      guard(message);
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
    { signal, timeoutMs, changed, lists, input, ended }: ConnectionOptions,
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
      capabilities: capabilitiesFor(input.methods, input.apps),
    });
    const connection: McpConnection = new McpConnection(
      client,
      isHttp
        ? new HttpTransport(server, MAX_MESSAGE_BYTES, () => connection.#lose())
        : new StdioTransport(server, MAX_MESSAGE_BYTES),
      server,
      input,
    );
    const { transport } = connection;
    const abandon = () => void transport.close().catch(() => undefined);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      await client.connect(transport, { ...era, timeout: timeoutMs, signal });
      if (changed) await followLists(client, lists, changed, connection.#gone.signal);
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

  /** Whether the server says that it has tools, resources or prompts. */
  has(capability: 'tools' | ItemList['capability']): boolean {
    return this.client.getServerCapabilities()?.[capability] !== undefined;
  }

  /** The entries of a list page by page, not validated; no page if the server has no capability for them. */
  async *listPages(
    signal: AbortSignal,
    timeoutMs: (pages: number) => number,
    list?: ItemList,
  ): AsyncGenerator<readonly unknown[]> {
    if (!this.has(list?.capability ?? 'tools')) return;
    this.#pending += 1;
    try {
      yield* listPages(this.client, list ?? TOOL_LIST, signal, timeoutMs);
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#settle();
    }
  }

  /** Runs a tool; its result is not validated. @throws the error of the SDK */
  callTool({ name, inputSchema, args, signal, asker, trace, progress }: McpCall): Promise<ServerResult> {
    return this.#counted(async () => {
      const result = await this.#askers.run({ asker, trace }, this.input.logs, (extra) =>
        this.client.callTool({ name, arguments: args, ...extra } as CallToolRequestParams, {
          signal,
          timeout: NO_TIMEOUT,
          allowInputRequired: true,
          onprogress: (update) => progress(progressOf(update)),
          // Without the output schema: the SDK would compile it with its own validator, which has no limits.
          toolDefinition: { name, inputSchema: inputSchema as Tool['inputSchema'] },
        }),
      );
      return rawResult(result);
    });
  }

  /** Reads a resource, or fills in a prompt. @throws the error of the SDK, or UnusableResult */
  read(item: ItemRequest, { signal, asker, trace }: CallerRequest): Promise<SourceAnswer> {
    const options = { signal, timeout: NO_TIMEOUT, allowInputRequired: true };
    return this.#counted(async () => {
      const result = await this.#askers.run({ asker, trace }, this.input.logs, (extra) =>
        this.client.request({ method: item.method, params: { ...item.params, ...extra } }, options),
      );
      const raw = rawResult(result);
      if (item.method === 'prompts/get') return promptAnswer(raw);
      const { uri } = item.params;
      return item.page ? pageAnswer(raw, uri, item.page) : resourceAnswer(raw, uri);
    });
  }

  /** Suggests values; none from a server that has no suggestions. @throws the error of the SDK */
  async complete(params: CompleteRequestParams, signal: AbortSignal): Promise<Completion> {
    if (!this.client.getServerCapabilities()?.completions) return { values: [] };
    const request = { method: 'completion/complete' as const, params };
    return this.#counted(async () =>
      completionOf(rawResult(await this.client.request(request, { signal, timeout: NO_TIMEOUT }))),
    );
  }

  /** Asks the server to report updates of a resource; undefined if it cannot. @throws the error of the SDK */
  async follow(uri: string, updated: () => void, timeoutMs: number): Promise<Following | undefined> {
    try {
      return await this.#updates.follow(uri, updated, timeoutMs);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** As {@link SessionCheck.lossOf}. */
  lossOf(error: unknown): Promise<SessionLoss | undefined> {
    return this.#session.lossOf(error);
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

  /** Runs a request, until whose end the connection stays open. */
  async #counted<T>(request: () => Promise<T>): Promise<T> {
    this.#pending += 1;
    try {
      return await request();
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#settle();
    }
  }

  #settle(): void {
    this.#pending -= 1;
    if (this.#retired && this.#pending === 0) void this.close();
  }

  // Adds the child's last lines on standard error, which usually explain why it exited, and what an HTTP error says.
  #explained(error: unknown): unknown {
    const { transport } = this;
    if (transport instanceof StdioTransport && error instanceof SdkError) {
      const words = transport.lastWords(this.#values);
      if (words !== '') error.cause ??= new LastWords(words);
    }
    if (error instanceof SdkHttpError && typeof error.data.text === 'string') {
      const { words, code } = wordsOfBody(error.data.text);
      error.cause ??= new BodyWords(words, code);
    }
    redactError(error, this.#values);
    return error;
  }
}

/** Suggested values, as far as they can be read: at most as many as the protocol allows. */
function completionOf({ completion }: ServerResult): Completion {
  const { values, total, hasMore } = isObject(completion) ? completion : {};
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return {
    values: texts.slice(0, MAX_SUGGESTIONS),
    ...(Number.isInteger(total) && { total: total as number }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  };
}

function progressOf({ progress, total, message }: Progress): ToolProgress {
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
}
