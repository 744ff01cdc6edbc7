import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** What is used of a client of the package `pg`. */
interface PostgresClient {
  query(...args: unknown[]): unknown;
  end(): Promise<void>;
}

/**
 * Ends every pooled connection of an initialized PostgreSQL DataSource on which a query was not answered within
 * `query_timeout`: one that a firewall has forgotten, say. On its own `pg` only rejects the query; its client would go back
 * into the pool as healthy, and every later query on it would wait for an answer that never comes.
 */
export function dropDeadConnections(dataSource: DataSource): void {
  const watched = new WeakSet<PostgresClient>();
  // Not when it connects: the first one has done so already.
  (dataSource.driver as PostgresDriver).master.on('acquire', (client: PostgresClient) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client);
    client.query = (...args) => {
      const answer = query(...args);
      // Noticed before the caller notices, so before it lets the client go: the pool takes none back that is ending.
      Promise.resolve(answer).catch((error: unknown) => (isTimeout(error) ? client.end() : undefined));
      return answer;
    };
  });
}

/** `pg` gives it no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
