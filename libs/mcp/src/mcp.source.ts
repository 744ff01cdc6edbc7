import {
  type ChangePolicy,
  type JsonObject,
  type Loading,
  type LoadOptions,
  type SourceAnswer,
  type SourceLimits,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  isToolSearchError,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import type { Completion, CompletionRequest, InspectionMode, ItemKind, UserTokens } from '@tool-search/core/source';
import { CallersCircuit, DeadlineError, namedLoopback, type Outcome, withLinkedSignal } from '@tool-search/core/egress';
import { isObject, sourceLimits, TimeSlicer, withDefaults } from '@tool-search/core/source';
import { ConnectionPool, orAborted } from './connection/connection-pool.js';
import { type Access, accessTo, allowedPlaces, SHARED } from './connection/credentials.js';
import { UserAccess } from './connection/user-access.js';
import { OAuthAuthorizer } from './oauth/oauth-authorizer.js';
import { askToConnect } from './input/ask-to-connect.js';
import { addItems } from './items/add-items.js';
import { itemRequest } from './items/item-request.js';
import { FollowedResources, type Following } from './items/followed-resources.js';
import { exposedKinds, exposedLists, type ItemList } from './items/exposed-items.js';
import { allowedMethods, type InputSettings } from './input/asker.js';
import { askedCall } from './input/call-asker.js';
import type { Questioner } from './input/plain-question.js';
import { ListedTools } from './tools/listed-tools.js';
import { McpConnection } from './connection/mcp-connection.js';
import { checkedOptions, type McpSourceOptions } from './mcp-source-options.js';
import { sourceAnswer } from './tools/source-answer.js';
import { Throttle } from './connection/throttle.js';
import { SLICE_MS } from './tools/tool-pages.js';
import { callFailure, loadFailure, unavailable, verdictOf } from './errors/mcp-errors.js';

const CHANGE_INTERVAL_MS = 1_000;
/** In which a server answers a request of ours after calls have failed. */
const PROBE_MS = 5_000;

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
  readonly exposes: readonly (ItemKind | 'logging')[];

  // `#private` at runtime too, so that logging a source never shows headers or environment.
  readonly #access: UserAccess;
  readonly #authorizer: OAuthAuthorizer | undefined;
  readonly #ownDescription: string | undefined;
  readonly #refreshEveryMs: number | undefined;
  readonly #pool: ConnectionPool;
  readonly #circuit = new CallersCircuit(
    () => this.#changes.request(),
    undefined,
    0,
    () => this.#answers(),
  );
  readonly #tools: ListedTools;
  readonly #lists: readonly ItemList[];
  readonly #followed = new FollowedResources((access, uri, updated) => this.#follow(access, uri, updated));
  readonly #input: InputSettings | undefined;
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
    this.#lists = exposedLists(settings.expose);
    this.#ownDescription = settings.description;
    this.#refreshEveryMs = settings.refreshEveryMs;
    this.#tools = new ListedTools(settings);
    const isOwned = Boolean(settings.owner);
    const isPerUser = 'url' in server && server.auth === 'user';
    this.#authorizer = isPerUser
      ? new OAuthAuthorizer(new URL(server.url), allowedPlaces(server, isOwned), server.oauth ?? {})
      : undefined;
    this.#access = new UserAccess({
      source: settings.name,
      base: accessTo(server, isOwned),
      isPerUser,
      listAs: 'url' in server ? server.listAs : undefined,
      disconnected: (holder) => void this.#pool.renew(holder),
    });
    const open = (access: Access, ended: () => void) => this.#open(access, ended);
    this.#pool = new ConnectionPool({ open, maxConnections, idleMs, lazy: this.lazy });
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
    try {
      signal.throwIfAborted();
      if (anew) await orAborted(this.#pool.renew(SHARED), signal);
      return await this.#access.run(undefined, signal, (access) => {
        const work = () => this.#pool.use(access, signal, (connection) => this.#list(connection, signal));
        // Always, because the caller of `load()` has its own backoff.
        return this.#circuit.always({
          work,
          judge: (outcome) => verdictOf(outcome),
          isWithdrawn: () => hasGivenUp(signal),
        });
      });
    } catch (error) {
      throw loadFailure(this.name, error);
    }
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
    if (this.lazy && !this.#tools.isRead) this.#changes.request();
    return this.#tools.lists(uri);
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
    const { rawName, inputSchema, fits, kind } = this.#tools.callable(name);
    const callWith = async (access: Access) => {
      const runOn = async (connection: McpConnection) => {
        signal.throwIfAborted();
        const asked = askedCall(questionerOf(this.name, access), call, this.#input, signal);
        try {
          if (kind !== undefined) return await connection.read(itemRequest(kind, rawName, input), asked);
          const progress = call.progress.bind(call);
          const args = isObject(input) ? input : {};
          return sourceAnswer(
            await connection.callTool({ name: rawName, inputSchema, args, progress, ...asked }),
            fits,
          );
        } catch (error) {
          throw asked.reason(error);
        } finally {
          asked.clear();
        }
      };
      return this.#guarded({ context, access, signal }, () => this.#runOnLive(access, signal, runOn));
    };
    const callOnce = () => this.#access.run(context, signal, callWith);
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
  complete(name: string, request: CompletionRequest, context: ToolContext, aborted: AbortSignal): Promise<Completion> {
    const { argument, context: entered } = request;
    const { rawName, kind } = this.#tools.callable(name);
    const ref =
      kind === 'prompt'
        ? { type: 'ref/prompt' as const, name: rawName }
        : { type: 'ref/resource' as const, uri: rawName };
    const params = { ref, argument, ...(entered && { context: { arguments: { ...entered } } }) };
    return this.#withConnection(context, aborted, (connection, signal) => connection.complete(params, signal));
  }

  /** @throws ToolSearchError as {@link call}, and `RATE_LIMITED` */
  async subscribe(_name: string, uri: string, context: ToolContext, updated: () => void): Promise<() => void> {
    return this.#followed.add(() => this.#access.of(context, this.#closing.signal), uri, updated);
  }

  #follow(access: Access, uri: string, updated: () => void): Promise<Following | undefined> {
    return withLinkedSignal([this.#closing.signal], (signal) =>
      this.#pool.use(access, signal, (connection) => connection.follow(uri, updated, this.loadTimeoutMs)),
    );
  }

  async #withConnection<T>(
    context: ToolContext,
    aborted: AbortSignal,
    run: (connection: McpConnection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await withLinkedSignal([aborted, this.#closing.signal], async (signal) => {
        return this.#access.run(context, signal, (access) =>
          this.#guarded({ context, access, signal }, () =>
            this.#pool.use(access, signal, (connection) => run(connection, signal)),
          ),
        );
      });
    } catch (error) {
      throw callFailure(this.name, error);
    }
  }

  /** Runs work of a caller. A deadline of ours shows nothing for one caller, whose tool may be slow; of all it is a failure. */
  #guarded<T>(
    { context, access, signal }: { context: ToolContext; access: Access; signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    const judge = (outcome: Outcome<T>) => verdictOf(outcome, access.holder);
    const isLate = () => signal.reason instanceof DeadlineError;
    const attempt = {
      work,
      judge: (outcome: Outcome<T>) => ('error' in outcome && isLate() ? 'down' : judge(outcome)),
      isWithdrawn: () => hasGivenUp(signal),
    };
    const ownJudge = (outcome: Outcome<T>) => ('error' in outcome && isLate() ? 'unknown' : judge(outcome));
    return this.#circuit.runFor(context, attempt, ownJudge);
  }

  /** Whether the server answers a request of ours, after calls have failed: then only their callers have a problem. */
  async #answers(): Promise<boolean> {
    try {
      await withLinkedSignal(
        [this.#closing.signal],
        (signal) =>
          this.#access.run(undefined, signal, (access) =>
            this.#pool.use(access, signal, async (connection) => {
              for (const list of [undefined, ...this.#lists]) {
                const pages = connection.listPages(signal, PROBE_MS, list);
                await pages.next();
                await pages.return(undefined);
              }
            }),
          ),
        PROBE_MS,
      );
      return true;
    } catch (error) {
      // Without credentials of its own it cannot ask.
      return !isToolSearchError(error) && verdictOf({ error }) === 'up';
    }
  }

  /** Runs on a connection; retries once on a new connection if the server has lost the session. */
  async #runOnLive<T>(access: Access, signal: AbortSignal, run: (connection: McpConnection) => Promise<T>): Promise<T> {
    const wasConnected = this.#pool.has(access.holder) || this.#pool.has(SHARED);
    const attempt = async (): Promise<{ result: T } | { error: unknown }> =>
      this.#pool.use(access, signal, async (connection) => {
        if (this.lazy && !wasConnected) this.#changes.request();
        try {
          return { result: await run(connection) };
        } catch (error) {
          if (signal.aborted || !(await connection.isForgotten(error))) throw error;
          void connection.retire();
          return { error };
        }
      });
    const first = await attempt();
    if ('result' in first) return first.result;
    this.#changes.request();
    const second = await attempt();
    if ('result' in second) return second.result;
    throw second.error;
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
    await Promise.all([this.#pool.close(), this.#authorizer?.close()]);
  }

  async #list(connection: McpConnection, signal: AbortSignal): Promise<readonly ToolDeclaration[]> {
    const limit = withDefaults(sourceLimits, this.limits).tools;
    const listed = this.#tools.reading(connection.description);
    const slices = new TimeSlicer(SLICE_MS, signal);
    try {
      for await (const page of connection.listPages(signal, this.loadTimeoutMs)) {
        if ((await slices.run(listed.add(page))) <= limit) continue;
        const message = `Source ${this.name} brought more than its limit of ${limit} tools.`;
        const hint = 'Narrow the source with include or exclude, or raise limits.tools for it.';
        throw new ToolSearchError('SOURCE_LIMIT', message, { hint });
      }
      for (const list of this.#lists) {
        const pages = connection.listPages(signal, this.loadTimeoutMs, list);
        await addItems(list, pages, listed, slices, limit);
        signal.throwIfAborted();
      }
      return listed.finish();
    } catch (error) {
      // The next load opens a new connection: this server may hang or may have been replaced.
      void connection.retire();
      throw error;
    }
  }

  #open(access: Access, ended: () => void): Promise<McpConnection> {
    const { loadTimeoutMs } = this;
    const isShared = access.holder === SHARED;
    const open = (signal: AbortSignal): Promise<McpConnection> =>
      McpConnection.open(access.endpoint, {
        signal,
        timeoutMs: loadTimeoutMs,
        changed: isShared ? () => this.#changes.request() : undefined,
        lists: this.#lists,
        input: { methods: allowedMethods(this.#input), logs: this.exposes.includes('logging') },
        ended: (unasked) => {
          ended();
          // Tools may have changed meanwhile, and the server may be down.
          if (unasked && isShared && !this.lazy && !this.#closing.signal.aborted) this.#changes.request();
        },
      });
    return withLinkedSignal([this.#closing.signal], open, loadTimeoutMs);
  }

  #poll(): void {
    if (this.#refreshEveryMs === undefined || this.#polling || this.#closing.signal.aborted) return;
    // Polling must not start a lazy server.
    const look = () => (!this.lazy || this.#pool.has(SHARED)) && this.#changes.request();
    this.#polling = setInterval(look, this.#refreshEveryMs);
    this.#polling.unref();
  }
}

/** Whether the caller, or the shutdown, ended the work: not a deadline of ours, which a server causes that hangs. */
function hasGivenUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DeadlineError);
}

/** Who asks: a server on a loopback address, and a child process, are on this machine. */
function questionerOf(source: string, { endpoint }: Access): Questioner {
  return { source, isLocal: !('url' in endpoint) || namedLoopback(endpoint.url).length > 0 };
}
