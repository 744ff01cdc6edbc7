import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

const SERVER = process.env.TOOL_SEARCH_TEST_POSTGRES_URL;

/**
 * Describes a suite on a real server, in its own database, which is dropped afterwards. Without a server the suite is
 * skipped by name.
 *
 * @param suite gets the address of the empty database; read it only inside tests and hooks
 */
export function describeOnPostgres(name: string, suite: (url: () => string) => void): void {
  if (!SERVER) {
    // oxlint-disable-next-line jest/no-disabled-tests
    describe.skip(`${name} on PostgreSQL (set TOOL_SEARCH_TEST_POSTGRES_URL)`, () => suite(() => ''));
    return;
  }
  describe(`${name} on PostgreSQL`, () => {
    const database = `tool_search_test_${randomUUID().replaceAll('-', '')}`;
    beforeAll(() => onServer(SERVER, `CREATE DATABASE ${database}`), 60_000);
    afterAll(() => onServer(SERVER, `DROP DATABASE ${database} WITH (FORCE)`), 60_000);
    suite(() => Object.assign(new URL(SERVER), { pathname: `/${database}` }).href);
  });
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
