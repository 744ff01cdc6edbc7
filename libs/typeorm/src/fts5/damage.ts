import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { codeOf } from '../database/error-code.js';
import { sqliteDriverName } from '../database/sqlite-driver.js';
import { APPLICATION_ID } from './search-schema.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** The file holds something else than what was written. */
export class DamagedFile extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

/** Whether an error says that the file is damaged, or is no database at all. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error) ?? '');
}

/**
 * Whether the header of a file that is ours carries format numbers that SQLite has never written
 * (https://www.sqlite.org/fileformat.html §1.3): SQLite then calls the file read-only (write version, offset 18) or
 * unsupported (schema format, offset 44), not damaged.
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
// Every word of the index against the rows it was made of.
const WORDS = "INSERT INTO tools_fts(tools_fts, rank) VALUES ('integrity-check', 1)";

/** @throws DamagedFile, or SQLite's own error, for a database whose pages or words are not as they were written */
export function checkDatabase(db: SqliteDatabase): void {
  try {
    const { integrity_check: verdict } = db.prepare(PAGES).get() as { integrity_check: string };
    if (verdict !== 'ok') throw new DamagedFile(verdict);
    db.exec(WORDS);
  } catch (error) {
    throw finding(error);
  }
}

// The statements are ours and the tables too: what makes SQLite call them wrong is in the file. So says FTS5 of an index
// whose settings are gone.
function finding(error: unknown): unknown {
  // Not by its class: the driver's errors may come from another realm, whose `Error` is not ours.
  return codeOf(error) === 'SQLITE_ERROR' ? new DamagedFile(String((error as { message?: unknown }).message)) : error;
}

// As text, because a thread cannot be started from a TypeScript file, and a test runs on those.
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
 * As {@link checkDatabase}, in a thread of its own: at 10,000 tools the check would block the event loop for hundreds of
 * milliseconds.
 */
export async function checkFile(database: string): Promise<void> {
  const workerData = { driver: require.resolve(sqliteDriverName()), database, pages: PAGES, words: WORDS };
  const worker = new Worker(CHECK_IN_THREAD, { eval: true, workerData });
  const { code, message } = await new Promise<{ code?: string; message: string }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (code !== undefined) throw finding(Object.assign(new Error(message), { code }));
}
