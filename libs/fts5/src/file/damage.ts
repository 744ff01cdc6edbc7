import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { APPLICATION_ID } from './search-schema.js';
import { codeOf, SQLITE_DRIVER, type SqliteDatabase } from './sqlite-database.js';

/** Thrown when the file does not contain what was written to it. */
export class DamagedFile extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

/** Whether an error reports a damaged file or one that is not a database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error) ?? '');
}

/**
 * Whether the header of one of our files has format numbers that SQLite never writes
 * (https://www.sqlite.org/fileformat.html §1.3). SQLite reports such a file as read-only (write version, offset 18) or
 * unsupported (schema format, offset 44), not as damaged.
 */
export async function hasDamagedFormat(database: string): Promise<boolean> {
  const file = await open(database).catch(() => undefined);
  if (!file) return false;
  try {
    const header = Buffer.alloc(100);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    if (bytesRead < header.length || header.readUInt32BE(68) !== APPLICATION_ID) return false;
    return header.readUInt8(18) > 2 || header.readUInt32BE(44) > 4;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

const PAGES = 'PRAGMA integrity_check(1)';
// Compares every word of the index with the rows it was built from.
const WORDS = "INSERT INTO tools_fts(tools_fts, rank) VALUES ('integrity-check', 1)";

/** @throws DamagedFile, or SQLite's own error, if pages or words differ from what was written */
export function checkDatabase(db: SqliteDatabase): void {
  try {
    const { integrity_check: verdict } = db.prepare(PAGES).get() as { integrity_check: string };
    if (verdict !== 'ok') throw new DamagedFile(verdict);
    db.exec(WORDS);
  } catch (error) {
    throw finding(error);
  }
}

// Our statements and tables are correct, so when SQLite reports an error in them, the file is damaged. FTS5 reports an
// index without its settings in the same way.
function finding(error: unknown): unknown {
  // Checks the code, not the class: the driver's errors may come from another realm with another `Error`.
  return codeOf(error) === 'SQLITE_ERROR' ? new DamagedFile(String((error as { message?: unknown }).message)) : error;
}

// As text, because a thread cannot be started from a TypeScript file, and the tests run TypeScript files.
const CHECK_IN_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { driver, database, pages, words } = workerData;
  try {
    const db = new (require(driver))(database, { timeout: 5000 });
    const { integrity_check: verdict } = db.prepare(pages).get();
    if (verdict === 'ok') db.exec(words);
    db.close();
    parentPort.postMessage({ code: verdict === 'ok' ? undefined : 'SQLITE_CORRUPT', message: verdict });
  } catch ({ code, message }) {
    parentPort.postMessage({ code, message });
  }`;

/**
 * Runs {@link checkDatabase} in its own thread: at 10,000 tools it would block the event loop for hundreds of
 * milliseconds.
 */
export async function checkFile(database: string): Promise<void> {
  const workerData = { driver: require.resolve(SQLITE_DRIVER), database, pages: PAGES, words: WORDS };
  const worker = new Worker(CHECK_IN_THREAD, { eval: true, workerData });
  const { code, message } = await new Promise<{ code?: string; message: string }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (code !== undefined) throw finding(Object.assign(new Error(message), { code }));
}
