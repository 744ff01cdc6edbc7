import { resolve } from 'node:path';
import type { DataSourceOptions } from 'typeorm';

/** Where a database is, in words for the log: never with user or password. */
export function placeOf(options: DataSourceOptions): string {
  if (options.type !== 'postgres') {
    const path = String(options.database);
    return path === ':memory:'
      ? 'SQLite in memory, lost with this process'
      : `SQLite file ${resolve(path)}, one process`;
  }
  const { host = 'localhost', port, database = '' } = options;
  const address = options.url === undefined ? `${database}@${host}${port ? `:${port}` : ''}` : addressIn(options.url);
  return ['PostgreSQL', address, options.schema && `(schema ${options.schema})`].filter(Boolean).join(' ');
}

/** Database and host of an address, or nothing where a password that is not encoded makes it unclear which they are. */
function addressIn(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`.includes('@') ? '' : `${pathname.slice(1)}@${host}`;
}
