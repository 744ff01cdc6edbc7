import {
  type CatalogChange,
  type CatalogSnapshot,
  isScan,
  isToolSearchError,
  scanSearch,
  type SearchAnswer,
  type ToolIndex,
  type ToolQuery,
  ToolSearchError,
  type ToolSet,
} from '@tool-search/core';
import { codeOf } from '../database/error-code.js';
import { DamagedFile, isDamage } from './damage.js';
import { checkedFts5Options, type Fts5ToolIndexOptions } from './fts5-tool-index.options.js';
import { openIndexFile } from './index-file.js';
import { IndexedSnapshot } from './indexed-snapshot.js';
import { patiently } from './patiently.js';
import { OpenFile } from './open-file.js';
import { openSqlite } from './sqlite-database.js';
import { wordsPattern } from './words-pattern.js';

const MAX_ATTEMPTS = 3;
// Rows are marked as in use several times before others would take them for unused.
const MARKS_PER_LIFE = 4;

/**
 * The durable engine: SQLite's FTS5 in a file of its own, which holds the terms of every tool over restarts. Ranks by
 * SQLite's bm25() with a weight for each field; answers `fts` and `bm25` alike.
 *
 * Word statistics are those of the whole file: of all tools, visible or not, of all processes that share it. So it breaks
 * the index law, and the module refuses it where callers see different tools, unless `acceptsGlobalStatistics` is set.
 * Which tools are hits is decided before anything is ranked or cut.
 */
export class Fts5ToolIndex implements ToolIndex {
  readonly engine = 'fts5';
  readonly law: 'broken' | 'waived';
  readonly #options: ReturnType<typeof checkedFts5Options>;
  readonly #snapshots = new WeakMap<CatalogSnapshot, IndexedSnapshot | 'unindexed'>();
  #file: Promise<OpenFile | undefined> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #hasStarted = false;

  /** @throws ToolSearchError `INVALID_CONFIGURATION`; opens nothing yet */
  constructor(options: Fts5ToolIndexOptions = {}) {
    this.#options = checkedFts5Options(options);
    this.law = this.#options.acceptsGlobalStatistics ? 'waived' : 'broken';
  }

  async open(): Promise<void> {
    await this.#opened();
  }

  async apply({ next }: CatalogChange): Promise<void> {
    if (this.#snapshots.has(next)) return;
    const { incremental, rebuildOnStart, keepUnusedMs } = this.#options;
    await this.#withFile(async (file) => {
      if (!file) return void this.#snapshots.set(next, 'unindexed');
      await this.#exclusively(async () => {
        const ids = await this.#sync(file, next, !incremental || (rebuildOnStart && !this.#hasStarted));
        await file.tools.removeUnused(ids, Date.now() - keepUnusedMs);
      });
    });
    this.#hasStarted = true;
  }

  async search(
    query: ToolQuery,
    snapshot: CatalogSnapshot,
    visible: ToolSet,
    signal?: AbortSignal,
  ): Promise<SearchAnswer> {
    if (!this.#snapshots.has(snapshot)) {
      throw new ToolSearchError('INTERNAL', 'This state of the catalog has not been indexed.');
    }
    signal?.throwIfAborted();
    if (isScan(query)) return scanSearch(query, snapshot, visible, signal);
    return this.#withFile(async (file) => {
      if (!file) return this.#scanInstead(query, snapshot, visible, signal);
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const indexed = this.#snapshots.get(snapshot);
        const isUsable = typeof indexed === 'object' && indexed.file === file && !this.#isForgotten(indexed);
        const answer = isUsable ? await patiently(() => indexed.search(query, visible), signal) : undefined;
        signal?.throwIfAborted();
        if (answer) return answer;
        await this.#exclusively(async () => {
          // Unless another search has seen to it meanwhile.
          if (this.#snapshots.get(snapshot) === indexed) await this.#sync(file, snapshot, false);
        });
      }
      throw new ToolSearchError('STORE_UNAVAILABLE', 'Another process keeps removing tools from the search index.', {
        hint: 'Give this application a search index of its own.',
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    const file = await this.#file?.catch(() => undefined);
    file?.close();
  }

  /** Without FTS5, from the snapshot alone. */
  async #scanInstead(
    query: ToolQuery,
    snapshot: CatalogSnapshot,
    visible: ToolSet,
    signal?: AbortSignal,
  ): Promise<SearchAnswer> {
    const effective = this.#options.fallback;
    const searchType = { requested: query.type, effective };
    const text = effective === 'regex' ? wordsPattern(query.text) : query.text;
    if (text === undefined) return { hits: [], searchType, unmatched: [], verdict: 'none' };
    return { ...(await scanSearch({ ...query, text, type: effective }, snapshot, visible, signal)), searchType };
  }

  async #sync(file: OpenFile, snapshot: CatalogSnapshot, rewrite: boolean): Promise<readonly number[]> {
    const { keepUnusedMs } = this.#options;
    const markedAt = Date.now();
    const removals = await patiently(() => file.tools.removals());
    const ids = await file.tools.sync(snapshot.tools, {
      rewrite,
      touchAfterMs: keepUnusedMs === 0 ? Number.POSITIVE_INFINITY : keepUnusedMs / MARKS_PER_LIFE,
    });
    this.#snapshots.set(snapshot, new IndexedSnapshot(file, snapshot, ids, removals, markedAt));
    return ids;
  }

  /** Whether other processes may soon take the snapshot's rows for unused. */
  #isForgotten({ markedAt }: IndexedSnapshot): boolean {
    const { keepUnusedMs } = this.#options;
    return keepUnusedMs > 0 && Date.now() - markedAt > keepUnusedMs / MARKS_PER_LIFE;
  }

  /** One writer at a time; processes take turns by SQLite's lock. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }

  /** Works with the file; opens it again where it turns out to be damaged, and takes a new one where that did not help. */
  async #withFile<T>(work: (file: OpenFile | undefined) => Promise<T>): Promise<T> {
    let isSuspect = false;
    for (let attempt = 1; ; attempt++) {
      const file = await this.#opened(isSuspect);
      try {
        return await work(file);
      } catch (error) {
        if (this.#isClosed && !isToolSearchError(error)) throw closed();
        const canRetry = attempt < MAX_ATTEMPTS && file !== undefined;
        if (!canRetry || !(isDamage(error) || file.isClosed)) throw storeError(error);
        isSuspect = error instanceof DamagedFile || attempt === MAX_ATTEMPTS - 1;
        this.#abandon(file);
      }
    }
  }

  #opened(isSuspect = false): Promise<OpenFile | undefined> {
    if (this.#isClosed) return Promise.reject(closed());
    if (!this.#file) {
      const { database, open = openSqlite } = this.#options;
      const opening = openIndexFile(database, open, isSuspect).then((db) => db && new OpenFile(db));
      this.#file = opening;
      opening.catch(() => {
        if (this.#file === opening) this.#file = undefined;
      });
    }
    return this.#file;
  }

  #abandon(file: OpenFile): void {
    if (file.isClosed) return;
    this.#file = undefined;
    file.close();
  }
}

function closed(): ToolSearchError {
  return new ToolSearchError('STORE_UNAVAILABLE', 'The search index has been closed.', {
    hint: 'Search before the application shuts down.',
  });
}

function storeError(cause: unknown): unknown {
  if (isToolSearchError(cause) || !codeOf(cause)?.startsWith('SQLITE_')) return cause;
  return new ToolSearchError('STORE_UNAVAILABLE', `The search index cannot be used (${codeOf(cause)}).`, {
    hint: 'Check the disk of its file and who else has it open. It is a cache: it may be deleted while nobody uses it.',
    cause,
  });
}
