import type { ToolDefinition } from '@tool-search/core';
import { setImmediate } from 'node:timers/promises';
import { DamagedFile } from '../file/damage.js';
import { FIELDS, TERM_COLUMNS } from '../file/search-schema.js';
import { inTransaction, retryWhileBusy, type SqliteDatabase, type SqliteStatement } from '../file/sqlite-database.js';
import { checksumOf, recordKey, toolRecord } from './tool-record.js';

// Maximum time in milliseconds for which analysis blocks the event loop; writing the result takes about as long again.
const SLICE_MS = 8;
const TOUCH_BATCH = 500;
const REMOVE_BATCH = 50;
const SCAN_PAGE = 500;
// Rows removed per change, in addition to two for each written row, so that unused rows cannot pile up.
const REMOVED_AT_ONCE = 500;
const MERGE_PAGES = 16;
// Above this number of new rows, the full-text table is optimized completely.
const BULK = 500;
// Maximum of rows outside the newest catalog, so that a catalog that changes all the time does not fill the disk.
const MAX_UNUSED = 100_000;

const PLACES = FIELDS.map(() => '?').join(', ');
const UPDATES = FIELDS.map((field) => `${field} = excluded.${field}`).join(', ');

const STATEMENTS = {
  find: 'SELECT id, used_at FROM tools WHERE key = ?',
  read: `SELECT checksum, ${TERM_COLUMNS} FROM tools WHERE key = ?`,
  write: `INSERT INTO tools(key, used_at, checksum, ${TERM_COLUMNS}) VALUES (?, ?, ?, ${PLACES})
    ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at, checksum = excluded.checksum, ${UPDATES} RETURNING id`,
  touch: 'UPDATE tools SET used_at = ? WHERE id IN (SELECT value FROM json_each(?))',
  present: 'SELECT count(*) AS rows FROM json_each(?) AS wanted CROSS JOIN tools ON tools.id = wanted.value',
  removals: 'SELECT total FROM removals',
  changes: 'SELECT total_changes() AS total',
  rows: 'SELECT count(*) AS rows FROM tools',
  peers: `SELECT id, used_at FROM tools WHERE used_at = ? AND id > ? ORDER BY id LIMIT ${SCAN_PAGE}`,
  later: `SELECT id, used_at FROM tools WHERE used_at > ? AND used_at <= ? ORDER BY used_at, id LIMIT ${SCAN_PAGE}`,
  // Skips rows that another process has used since they were read.
  remove: 'DELETE FROM tools WHERE id IN (SELECT value FROM json_each(?)) AND used_at <= ? RETURNING id',
  countRemoved: 'UPDATE removals SET total = total + ?',
};

interface FoundRow {
  readonly id: number;
  readonly used_at: number;
}

/** The rows of the index; keeps them in sync with the catalog. */
export class ToolTable {
  readonly #sql: Readonly<Record<keyof typeof STATEMENTS, SqliteStatement>>;
  readonly #checked = new Set<string>();
  // Rows written since the last removal.
  #written = 0;

  constructor(private readonly db: SqliteDatabase) {
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]);
    this.#sql = Object.fromEntries(prepared) as Record<keyof typeof STATEMENTS, SqliteStatement>;
  }

  /** Number of rows ever removed, by any process. While it is unchanged, all known rows still exist. */
  removals(): number {
    return (this.#sql.removals.get() as { total: number }).total;
  }

  has(ids: readonly number[]): boolean {
    const { rows } = this.#sql.present.get(JSON.stringify(ids)) as { rows: number };
    return rows === new Set(ids).size;
  }

  /**
   * Writes the missing rows of the tools in small transactions; other work runs in between.
   *
   * @param options `rewrite`: also write rows that exist; `touchAfterMs`: update a last use that is older
   * @returns the rows' ids, in the order of the tools
   * @throws DamagedFile for a row that differs from what was written
   */
  async sync(
    tools: readonly ToolDefinition[],
    options: { readonly rewrite: boolean; readonly touchAfterMs: number },
  ): Promise<number[]> {
    const { rewrite, touchAfterMs } = options;
    const ids = tools.map(() => 0);
    const missing: number[] = [];
    const stale: number[] = [];
    const now = Date.now();
    let started = performance.now();
    for (const [position, tool] of tools.entries()) {
      const found = rewrite ? undefined : await retryWhileBusy(() => this.#found(recordKey(tool)));
      if (!found) missing.push(position);
      else {
        ids[position] = found.id;
        if (found.used_at < now - touchAfterMs) stale.push(found.id);
      }
      if (performance.now() - started < SLICE_MS) continue;
      await setImmediate();
      started = performance.now();
    }
    for (let from = 0; from < stale.length; from += TOUCH_BATCH) {
      const batch = JSON.stringify(stale.slice(from, from + TOUCH_BATCH));
      await this.#inTurn(() => this.#sql.touch.run(now, batch));
    }
    await this.#writeAll(tools, missing, ids, now);
    return ids;
  }

  /**
   * Removes rows that are outside the newest catalog and unused since `unusedSince`, and the oldest rows above 100,000.
   * Removes a limited number per call (at least 500, and more than were written); later calls remove the rest.
   *
   * @param newest ids of the newest catalog's rows
   * @param unusedSince epoch milliseconds
   */
  async removeUnused(newest: readonly number[], unusedSince: number): Promise<void> {
    const kept = new Set(newest);
    const { rows } = this.#sql.rows.get() as { rows: number };
    let tooMany = rows - kept.size - MAX_UNUSED;
    let room = REMOVED_AT_ONCE + 2 * this.#written;
    this.#written = 0;
    let last: FoundRow = { id: 0, used_at: Number.MIN_SAFE_INTEGER };
    while (room > 0) {
      const until = tooMany > 0 ? Number.MAX_SAFE_INTEGER : unusedSince;
      const page = await retryWhileBusy(() => this.#pageAfter(last, until));
      const unused = page.filter(({ id }) => !kept.has(id));
      for (let from = 0; from < unused.length && room > 0; from += REMOVE_BATCH) {
        const wanted = unused.slice(from, from + Math.min(REMOVE_BATCH, room));
        // The page was read for the rows above the maximum; its other rows may have been used recently.
        const old = wanted.filter(({ used_at }, position) => position < tooMany || used_at <= unusedSince);
        const removed = await this.#removeRows(old);
        tooMany -= removed;
        room -= removed;
      }
      last = page.at(-1) ?? last;
      if (page.length === 0 || (tooMany <= 0 && last.used_at > unusedSince)) return;
      await setImmediate();
    }
  }

  /**
   * The next rows by last use: first the remaining rows of the same time, by id. Many rows share one time of last use,
   * and a query by time alone would start at the first of them for every page.
   */
  #pageAfter({ id, used_at }: FoundRow, until: number): readonly FoundRow[] {
    const peers = this.#sql.peers.all(used_at, id) as FoundRow[];
    return peers.length > 0 ? peers : (this.#sql.later.all(used_at, until) as FoundRow[]);
  }

  async #removeRows(rows: readonly FoundRow[]): Promise<number> {
    const last = rows.at(-1);
    if (!last) return 0;
    const removed = await this.#inTurn(() => {
      const gone = this.#sql.remove.all(JSON.stringify(rows.map(({ id }) => id)), last.used_at).length;
      this.#sql.countRemoved.run(gone);
      return gone;
    });
    await this.#merge(MERGE_PAGES);
    return removed;
  }

  async #writeAll(tools: readonly ToolDefinition[], missing: readonly number[], ids: number[], now: number) {
    this.#written += missing.length;
    for (let next = 0; next < missing.length;) {
      const started = performance.now();
      const batch: (readonly [number, ReturnType<typeof toolRecord>])[] = [];
      while (next < missing.length && (batch.length === 0 || performance.now() - started < SLICE_MS)) {
        const position = missing[next++] ?? 0;
        const tool = tools[position];
        if (tool) batch.push([position, toolRecord(tool)]);
      }
      await this.#inTurn(() => {
        for (const [position, { key, checksum, terms }] of batch) {
          ids[position] = (this.#sql.write.get(key, now, checksum, ...terms) as FoundRow).id;
          this.#checked.add(key);
        }
      });
      await this.#merge(MERGE_PAGES);
    }
    if (missing.length > BULK) await this.#merge(-MERGE_PAGES);
    while (missing.length > 0 && (await this.#merge(MERGE_PAGES)));
  }

  /** Merges one step of the full-text table. @returns whether there was anything to merge */
  async #merge(pages: number): Promise<boolean> {
    return this.#inTurn(() => {
      const before = (this.#sql.changes.get() as { total: number }).total;
      this.db.exec(`INSERT INTO tools_fts(tools_fts, rank) VALUES ('merge', ${pages})`);
      return (this.#sql.changes.get() as { total: number }).total - before >= 2;
    });
  }

  async #inTurn<T>(work: () => T): Promise<T> {
    const result = await retryWhileBusy(() => inTransaction(this.db, 'IMMEDIATE', work));
    await setImmediate();
    return result;
  }

  #found(key: string): FoundRow | undefined {
    const found = this.#sql.find.get(key) as FoundRow | undefined;
    if (!found || this.#checked.has(key)) return found;
    const { checksum, ...terms } = this.#sql.read.get(key) as Record<string, string> & { checksum: string };
    const stored = FIELDS.map((field) => terms[field] ?? '');
    if (checksum !== checksumOf(key, stored))
      throw new DamagedFile('A row of the search index is not as it was written.');
    this.#checked.add(key);
    return found;
  }
}
