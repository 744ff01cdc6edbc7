import { version as pgVersion } from 'pg/package.json';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { TYPEORM_VERSION } from '../test/typeorm-version.js';
import { createDataSource } from './database/create-data-source.js';
import { dataSourceOptions } from './database/data-source-options.js';

interface Client {
  readonly connection: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query(query: { text: string; query_timeout: number }): Promise<unknown>;
  end(): Promise<void>;
}

/** Undocumented internals that the code relies on. A version that changes one of them fails here. */
describeOnPostgres(
  `what is used of TypeORM ${TYPEORM_VERSION} (known: 0.3.23 to 1.1) and pg ${pgVersion} (known: 8.11 to 8.23)`,
  (url) => {
    let dataSource: DataSource;
    beforeAll(async () => (dataSource = await createDataSource(dataSourceOptions({ url: url() }))));
    afterAll(() => dataSource.destroy());

    it("is the driver's pool as master, with its options, the password beside what can be copied, and its event acquire", async () => {
      const { master } = dataSource.driver as PostgresDriver;
      const options = master.options as Record<string, unknown>;
      expect(options).toMatchObject({ connectionString: url(), application_name: 'tool-search' });
      expect(Object.keys(options)).not.toContain('password');
      expect(Object.getOwnPropertyNames(options)).toContain('password');
      const acquired = jest.fn();
      master.on('acquire', acquired);
      await dataSource.query('SELECT 1');
      expect(acquired).toHaveBeenCalledWith(expect.objectContaining({ query: expect.any(Function) }));
      master.off('acquire', acquired);
    });

    it("is pg as the driver's postgres, connection.stream of a client, and how it words an unanswered query", async () => {
      const { postgres } = dataSource.driver as PostgresDriver;
      const client = new postgres.Client({ connectionString: url() }) as Client;
      await client.connect();
      const unanswered = client.query({ text: 'SELECT pg_sleep(60)', query_timeout: 50 });
      await expect(unanswered).rejects.toThrow(/^Query read timeout$/);
      const ended = client.end().catch(() => undefined);
      client.connection.stream.destroy();
      await ended;
    });
  },
);
