import {
  type CatalogSnapshot,
  queryTerms,
  type SearchAnswer,
  type ToolQuery,
  type ToolSet,
} from '@tool-search/core/engine';
import { matchTerms } from './match-terms.js';
import type { OpenFile } from '../open-file.js';
import { inTransaction } from '../file/sqlite-database.js';
import type { ViewTable } from './view-tables.js';

let made = 0;

/** The rows of one snapshot's tools in one open file, and the word search over them. */
export class IndexedSnapshot {
  // Identifies this state of the snapshot in view keys.
  readonly #serial = ++made;
  readonly #byName: readonly number[];

  /**
   * @param ids rows by dense id
   * @param removals number of rows ever removed from the file at the time when all of these rows existed
   * @param markedAt epoch milliseconds at which the rows were last marked as used
   */
  constructor(
    readonly file: OpenFile,
    snapshot: CatalogSnapshot,
    private readonly ids: readonly number[],
    private removals: number,
    readonly markedAt: number,
  ) {
    this.#byName = orderByName(snapshot);
  }

  /** Searches in one transaction, synchronously. @returns undefined if rows are missing */
  search(query: ToolQuery, visible: ToolSet): SearchAnswer | undefined {
    const { db, views } = this.file;
    try {
      return inTransaction(db, 'DEFERRED', () => (this.#isComplete() ? this.#ranked(query, visible) : undefined));
    } catch (error) {
      // The rollback also removes the views created in this transaction.
      if (!this.file.isClosed) views.clear();
      throw error;
    }
  }

  #isComplete(): boolean {
    const removals = this.file.tools.removals();
    if (removals === this.removals) return true;
    if (!this.file.tools.has(this.ids)) return false;
    this.removals = removals;
    return true;
  }

  #ranked({ text, type, limit, among }: ToolQuery, visible: ToolSet): SearchAnswer {
    const scope = among ? visible.filter((id) => among.has(id)) : visible;
    const { terms, missing, truncated } = matchTerms(queryTerms(text), {
      count: (term, atMost) => this.file.views.count(term, atMost),
      isInScope: (term, atMost) => this.#view(scope).has(term, atMost),
      isVisible: (term, atMost) => scope.size < visible.size && this.#view(visible).has(term, atMost),
    });
    const found = this.#view(scope).best(terms, limit);
    return {
      hits: found.map(({ tool, rank }) => ({ id: tool, score: scoreOf(rank), match: type })),
      searchType: { requested: type, effective: type },
      unmatched: missing,
      verdict: found.length > 0 ? 'found' : 'none',
      ...(truncated && { truncated }),
    };
  }

  #view(tools: ToolSet): ViewTable {
    return this.file.views.get(`${this.#serial} ${tools.fingerprint}`, () => {
      const members = this.#byName.filter((tool) => tools.has(tool));
      return { tools: members, rows: members.map((tool) => this.ids[tool] ?? 0) };
    });
  }
}

/** Converts SQLite's bm25() (negative, smaller is better) to a score in (0, 1]. */
function scoreOf(rank: number): number {
  const weight = Math.max(-rank, Number.MIN_VALUE);
  return weight / (1 + weight);
}

function orderByName({ tools }: CatalogSnapshot): number[] {
  const nameOf = (id: number): string => tools[id]?.name ?? '';
  const order = tools.map((_, id) => id);
  return order.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a - b));
}
