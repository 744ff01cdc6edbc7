import {
  type JsonObject,
  type LoadOptions,
  type SourceAnswer,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  isToolSearchError,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import type { Completion, CompletionRequest, ListedResources } from '@tool-search/core/source';
import {
  CallersCircuit,
  type ChangePolicy,
  DeadlineError,
  type InspectionMode,
  isObject,
  type ItemKind,
  type Loading,
  namedLoopback,
  type Outcome,
  sourceLimits,
  type SourceLimits,
  TimeSlicer,
  type UserTokens,
  withDefaults,
  withLinkedSignal,
} from '@tool-search/core/internal';
import { ConnectionPool, orAborted } from './connection/connection-pool.js';
import { type Access, accessTo, allowedPlaces, SHARED, sharesTraces } from './connection/credentials.js';
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
import { answered, isTimeout, isTooLarge, NoList, SessionLost } from './errors/error-kinds.js';
import { brokenList, callFailure, loadFailure, unavailable, verdictOf } from './errors/mcp-errors.js';

const CHANGE_INTERVAL_MS = 1_000;
/** Hints of a source without tools. */
const NO_TOOLS =
  'The server says that it has no tools: its capabilities do not name them. If it should have some, look at its own settings.';
const NULL_TOOLS = 'The server answered the request for its list of tools with null: it has none.';
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
  readonly #sharesTraces: boolean;
  #closed: Promise<void> | undefined;
  #broken: ToolSearchError | undefined;
  #hint: string | undefined;
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
    this.#sharesTraces = sharesTraces(server, isOwned, settings.propagate);
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
    const until = performance.now() + this.loadTimeoutMs;
    // A second load is compared with the first one, which counts.
    if (!anew) this.#broken = undefined;
    try {
      signal.throwIfAborted();
      if (anew) await orAborted(this.#pool.renew(SHARED), signal);
      return await this.#access.run(undefined, signal, (access) => {
        const list = (connection: McpConnection, isAgain: boolean) =>
          this.#list(connection, { signal, until, isAgain });
        const work = () => this.#runOnLive(access, signal, list, true);
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

  /** Why the last load lists only a part of the tools. */
  incomplete(): ToolSearchError | undefined {
    return this.#broken;
  }

  /** What an operator should know of the last load, although nothing failed. */
  hint(): string | undefined {
    return this.#hint;
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
    const { rawName, inputSchema, fits, kind } = this.#tools.callable(name);
    const trace = this.#sharesTraces ? call.trace : undefined;
    const callWith = async (access: Access) => {
      let isRefused = false;
      const runOn = async (connection: McpConnection) => {
        signal.throwIfAborted();
        const asked = askedCall(questionerOf(this.name, access), call, this.#input, signal);
        try {
          if (kind !== undefined) return await connection.read(itemRequest(kind, rawName, input), { ...asked, trace });
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
      };
      return this.#guarded({ context, access, signal, isRefused: () => isRefused }, () =>
        this.#runOnLive(access, signal, runOn),
      );
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
    return this.#followed.add(context.tenantId, () => this.#access.of(context, this.#closing.signal), uri, updated);
  }

  #readIfLazy(): void {
    if (this.lazy && !this.#tools.isRead) this.#changes.request();
  }

  #follow(access: Access, uri: string, updated: () => void): Promise<Following | undefined> {
    return withLinkedSignal([this.#closing.signal], (signal) =>
      this.#runOnLive(access, signal, (connection) => connection.follow(uri, updated, this.loadTimeoutMs)),
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
            this.#runOnLive(access, signal, (connection) => run(connection, signal)),
          ),
        );
      });
    } catch (error) {
      throw callFailure(this.name, error);
    }
  }

  /** Runs work of a caller. A deadline of ours shows nothing for one caller, whose tool may be slow; of all it is a failure. */
  #guarded<T>({ context, access, signal, isRefused = () => false }: CallersWork, work: () => Promise<T>): Promise<T> {
    const judge = (outcome: Outcome<T>) => verdictOf(outcome, access.holder);
    const isLate = (outcome: Outcome<T>) =>
      'error' in outcome && (signal.reason instanceof DeadlineError || isTimeout(outcome.error));
    const attempt = {
      work,
      judge: (outcome: Outcome<T>) => (isLate(outcome) ? 'down' : judge(outcome)),
      isWithdrawn: () => hasGivenUp(signal) || isRefused(),
    };
    const ownJudge = (outcome: Outcome<T>) => (isLate(outcome) ? 'unknown' : judge(outcome));
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
                const pages = connection.listPages(signal, () => PROBE_MS, list);
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

  /**
   * Runs on a connection, and once more on a new one if the server says that it does not know the session.
   *
   * @param isLoad lists the tools: any failure ends the connection, since the server may hang or may have been replaced
   */
  async #runOnLive<T>(
    access: Access,
    signal: AbortSignal,
    run: (connection: McpConnection, isAgain: boolean) => Promise<T>,
    isLoad = false,
  ): Promise<T> {
    const wasConnected = isLoad || this.#pool.has(access.holder) || this.#pool.has(SHARED);
    const attempt = async (isAgain: boolean): Promise<{ result: T } | { error: unknown }> =>
      this.#pool.use(access, signal, async (connection) => {
        if (this.lazy && !wasConnected) this.#changes.request();
        try {
          return { result: await run(connection, isAgain) };
        } catch (error) {
          const loss = signal.aborted ? undefined : await connection.lossOf(error);
          if (loss !== undefined || isLoad) void connection.retire();
          // Its tools may have changed meanwhile.
          if (loss !== undefined && !isLoad) this.#changes.request();
          // An HTTP status says more; an error of the protocol would look like one of the tool.
          const failure = loss !== undefined && answered(error) ? new SessionLost(error) : error;
          // A list can be asked for again, whatever became of the first request.
          if (loss !== 'repeat' && !(isLoad && loss !== undefined)) throw failure;
          return { error: failure };
        }
      });
    const first = await attempt(false);
    if ('result' in first) return first.result;
    const second = await attempt(true);
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

  async #list(connection: McpConnection, { signal, until, isAgain }: Listing): Promise<readonly ToolDeclaration[]> {
    const limit = withDefaults(sourceLimits, this.limits).tools;
    const listed = this.#tools.reading(connection.description, limit);
    const slices = new TimeSlicer(SLICE_MS, signal);
    // What was read counts: a page that is not answered leaves time to use it.
    const half = () => Math.max(1, (until - performance.now()) / 2);
    const timeoutMs = (pages: number) => (pages === 0 ? this.loadTimeoutMs : half());
    let pages = 0;
    let hint = connection.has('tools') ? undefined : NO_TOOLS;
    try {
      for await (const page of connection.listPages(signal, timeoutMs)) {
        const count = await slices.run(listed.add(page));
        pages += 1;
        if (count <= limit) continue;
        const message = `Source ${this.name} brought more than its limit of ${limit} tools.`;
        const hint = 'Narrow the source with include or exclude, or raise limits.tools for it.';
        throw new ToolSearchError('SOURCE_LIMIT', message, { hint });
      }
    } catch (error) {
      if (pages === 0 || signal.aborted || isToolSearchError(error) || isTooLarge(error)) throw error;
      // In a new session the whole list may come; if it breaks off there too, what was read counts.
      if (!isAgain && (await connection.lossOf(error)) === 'repeat') throw error;
      if (error instanceof NoList && error.isNull && !this.#tools.hasTools) hint = NULL_TOOLS;
      else this.#breakOff(error, () => listed.breakOff());
    }
    for (const list of this.#lists) {
      const ended = await addItems(list, connection.listPages(signal, half, list), listed, slices, limit);
      signal.throwIfAborted();
      if (ended !== undefined) this.#breakOff(ended);
    }
    // The next load opens a new connection: this server may hang or may have been replaced, and one of which nothing is
    // asked would never be heard of again.
    const isAsked = connection.has('tools') || this.#lists.length > 0;
    if (this.#broken || !isAsked) void connection.retire();
    this.#hint = hint;
    return listed.finish();
  }

  /** Keeps why a list broke off: the first reason, of several lists. */
  #breakOff(error: unknown, mark: () => void = () => undefined): void {
    mark();
    this.#broken ??= brokenList(loadFailure(this.name, error));
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

/** How the tools are listed. */
interface Listing {
  readonly signal: AbortSignal;
  /** The monotonic time at which the load has to end. */
  readonly until: number;
  /** Whether the list was asked for before, in a session that was lost. */
  readonly isAgain: boolean;
}

/** Whose work it is, and what ends it. */
interface CallersWork {
  readonly context: ToolContext;
  readonly access: Access;
  readonly signal: AbortSignal;
  /** Whether it ended because the caller did not answer a question of the server. @default never */
  readonly isRefused?: () => boolean;
}

/** Whether the caller, or the shutdown, ended the work: not a deadline of ours, which a server causes that hangs. */
function hasGivenUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DeadlineError);
}

/** Who asks: a server on a loopback address, and a child process, are on this machine. */
function questionerOf(source: string, { endpoint }: Access): Questioner {
  return { source, isLocal: !('url' in endpoint) || namedLoopback(endpoint.url).length > 0 };
}
