import {
  type JsonObject,
  type LoadOptions,
  type SourceAnswer,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import type { Completion, CompletionRequest, ListedResources } from '@tool-search/core/source';
import {
  type ChangePolicy,
  type ExposedKind,
  type InspectionMode,
  isObject,
  type Loading,
  namedLoopback,
  type SourceLimits,
  type UserTokens,
  withLinkedSignal,
} from '@tool-search/core/internal';
import { type Access, accessTo, allowedPlaces, sharesTraces } from './connection/credentials.js';
import { UserAccess } from './connection/user-access.js';
import { OAuthAuthorizer } from './oauth/oauth-authorizer.js';
import { askToConnect } from './input/ask-to-connect.js';
import { itemRequest } from './items/item-request.js';
import { FollowedResources, type Following } from './items/followed-resources.js';
import { exposedKinds, exposedLists } from './items/exposed-items.js';
import { allowedMethods, type InputSettings } from './input/asker.js';
import { askedCall } from './input/call-asker.js';
import type { Questioner } from './input/plain-question.js';
import { ListedTools } from './tools/listed-tools.js';
import { LiveConnections } from './connection/live-connections.js';
import { checkedOptions, type McpSourceOptions } from './mcp-source-options.js';
import { ServerLists } from './tools/server-lists.js';
import { sourceAnswer } from './tools/source-answer.js';
import { Throttle } from './connection/throttle.js';
import { callFailure, loadFailure, unavailable } from './errors/mcp-errors.js';

const CHANGE_INTERVAL_MS = 1_000;

/**
 * An MCP server as a source of tools, over stdio or Streamable HTTP, in the protocol revisions 2025-11-25 and
 * 2026-07-28. Connects at the first `load()` or `call()`, and again after a connection has ended. The server learns
 * nothing of the context except the values that the application's `headers` or `env` function returns.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export class McpSource implements ToolSource {
  readonly name: string;
  readonly owner?: string;
  readonly loading: Loading;
  readonly changes: ChangePolicy;
  readonly inspection?: InspectionMode;
  readonly lazy: boolean;
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs: number;
  readonly limits?: SourceLimits;
  readonly exposes: readonly ExposedKind[];

  // `#private` at runtime too, so that logging a source never shows headers or environment.
  readonly #access: UserAccess;
  readonly #authorizer: OAuthAuthorizer | undefined;
  readonly #ownDescription: string | undefined;
  readonly #refreshEveryMs: number | undefined;
  readonly #live: LiveConnections;
  readonly #tools: ListedTools;
  readonly #lists: ServerLists;
  readonly #followed = new FollowedResources((access, uri, updated) => this.#follow(access, uri, updated));
  readonly #input: InputSettings | undefined;
  readonly #sharesTraces: boolean;
  #closed: Promise<void> | undefined;
  #polling: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  readonly #watchers = new Set<() => void>();
  readonly #changes = new Throttle(() => this.#watchers.forEach((changed) => changed()), CHANGE_INTERVAL_MS);

  constructor(options: McpSourceOptions) {
    const { server, maxConnections, idleMs, ...settings } = checkedOptions(options);
    this.name = settings.name;
    this.loading = settings.loading;
    this.changes = settings.changes;
    this.inspection = settings.inspection;
    this.lazy = settings.lazy;
    this.loadTimeoutMs = settings.loadTimeoutMs;
    this.owner = settings.owner;
    this.callTimeoutMs = settings.callTimeoutMs;
    this.limits = settings.limits;
    this.exposes = exposedKinds(settings.expose);
    this.#input = settings.input;
    this.#ownDescription = settings.description;
    this.#refreshEveryMs = settings.refreshEveryMs;
    this.#tools = new ListedTools(settings);
    const lists = exposedLists(settings.expose);
    this.#lists = new ServerLists(settings, this.#tools, lists);
    const isOwned = Boolean(settings.owner);
    const isPerUser = 'url' in server && server.auth === 'user';
    this.#authorizer = isPerUser
      ? new OAuthAuthorizer(new URL(server.url), allowedPlaces(server, isOwned), server.oauth ?? {})
      : undefined;
    this.#sharesTraces = sharesTraces(server, isOwned, settings.propagate);
    this.#access = new UserAccess({
      source: settings.name,
      base: accessTo(server, isOwned),
      isPerUser,
      listAs: 'url' in server ? server.listAs : undefined,
      disconnected: (holder) => void this.#live.renew(holder),
    });
    this.#live = new LiveConnections({
      access: this.#access,
      lists,
      input: {
        methods: allowedMethods(settings.input),
        logs: this.exposes.includes('logging'),
        apps: this.exposes.includes('apps'),
      },
      loadTimeoutMs: this.loadTimeoutMs,
      lazy: this.lazy,
      maxConnections,
      idleMs,
      changed: () => this.#changes.request(),
      closing: this.#closing.signal,
    });
  }

  /** Connects users' accounts, with `auth: 'user'`. */
  get authorizer(): OAuthAuthorizer | undefined {
    return this.#authorizer;
  }

  useTokens(tokens: UserTokens): void {
    this.#access.use(tokens, () => this.#changes.request());
  }

  /** The operator's description; otherwise the server's self-description at the last load. */
  get description(): string | undefined {
    return this.#ownDescription ?? this.#tools.server;
  }

  /** @throws ToolSearchError `SOURCE_UNAVAILABLE`, `SOURCE_LIMIT` or `UPSTREAM_INVALID` */
  load(signal: AbortSignal, { anew = false }: LoadOptions = {}): Promise<readonly ToolDeclaration[]> {
    return withLinkedSignal([signal, this.#closing.signal], (either) => this.#load(either, anew));
  }

  async #load(signal: AbortSignal, anew: boolean): Promise<readonly ToolDeclaration[]> {
    const until = performance.now() + this.loadTimeoutMs;
    // A second load is compared with the first one, which counts.
    if (!anew) this.#lists.begin();
    try {
      signal.throwIfAborted();
      return await this.#live.load(signal, anew, (connection, isAgain) =>
        this.#lists.read(connection, { signal, until, isAgain }),
      );
    } catch (error) {
      throw loadFailure(this.name, error);
    }
  }

  /** Why the last load lists only a part of the tools. */
  incomplete(): ToolSearchError | undefined {
    return this.#lists.broken;
  }

  /** What an operator should know of the last load, although nothing failed. */
  hint(): string | undefined {
    return this.#lists.hint;
  }

  /** Rebuilds declarations by the current settings from the origins of earlier declarations, without connecting. */
  restore(origins: readonly JsonObject[]): readonly ToolDeclaration[] {
    return this.#tools.restore(origins);
  }

  /** Tools that the last load left out, with the reason. */
  leftOut(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#tools.leftOut;
  }

  /** Whether the server may list this URI as a resource, exposed or not. A lazy source asks it now, if it has not yet. */
  withholds(uri: string): boolean {
    this.#readIfLazy();
    return this.#tools.lists(uri);
  }

  /** What the server lists as resources and templates, exposed or not. A lazy source asks it now, if it has not yet. */
  listed(): ListedResources | undefined {
    this.#readIfLazy();
    return this.#tools.listed;
  }

  watch(changed: () => void): () => void {
    // Wrapped, so that the same function can be registered twice.
    const watcher = () => changed();
    this.#watchers.add(watcher);
    this.#poll();
    return () => void this.#watchers.delete(watcher);
  }

  /**
   * @throws ToolSearchError `SOURCE_UNAVAILABLE`, `INVALID_ARGUMENTS`, `TOOL_FAILED`, `TOOL_TIMEOUT`,
   * `UPSTREAM_INVALID` or `UPSTREAM_TOO_LARGE`; the signal's reason if the signal aborts
   */
  call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    return withLinkedSignal([call.signal, this.#closing.signal], (signal) =>
      this.#call(name, input, context, call, signal),
    );
  }

  async #call(
    name: string,
    input: unknown,
    context: ToolContext,
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<SourceAnswer> {
    const { rawName, inputSchema, fits, kind, page } = this.#tools.callable(name);
    const trace = this.#sharesTraces ? call.trace : undefined;
    const callOnce = () => {
      let isRefused = false;
      return this.#live.call({ context, signal, isRefused: () => isRefused }, async (connection, access) => {
        signal.throwIfAborted();
        const asked = askedCall(questionerOf(this.name, access), call, this.#input, signal);
        try {
          if (kind !== undefined) {
            return await connection.read(itemRequest(kind, rawName, input, page), { ...asked, trace });
          }
          const progress = call.progress.bind(call);
          const args = isObject(input) ? input : {};
          return sourceAnswer(
            await connection.callTool({ name: rawName, inputSchema, args, progress, trace, ...asked }),
            fits,
          );
        } catch (error) {
          isRefused = asked.isRefused;
          throw asked.reason(error);
        } finally {
          asked.clear();
        }
      });
    };
    const isConnected = () =>
      this.#access.of(context, signal).then(
        () => true,
        () => false,
      );
    try {
      signal.throwIfAborted();
      try {
        return await callOnce();
      } catch (error) {
        if (!(await askToConnect(this.name, error, call, signal, isConnected))) throw error;
        return await callOnce();
      }
    } catch (error) {
      call.signal.throwIfAborted();
      throw callFailure(this.name, this.#closing.signal.aborted ? this.#closing.signal.reason : error, kind);
    }
  }

  /** @throws ToolSearchError as {@link call} */
  async complete(
    name: string,
    request: CompletionRequest,
    context: ToolContext,
    aborted: AbortSignal,
  ): Promise<Completion> {
    const { argument, context: entered } = request;
    const { rawName, kind } = this.#tools.callable(name);
    const ref =
      kind === 'prompt'
        ? { type: 'ref/prompt' as const, name: rawName }
        : { type: 'ref/resource' as const, uri: rawName };
    const params = { ref, argument, ...(entered && { context: { arguments: { ...entered } } }) };
    try {
      return await withLinkedSignal([aborted, this.#closing.signal], (signal) =>
        this.#live.call({ context, signal }, (connection) => connection.complete(params, signal)),
      );
    } catch (error) {
      throw callFailure(this.name, error);
    }
  }

  /** @throws ToolSearchError as {@link call}, and `RATE_LIMITED` */
  async subscribe(name: string, uri: string, context: ToolContext, updated: () => void): Promise<() => void> {
    const { page, rawName } = this.#tools.callable(name);
    const access = () => this.#access.of(context, this.#closing.signal);
    // The server knows a page by another address.
    return this.#followed.add(context.tenantId, access, page ? rawName : uri, updated);
  }

  #readIfLazy(): void {
    if (this.lazy && !this.#tools.isRead) this.#changes.request();
  }

  #follow(access: Access, uri: string, updated: () => void): Promise<Following | undefined> {
    return withLinkedSignal([this.#closing.signal], (signal) =>
      this.#live.on(access, signal, (connection) => connection.follow(uri, updated, this.loadTimeoutMs)),
    );
  }

  /** Rejects running calls, closes all connections and ends child processes. Final and idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#watchers.clear();
    this.#followed.close();
    this.#changes.stop();
    clearInterval(this.#polling);
    this.#closing.abort(unavailable(this.name, new Error('the source has been closed')));
    await Promise.all([this.#live.close(), this.#authorizer?.close()]);
  }

  #poll(): void {
    if (this.#refreshEveryMs === undefined || this.#polling || this.#closing.signal.aborted) return;
    // Polling must not start a lazy server.
    const look = () => (!this.lazy || this.#live.isConnected) && this.#changes.request();
    this.#polling = setInterval(look, this.#refreshEveryMs);
    this.#polling.unref();
  }
}

/** Who asks: a server on a loopback address, and a child process, are on this machine. */
function questionerOf(source: string, { endpoint }: Access): Questioner {
  return { source, isLocal: !('url' in endpoint) || namedLoopback(endpoint.url).length > 0 };
}
