import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { IndexLaw } from '../tool/snapshot/index-law.js';
import type { SearchType } from '../tool/tool-event.js';
import type { ToolSet } from '../tool/snapshot/tool-set.js';
import type { LearnedOverlay } from './learned/learned-overlay.js';

/** A query whose bounds have been checked. */
export interface ToolQuery {
  /** Words, a pattern in RE2 syntax, or a name; matched without regard to case. */
  readonly text: string;
  readonly type: SearchType;
  /** How many hits at most. */
  readonly limit: number;
  /** Only these tools may be hits; statistics still come from all visible ones. */
  readonly among?: ToolSet;
  /** Where a pattern may match. @default name, tags and description */
  readonly fields?: readonly PatternField[];
  /** What the caller's tenant has learned from use; an engine may do without. @default nothing */
  readonly learned?: LearnedOverlay;
  /** Say what each score is made of. @default false */
  readonly explain?: boolean;
}

/** What a pattern can be matched against. */
export type PatternField = 'name' | 'tags' | 'description';

/** One tool that matched. */
export interface SearchHit {
  /** Dense id in the searched snapshot. */
  readonly id: number;
  /** Above 0, up to 1; comparable within one answer. */
  readonly score: number;
  /** How it matched. */
  readonly match: SearchType;
  /** The query's words that this tool has, themselves, by another word or by what was learned; only for searches by words. */
  readonly matched?: readonly string[];
  /** Near-identical tools of the same source for which this hit stands, best first. */
  readonly similar?: readonly number[];
  /** The score's parts, largest first; only when asked for. They add up to the score. */
  readonly parts?: readonly ScorePart[];
}

/** What one word of a query, or the way its words stand together, adds to a score. */
export interface ScorePart {
  /** A field of the tool (`name`, `description`, `parameterNames` …), or a bonus (`coverage`, `proximity`). */
  readonly field: string;
  /** The word as the query has it; left out for a bonus that belongs to no single word. */
  readonly word?: string;
  /** How the tool has the word, where it differs: a synonym, or the corrected spelling. */
  readonly as?: string;
  readonly score: number;
}

/** What a search found, best first. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly searchType: { readonly requested: SearchType; readonly effective: SearchType };
  /** Words of the query that no visible tool knows, without numbers; only for searches by words. */
  readonly unmatched: readonly string[];
  /** `none`: nothing the caller may see (and asked to look among) fits, so there are no hits. */
  readonly verdict: 'found' | 'none';
  /** The query had more words than are looked at; the rest was ignored. */
  readonly truncated?: boolean;
}

/**
 * The difference between two snapshots; ids refer to `next`. One that lies on another (`next.below`) is for one tenant or request
 * alone, beside any number of others: it should cost what it adds, and nothing of it may be kept or reach anybody else.
 */
export interface CatalogChange {
  readonly next: CatalogSnapshot;
  /** Where `next` lies on another snapshot, that one. */
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
  /** Whether the law below holds; where it is `broken`, the module refuses what lets callers see different tools. @default 'kept' */
  readonly law?: IndexLaw;
  /** Whether it takes up snapshots that lie on another one, beside the newest. @default false */
  readonly canFork?: boolean;
  /**
   * Gets ready, once at boot and before the first `apply`. Throwing fails the boot.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` or `STORE_UNAVAILABLE`, with what to do
   */
  open?(): Promise<void>;
  /** Makes the next snapshot searchable; the previous one stays so while it is in use. */
  apply(change: CatalogChange): Promise<void>;
  /**
   * @param snapshot one that `apply` has resolved for
   * @param visible the tools the caller may see; ties break by canonical name
   * @param signal ends the search early; it then rejects with the signal's reason
   * @throws ToolSearchError `INVALID_PATTERN`, `PATTERN_UNSUPPORTED`, `PATTERN_TOO_COSTLY`
   */
  search(query: ToolQuery, snapshot: CatalogSnapshot, visible: ToolSet, signal?: AbortSignal): Promise<SearchAnswer>;
  /** Ends its work in the background, lets go of files and connections; at shutdown and after the last search. */
  close?(): Promise<void>;
}
