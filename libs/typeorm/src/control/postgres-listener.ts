import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { codeOf } from '../database/error-code.js';

/** The NOTIFY channel on which PostgreSQL announces a new revision. */
export const CONTROL_CHANNEL = 'tool_search_control';

const IS_LISTENING = `SELECT 1 FROM pg_listening_channels() AS channel WHERE channel = '${CONTROL_CHANNEL}'`;

/** The used part of a client of the package `pg`. */
interface PostgresClient {
  readonly connection?: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query(query: { text: string; query_timeout: number }): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: 'notification', listener: () => void): unknown;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  end(): Promise<void>;
}

/** Timeouts and retry delays of a listener, in milliseconds. */
export interface ListenerPatience {
  /** Time between two checks that the connection still listens. */
  readonly heartbeatMs: number;
  /** Timeout for connecting, for each statement and for closing. */
  readonly timeoutMs: number;
  /** Delay before the first retry. Doubles with each failure; up to half of it is subtracted at random. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
}

const PATIENCE: ListenerPatience = { heartbeatMs: 10_000, timeoutMs: 5_000, minBackoffMs: 250, maxBackoffMs: 30_000 };

/** Consecutive failures before a warning is logged. A server that restarts causes fewer. */
const WARN_AFTER = 4;

/** Thrown behind a transaction pooler: LISTEN and the next statement reach different server processes. */
class NotListening extends Error {}

/**
 * Listens for changes of the control store on its own PostgreSQL connection, from construction until {@link stop}. A
 * heartbeat detects a lost connection even when no packet reports it; the listener then reconnects. Each new connection
 * also sends a hint, because notifications may have been missed.
 */
export class PostgresListener {
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #patience: ListenerPatience;
  readonly #logger = new Logger('ToolSearch');

  constructor(
    private readonly dataSource: DataSource,
    private readonly onHint: () => void,
    patience: Partial<ListenerPatience> = {},
  ) {
    this.#patience = { ...PATIENCE, ...patience };
    this.#running = this.#run();
  }

  /** Closes the connection. No hint follows. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    let isUseless = false;
    while (!signal.aborted) {
      await this.#listen(() => (failures = 0)).catch((error: unknown) => {
        if (!(error instanceof NotListening)) {
          if (failures === WARN_AFTER) this.#warnOfOutage(error);
          return;
        }
        failures = Number.MAX_SAFE_INTEGER;
        if (!isUseless) {
          this.#logger.warn(
            'PostgreSQL cannot tell of changes: the connection does not keep listening, as behind a transaction pooler. ' +
              'Kill switches are found by polling; give an address without the pooler to have them sooner.',
          );
        }
        isUseless = true;
      });
      const { minBackoffMs, maxBackoffMs } = this.#patience;
      const delay = Math.min(maxBackoffMs, minBackoffMs * 2 ** failures) * (1 - Math.random() / 2);
      failures += 1;
      await sleep(delay, signal);
    }
  }

  /** Logs neither the address nor the error message, which may contain it. */
  #warnOfOutage(error: unknown): void {
    this.#logger.warn(
      `PostgreSQL cannot tell of changes: it cannot be reached (${codeOf(error) ?? 'unknown reason'}). ` +
        'Until it can, kill switches are found by polling, if at all.',
    );
  }

  /** Keeps one connection until it is lost or the listener stops. Rejects when the connection fails. */
  async #listen(onSuccess: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const { heartbeatMs, timeoutMs } = this.#patience;
    const client = this.#client();
    const over = new AbortController();
    const end = () => over.abort();
    signal.addEventListener('abort', end);
    client.on('error', end);
    client.on('end', end);
    const hint = () => !signal.aborted && this.onHint();
    client.on('notification', hint);
    // Not raced with the end of the connection: `pg` rejects pending queries itself.
    const ask = (text: string) => client.query({ text, query_timeout: timeoutMs });
    try {
      await client.connect();
      await ask(`LISTEN ${CONTROL_CHANNEL}`);
      onSuccess();
      hint();
      for (;;) {
        await sleep(heartbeatMs, over.signal);
        if (over.signal.aborted) return;
        if ((await ask(IS_LISTENING)).rows.length === 0) throw new NotListening();
      }
    } finally {
      signal.removeEventListener('abort', end);
      await this.#end(client);
    }
  }

  /** Uses the options of the DataSource's pool, which TypeORM derived from the address, its parts and the extras. */
  #client(): PostgresClient {
    const { master, postgres } = this.dataSource.driver as PostgresDriver;
    const options = master.options as Record<string, unknown>;
    return new postgres.Client({
      ...options,
      password: options.password, // which the pool hides from copies
      application_name: 'tool-search-listener',
      keepAlive: true,
      connectionTimeoutMillis: this.#patience.timeoutMs,
    }) as PostgresClient;
  }

  /** Closes the connection, but waits at most `timeoutMs` for an unresponsive server. */
  async #end(client: PostgresClient): Promise<void> {
    const { timeoutMs } = this.#patience;
    await Promise.race([client.end().catch(() => {}), setTimeout(timeoutMs, undefined, { ref: false })]);
    client.connection?.stream.destroy();
  }
}

/** Resolves early when the signal is aborted, and at once if it already was. */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: false, signal }).catch(() => {});
}
