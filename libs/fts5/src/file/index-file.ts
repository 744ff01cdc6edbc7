import { rename, rm } from 'node:fs/promises';
import { isToolSearchError, ToolSearchError } from '@tool-search/core';
import { makePrivateFile, rightsOfOthers } from '@tool-search/core/internal';
import { checkDatabase, checkFile, hasDamagedFormat, isDamage } from './damage.js';
import { APPLICATION_ID, SCHEMA, VERSION } from './search-schema.js';
import { codeOf, inTransaction, openSqlite, retryWhileBusy, type SqliteDatabase } from './sqlite-database.js';

export const IN_MEMORY = ':memory:';

const OBJECTS = SCHEMA.match(/^CREATE /gm)?.length;

export type SqliteOpener = (database: string) => SqliteDatabase;

/**
 * Opens the index's database, ready for use. An empty file gets its tables, one of another version is replaced, a
 * damaged one is moved to `<database>.damaged` and replaced.
 *
 * @param open opens a database by path
 * A new file and its new folders belong to the user of this process alone; rights of others on an existing one are a
 * warning of the process.
 *
 * @param isSuspect treat the file as damaged without checking it
 * @returns undefined if SQLite was compiled without FTS5; nothing is written then
 * @throws ToolSearchError `INVALID_CONFIGURATION` for an unusable file or one of another application,
 *   `STORE_UNAVAILABLE` if another process keeps it locked
 */
export async function openIndexFile(
  database: string,
  open: SqliteOpener,
  isSuspect = false,
): Promise<SqliteDatabase | undefined> {
  try {
    const db = await openedFile(database, open, isSuspect);
    if (database !== IN_MEMORY) for (const sentence of await rightsOfOthers(database)) process.emitWarning(sentence);
    return db;
  } catch (cause) {
    throw openingError(database, cause);
  }
}

async function openedFile(database: string, open: SqliteOpener, isSuspect: boolean) {
  if (isSuspect) await moveAside(database);
  try {
    return await retryWhileBusy(() => connect(database, open));
  } catch (error) {
    if (!isDamage(error) && !(await hasDamagedFormat(database))) throw error;
  }
  await moveAside(database);
  return retryWhileBusy(() => connect(database, open));
}

async function connect(database: string, open: SqliteOpener): Promise<SqliteDatabase | undefined> {
  if (database !== IN_MEMORY) await makePrivateFile(database);
  const db = open(database);
  try {
    if (!hasFts5(db)) {
      db.close();
      return undefined;
    }
    const state = stateOf(db, database);
    if (state === 'other version') {
      db.close();
      // The file is ours and only a cache. Another release that has it open keeps its copy.
      await removeFile(database);
      return await connect(database, open);
    }
    if (state === 'ours') {
      if (open === openSqlite) await checkFile(database);
      else checkDatabase(db);
    }
    configure(db);
    if (state === 'empty') createTables(db, database);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function hasFts5(db: SqliteDatabase): boolean {
  try {
    db.exec('CREATE VIRTUAL TABLE temp.fts5_probe USING fts5(text); DROP TABLE temp.fts5_probe');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such module')) return false;
    throw error;
  }
}

function stateOf(db: SqliteDatabase, database: string): 'empty' | 'ours' | 'other version' {
  const tables = db.prepare('SELECT name, sql FROM sqlite_schema').all() as { name: string; sql: string | null }[];
  if (tables.length === 0) return 'empty';
  const { application_id: application } = db.prepare('PRAGMA application_id').get() as { application_id: number };
  if (application !== APPLICATION_ID) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `${database} is a database of something else.`, {
      hint: 'Give the search index a file of its own: it is a cache, and may be replaced at any time.',
    });
  }
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  // Objects that SQLite creates itself have no SQL text, or a name that starts with our table's name.
  const ours = tables.filter(({ name }) => !/^(sqlite|tools_fts)_/.test(name));
  const isWhole = ours.length === OBJECTS && ours.every(({ sql }) => SCHEMA.includes(sql ?? '?'));
  return version === VERSION && isWhole ? 'ours' : 'other version';
}

// No fsync for a cache: it would block the event loop. The check at the next start detects data lost in a power
// failure.
function configure(db: SqliteDatabase): void {
  db.exec(`
    PRAGMA busy_timeout = 20;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -32768;`);
}

function createTables(db: SqliteDatabase, database: string): void {
  inTransaction(db, 'IMMEDIATE', () => {
    // Another process may have created them first.
    if (stateOf(db, database) !== 'empty') return;
    db.exec(SCHEMA);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION};`);
  });
}

async function moveAside(database: string): Promise<void> {
  if (database === IN_MEMORY) return;
  await rename(database, `${database}.damaged`).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  await removeFile(database);
}

async function removeFile(database: string): Promise<void> {
  for (const file of [database, `${database}-wal`, `${database}-shm`]) await rm(file, { force: true });
}

function openingError(database: string, cause: unknown): ToolSearchError {
  if (isToolSearchError(cause)) return cause;
  const code = codeOf(cause) ?? 'unknown reason';
  if (code.startsWith('SQLITE_BUSY')) {
    return new ToolSearchError('STORE_UNAVAILABLE', `${database} is in use by another process.`, {
      hint: 'Try again, or give this application a search index of its own.',
      cause,
    });
  }
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `${database} cannot be used as file of the search index (${code}).`,
    {
      hint: `Name a file in a directory that this process may create and write, or ${IN_MEMORY}.`,
      cause,
    },
  );
}
