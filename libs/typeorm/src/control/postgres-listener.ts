import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { codeOf } from '../database/error-code.js';
import { CONTROL_CHANNEL } from './control-statements.js';

const IS_LISTENING = `SELECT 1 FROM pg_listening_channels() AS channel WHERE channel = '${CONTROL_CHANNEL}'`;

/** What is used of a client of the package `pg`. */
interface PostgresClient {
  readonly connection?: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query(query: { text: string; query_timeout: number }): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: 'notification', listener: () => void): unknown;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  end(): Promise<void>;
}

/** How patient a listener is, in milliseconds. */
export interface ListenerPatience {
  /** Between two checks that the connection still listens. */
  readonly heartbeatMs: number;
  /** For connecting, each statement and the goodbye. */
  readonly timeoutMs: number;
  /** Before the first new attempt; doubled with each that fails, and up to half of it left out at random. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
}

const PATIENCE: ListenerPatience = { heartbeatMs: 10_000, timeoutMs: 5_000, minBackoffMs: 250, maxBackoffMs: 30_000 };

/** Failures in a row: a server that restarts is not worth a line. */
const WARN_AFTER = 4;

/** A pooler that lends a connection for one transaction gives LISTEN to one server process and the next statement to another. */
class NotListening extends Error {}

/**
 * Listens for changes of the control store on a PostgreSQL connection of its own, from construction until {@link stop}. It
 * is made anew whenever it is lost, which a heartbeat finds out even where no packet says so. Each time it listens again,
 * something may have been missed, so that is a hint too.
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

  /** Ends the connection; there is no hint afterwards. */
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

  /** The address is not repeated, nor a message in which it may stand. */
  #warnOfOutage(error: unknown): void {
    this.#logger.warn(
      `PostgreSQL cannot tell of changes: it cannot be reached (${codeOf(error) ?? 'unknown reason'}). ` +
        'Until it can, kill switches are found by polling, if at all.',
    );
  }

  /** One connection, until it is lost or not wanted any more; rejects when it fails. */
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
    // Not raced with the end of the connection: then pg rejects what is not answered yet.
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

  /** As the pool of the DataSource would make it: its options are what TypeORM made of address, parts and extras. */
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

  /** Says goodbye, but does not wait for ever for a server that has gone. */
  async #end(client: PostgresClient): Promise<void> {
    const { timeoutMs } = this.#patience;
    await Promise.race([client.end().catch(() => {}), setTimeout(timeoutMs, undefined, { ref: false })]);
    client.connection?.stream.destroy();
  }
}

/** Wakes early when the signal is aborted, and at once if it was. */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: false, signal }).catch(() => {});
}
