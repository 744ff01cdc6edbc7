import { isToolSearchError, type ToolContext } from '@tool-search/core';
import { CallersCircuit, DeadlineError, type Outcome, withLinkedSignal } from '@tool-search/core/internal';
import { answered, isTimeout, SessionLost } from '../errors/error-kinds.js';
import { verdictOf } from '../errors/mcp-errors.js';
import type { ItemList } from '../items/exposed-items.js';
import { ConnectionPool, orAborted, type PoolOptions } from './connection-pool.js';
import type { ConnectionInput } from './connection-requests.js';
import { type Access, SHARED } from './credentials.js';
import { McpConnection } from './mcp-connection.js';
import type { UserAccess } from './user-access.js';

/** In which a server answers a request of ours after calls have failed. */
const PROBE_MS = 5_000;

interface LiveOptions extends Omit<PoolOptions, 'open'> {
  readonly access: UserAccess;
  readonly lists: readonly ItemList[];
  readonly input: ConnectionInput;
  /** Timeout of opening a connection. */
  readonly loadTimeoutMs: number;
  /** Called when the lists of the server may have changed. */
  readonly changed: () => void;
  /** Aborts when the source is closed. */
  readonly closing: AbortSignal;
}

/** Whose work it is, and what ends it. */
interface CallersWork {
  readonly context: ToolContext;
  readonly signal: AbortSignal;
  /** Whether it ended because the caller did not answer a question of the server. @default never */
  readonly isRefused?: () => boolean;
}

/** Runs the work of a source on its connections, in a new session where the server has lost one, and behind a circuit. */
export class LiveConnections {
  readonly #pool: ConnectionPool;
  readonly #circuit: CallersCircuit;

  constructor(private readonly options: LiveOptions) {
    const { maxConnections, idleMs, lazy, changed } = options;
    this.#pool = new ConnectionPool({
      open: (access, ended) => this.#open(access, ended),
      maxConnections,
      idleMs,
      lazy,
    });
    this.#circuit = new CallersCircuit(changed, undefined, 0, () => this.#answers());
  }

  /** Whether the connection that lists the tools is open or being opened. */
  get isConnected(): boolean {
    return this.#pool.has(SHARED);
  }

  /** Lets a holder's next work open a new connection. */
  renew(holder: string): Promise<void> {
    return this.#pool.renew(holder);
  }

  /** Closes all connections, also those in use. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /**
   * Lists the tools. Any failure ends the connection, since the server may hang or may have been replaced.
   *
   * @param anew on a new connection
   * @param list asks for the list; `isAgain` if it was asked for before, in a session that was lost
   */
  async load<T>(
    signal: AbortSignal,
    anew: boolean,
    list: (connection: McpConnection, isAgain: boolean) => Promise<T>,
  ): Promise<T> {
    if (anew) await orAborted(this.renew(SHARED), signal);
    return this.options.access.run(undefined, signal, (access) =>
      // Always, because the caller of `load()` has its own backoff.
      this.#circuit.always({
        work: () => this.#runOnLive(access, signal, list, true),
        judge: (outcome) => verdictOf(outcome),
        isWithdrawn: () => hasGivenUp(signal),
      }),
    );
  }

  /** Runs work of a caller. A deadline of ours shows nothing for one caller, whose tool may be slow; of all it is a failure. */
  call<T>(
    { context, signal, isRefused = () => false }: CallersWork,
    run: (connection: McpConnection, access: Access) => Promise<T>,
  ): Promise<T> {
    const isLate = (outcome: Outcome<T>) =>
      'error' in outcome && (signal.reason instanceof DeadlineError || isTimeout(outcome.error));
    return this.options.access.run(context, signal, (access) => {
      const judge = (outcome: Outcome<T>) => verdictOf(outcome, access.holder);
      const attempt = {
        work: () => this.on(access, signal, (connection) => run(connection, access)),
        judge: (outcome: Outcome<T>) => (isLate(outcome) ? 'down' : judge(outcome)),
        isWithdrawn: () => hasGivenUp(signal) || isRefused(),
      };
      const ownJudge = (outcome: Outcome<T>) => (isLate(outcome) ? 'unknown' : judge(outcome));
      return this.#circuit.runFor(context, attempt, ownJudge);
    });
  }

  /** Runs work that the circuit neither holds up nor judges. */
  on<T>(access: Access, signal: AbortSignal, run: (connection: McpConnection) => Promise<T>): Promise<T> {
    return this.#runOnLive(access, signal, run, false);
  }

  /** Whether the server answers a request of ours, after calls have failed: then only their callers have a problem. */
  async #answers(): Promise<boolean> {
    const { access, lists, closing } = this.options;
    const probe = async (connection: McpConnection, signal: AbortSignal) => {
      for (const list of [undefined, ...lists]) {
        const pages = connection.listPages(signal, () => PROBE_MS, list);
        await pages.next();
        await pages.return(undefined);
      }
    };
    const ask = (signal: AbortSignal) =>
      access.run(undefined, signal, (shared) =>
        this.#pool.use(shared, signal, (connection) => probe(connection, signal)),
      );
    try {
      await withLinkedSignal([closing], ask, PROBE_MS);
      return true;
    } catch (error) {
      // Without credentials of its own it cannot ask.
      return !isToolSearchError(error) && verdictOf({ error }) === 'up';
    }
  }

  /** Runs on a connection, and once more on a new one if the server says that it does not know the session. */
  async #runOnLive<T>(
    access: Access,
    signal: AbortSignal,
    run: (connection: McpConnection, isAgain: boolean) => Promise<T>,
    isLoad: boolean,
  ): Promise<T> {
    const { lazy, changed } = this.options;
    const wasConnected = isLoad || this.#pool.has(access.holder) || this.isConnected;
    const attempt = async (isAgain: boolean): Promise<{ result: T } | { error: unknown }> =>
      this.#pool.use(access, signal, async (connection) => {
        if (lazy && !wasConnected) changed();
        try {
          return { result: await run(connection, isAgain) };
        } catch (error) {
          const loss = signal.aborted ? undefined : await connection.lossOf(error);
          if (loss !== undefined || isLoad) void connection.retire();
          // Its tools may have changed meanwhile.
          if (loss !== undefined && !isLoad) changed();
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

  #open(access: Access, ended: () => void): Promise<McpConnection> {
    const { lists, input, loadTimeoutMs, lazy, changed, closing } = this.options;
    const isShared = access.holder === SHARED;
    const open = (signal: AbortSignal): Promise<McpConnection> =>
      McpConnection.open(access.endpoint, {
        signal,
        timeoutMs: loadTimeoutMs,
        changed: isShared ? changed : undefined,
        lists,
        input,
        ended: (unasked) => {
          ended();
          // Tools may have changed meanwhile, and the server may be down.
          if (unasked && isShared && !lazy && !closing.aborted) changed();
        },
      });
    return withLinkedSignal([closing], open, loadTimeoutMs);
  }
}

/** Whether the caller, or the shutdown, ended the work: not a deadline of ours, which a server causes that hangs. */
function hasGivenUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DeadlineError);
}
