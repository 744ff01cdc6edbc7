import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The used part of a client of the package `pg`. */
interface PostgresClient {
  query(...args: unknown[]): unknown;
  end(): Promise<void>;
}

/**
 * Ends each pooled connection of an initialized PostgreSQL DataSource on which a query exceeded `query_timeout`, for
 * example because a firewall dropped the connection silently. `pg` alone only rejects the query: its client would
 * return to the pool as healthy, and every later query on it would wait for an answer that never comes.
 */
export function dropDeadConnections(dataSource: DataSource): void {
  const watched = new WeakSet<PostgresClient>();
  // Not on `connect`: the first client has connected already.
  (dataSource.driver as PostgresDriver).master.on('acquire', (client: PostgresClient) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client);
    client.query = (...args) => {
      const answer = query(...args);
      // Runs before the caller sees the error and releases the client: the pool does not take back a client that is
      // ending.
      Promise.resolve(answer).catch((error: unknown) => (isTimeout(error) ? client.end() : undefined));
      return answer;
    };
  });
}

/** `pg` gives the timeout error no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
