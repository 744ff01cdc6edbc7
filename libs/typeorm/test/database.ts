import { sqliteDriver } from '../src/database/sqlite-driver.js';

/** The better-sqlite3 that runs on this Node.js, with its types. */
export const Database = sqliteDriver() as unknown as typeof import('better-sqlite3');
