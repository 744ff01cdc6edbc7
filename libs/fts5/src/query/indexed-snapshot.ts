import {
  type CatalogSnapshot,
  type SearchAnswer,
  type ToolQuery,
  type ToolSet,
  toolText,
  verdictOn,
} from '@tool-search/core/engine';
import {
  asidesIn,
  fieldTerms,
  queryTerms,
  type QueryTerms,
  type ToolText,
  WITNESSES,
} from '@tool-search/core/internal';
import { matchTerms } from './match-terms.js';
import type { OpenFile } from '../open-file.js';
import { inTransaction } from '../file/sqlite-database.js';
import type { ViewTable } from './view-tables.js';

/** What a word adds to SQLite's bm25(), in which a word of middling rarity counts about 3. */
const WORD_WEIGHT = 0.1;
/** Of so many best rows at least, those come first whose tools have more of the request. */
const MIN_RANKED = 20;

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
    private readonly snapshot: CatalogSnapshot,
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
    const asked = queryTerms(text);
    const { terms, missing, truncated } = matchTerms(asked, {
      count: (term, atMost) => this.file.views.count(term, atMost),
      isInScope: (term, atMost) => this.#view(scope).has(term, atMost),
      isVisible: (term, atMost) => scope.size < visible.size && this.#view(visible).has(term, atMost),
    });
    const found = this.#view(scope)
      .best(terms, Math.max(2 * limit, MIN_RANKED))
      .map(({ tool, rank }) => {
        const text = toolText(this.snapshot.at(tool));
        const words = wordsOf(text, asked);
        // Verbs and small words tell siblings apart ("find_user", "turn_off"); bm25() does not see them.
        return { tool, words, score: scoreOf(rank, words + asidesIn(text.name, asked.asides)) };
      })
      .toSorted((left, right) => right.score - left.score);
    const witnesses = found.slice(0, WITNESSES).map(({ words }) => {
      return { score: words / Math.max(1, asked.words.length), words };
    });
    return {
      hits: found.slice(0, limit).map(({ tool, score }) => ({ id: tool, score, match: type })),
      searchType: { requested: type, effective: type },
      unmatched: missing,
      // SQLite's bm25() has no upper limit, so the share of the words replaces the score.
      verdict: verdictOn(witnesses, scope.size, 1),
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

/**
 * A score in (0, 1) from SQLite's bm25() (negative, smaller is better). bm25() is almost 0 for a word that more than half of
 * the tools have, as in a small catalog; so each word that the tool has adds a little of its own.
 */
function scoreOf(rank: number, words: number): number {
  const weight = Math.max(-rank, Number.MIN_VALUE) + WORD_WEIGHT * Math.max(1, words);
  return weight / (1 + weight);
}

function orderByName({ tools }: CatalogSnapshot): number[] {
  const nameOf = (id: number): string => tools[id]?.name ?? '';
  const order = tools.map((_, id) => id);
  return order.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a - b));
}

/** The number of query words that a tool has. */
function wordsOf(text: ToolText, { terms, words }: QueryTerms): number {
  const fields = Object.values(text).map((field: string) => fieldTerms(field));
  const own = new Set(fields.flatMap((field) => [...field.words, ...field.wholes]));
  return words.filter((word) => word.terms.some((position) => own.has(terms[position]?.term ?? ''))).length;
}
