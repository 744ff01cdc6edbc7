import { SQLITE_DRIVER } from '../src/file/sqlite-database.js';

/** The better-sqlite3 that runs on this Node.js, with its types. */
export const Database = require(SQLITE_DRIVER) as typeof import('better-sqlite3');
