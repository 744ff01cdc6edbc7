import { isToolSearchError, ToolSearchError } from '@tool-search/core';
import { TimeSlicer, preparingSynonyms } from '@tool-search/core/internal';
import {
  type CatalogChange,
  type CatalogSnapshot,
  type SearchAnswer,
  type ToolIndex,
  type ToolQuery,
  type ToolSet,
  isScan,
  scanSearch,
} from '@tool-search/core/engine';
import { DamagedFile, isDamage } from './file/damage.js';
import { checkedFts5Options, type Fts5ToolIndexOptions } from './fts5-tool-index.options.js';
import { openIndexFile } from './file/index-file.js';
import { IndexedSnapshot } from './query/indexed-snapshot.js';
import { OpenFile } from './open-file.js';
import { codeOf, openSqlite, retryWhileBusy } from './file/sqlite-database.js';
import { wordsPattern } from './query/words-pattern.js';

const MAX_ATTEMPTS = 3;
const SLICE_MS = 5;
// Rows are marked as used several times within the period after which other processes remove them.
const MARKS_PER_LIFE = 4;

/**
 * A durable search index: SQLite FTS5 in its own file, which keeps the terms of every tool across restarts. Ranks with
 * SQLite's bm25() and a weight per field; `fts` and `bm25` give the same results.
 *
 * Word statistics cover the whole file: all tools of all processes that share it, visible or hidden. Scores therefore
 * depend on hidden tools, and the module rejects this index where callers see different tools, unless
 * `acceptsGlobalStatistics` is set. Hidden tools are excluded before results are ranked or cut.
 */
export class Fts5ToolIndex implements ToolIndex {
  readonly engine = 'fts5';
  readonly statistics: 'global' | 'global-accepted';
  readonly #options: ReturnType<typeof checkedFts5Options>;
  readonly #snapshots = new WeakMap<CatalogSnapshot, IndexedSnapshot | 'unindexed'>();
  #file: Promise<OpenFile | undefined> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #hasStarted = false;

  /** Opens nothing yet. @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor(options: Fts5ToolIndexOptions = {}) {
    this.#options = checkedFts5Options(options);
    this.statistics = this.#options.acceptsGlobalStatistics ? 'global-accepted' : 'global';
  }

  async open(): Promise<void> {
    await this.#opened();
    await new TimeSlicer(SLICE_MS).run(preparingSynonyms());
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
        const answer = isUsable ? await retryWhileBusy(() => indexed.search(query, visible), signal) : undefined;
        signal?.throwIfAborted();
        if (answer) return answer;
        await this.#exclusively(async () => {
          // Skipped if another search has done it meanwhile.
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
    const removals = await retryWhileBusy(() => file.tools.removals());
    const ids = await file.tools.sync(snapshot.tools, {
      rewrite,
      touchAfterMs: keepUnusedMs === 0 ? Number.POSITIVE_INFINITY : keepUnusedMs / MARKS_PER_LIFE,
    });
    this.#snapshots.set(snapshot, new IndexedSnapshot(file, snapshot, ids, removals, markedAt));
    return ids;
  }

  /** Whether other processes may soon remove the snapshot's rows as unused. */
  #isForgotten({ markedAt }: IndexedSnapshot): boolean {
    const { keepUnusedMs } = this.#options;
    return keepUnusedMs > 0 && Date.now() - markedAt > keepUnusedMs / MARKS_PER_LIFE;
  }

  /** Runs one writer of this process at a time; processes are serialized by SQLite's lock. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }

  /** Runs work with the file. A damaged file is reopened; if that does not help, a new file replaces it. */
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
