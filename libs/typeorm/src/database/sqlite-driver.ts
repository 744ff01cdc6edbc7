import { createRequire } from 'node:module';
import { ToolSearchError } from '@tool-search/core';

/** A better-sqlite3 module, for the option `driver` of a TypeORM DataSource. */
export type SqliteDriver = new (path: string, options?: { readonly timeout?: number }) => unknown;

/** How packages are loaded, and the major version of Node.js. Tests replace it. */
export interface SqliteDriverSearch {
  readonly nodeMajor: number;
  readonly load: (path: string) => unknown;
}

const SEARCH: SqliteDriverSearch = {
  nodeMajor: Number(process.versions.node.split('.')[0]),
  load: createRequire(__filename),
};

/**
 * Returns the better-sqlite3 that runs on this Node.js: version 12 on Node.js 20, version 13 on later ones. Both are
 * optional dependencies of this package; package managers install the one that fits.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` if it is not installed or cannot be loaded, and on an older Node.js
 */
export function sqliteDriver(search: SqliteDriverSearch = SEARCH): SqliteDriver {
  if (search.nodeMajor < 20) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `Node.js ${search.nodeMajor} is too old for SQLite.`, {
      hint: 'Run the application on Node.js 20.19, 22.12 or 24, or a later one.',
    });
  }
  // Version 12 aborts the process at the first garbage collection of Node.js 24; version 13 needs Node-API functions
  // that Node.js 20 lacks.
  const name = search.nodeMajor < 22 ? '@tool-search/sqlite-node20' : 'better-sqlite3-13';
  try {
    return search.load(name) as SqliteDriver;
  } catch (cause) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `SQLite cannot be loaded on Node.js ${search.nodeMajor}.`, {
      hint:
        `Reinstall @tool-search/typeorm with its optional dependencies (${name} is missing or was installed for another ` +
        'version of Node.js), or use PostgreSQL.',
      cause,
    });
  }
}
