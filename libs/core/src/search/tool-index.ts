import type { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import type { SearchType } from '../tool/tool-event.js';
import type { ToolSet } from '../tool/tool-set.js';

/** A query whose bounds have been checked. */
export interface ToolQuery {
  /** Words, a pattern in RE2 syntax, or a name; matched without regard to case. */
  readonly text: string;
  readonly type: SearchType;
  /** How many hits at most. */
  readonly limit: number;
  /** Only these tools may be hits; statistics still come from all visible ones. */
  readonly among?: ToolSet;
}

/** One tool that matched. */
export interface SearchHit {
  /** Dense id in the searched snapshot. */
  readonly id: number;
  /** Above 0, up to 1; comparable within one answer. */
  readonly score: number;
  /** How it matched. */
  readonly match: SearchType;
}

/** What a search found, best first. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly searchType: { readonly requested: SearchType; readonly effective: SearchType };
  /** Words of the query that no visible tool knows, without numbers; only for searches by words. */
  readonly unmatched: readonly string[];
  /** `none`: nothing the caller may see (and asked to look among) fits, so there are no hits. */
  readonly verdict: 'found' | 'none';
}

/** The difference between two snapshots; ids refer to `next`. */
export interface CatalogChange {
  readonly next: CatalogSnapshot;
  readonly previous?: CatalogSnapshot;
}

/**
 * Finds tools by words, pattern or exact name.
 *
 * The catalog publishes a snapshot only after `apply` has resolved for it, and a search always names the snapshot it is
 * about, so that a search and the calls that follow it speak of the same tools. **Law:** scores, order, `unmatched` and
 * `verdict` are exactly those of an index that holds only the visible tools.
 */
export interface ToolIndex {
  /** Names the engine in events. */
  readonly engine: string;
  /** Makes the next snapshot searchable; the previous one stays so while it is in use. */
  apply(change: CatalogChange): Promise<void>;
  /**
   * @param snapshot one that `apply` has resolved for
   * @param visible the tools the caller may see; ties break by canonical name
   * @param signal ends the search early; it then rejects with the signal's reason
   * @throws ToolSearchError `INVALID_PATTERN`, `PATTERN_UNSUPPORTED`, `PATTERN_TOO_COSTLY`
   */
  search(query: ToolQuery, snapshot: CatalogSnapshot, visible: ToolSet, signal?: AbortSignal): Promise<SearchAnswer>;
}
