import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** Runs work with the address of a new database of a PostgreSQL server, which is dropped afterwards. */
export async function inOwnDatabase<T>(server: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `tool_search_bench_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client(server);
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    return await work(Object.assign(new URL(server), { pathname: `/${name}` }).href);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}
