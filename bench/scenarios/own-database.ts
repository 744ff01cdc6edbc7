import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** The PostgreSQL server to measure on. @throws Error if the environment names none */
export function postgresServer(): string {
  const server = process.env['TOOL_SEARCH_TEST_POSTGRES_URL'];
  if (server) return server;
  throw new Error('TOOL_SEARCH_TEST_POSTGRES_URL is not set: this measures a real PostgreSQL.');
}

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

/** Runs work with the path of a new folder, which is removed afterwards. */
export async function inOwnFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
