import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { StatisticsScope } from '../tool/snapshot/statistics-scope.js';
import type { SearchType, SearchVerdict } from '../tool/tool-event.js';
import type { ToolSet } from '../tool/snapshot/tool-set.js';
import type { LearnedOverlay } from './learned/learned-overlay.js';

/** A query whose length and characters have been checked. */
export interface ToolQuery {
  /** Words, a pattern in RE2 syntax, or a name; case is ignored. */
  readonly text: string;
  readonly type: SearchType;
  /** Maximum number of hits. */
  readonly limit: number;
  /** Only these tools may be hits; statistics still come from all visible tools. */
  readonly among?: ToolSet;
  /** Fields that a pattern may match. @default name, tags and description */
  readonly fields?: readonly PatternField[];
  /** Queries learned for the caller's tenant; an engine may ignore them. @default none */
  readonly learned?: LearnedOverlay;
  /** Whether hits report the parts of their scores. @default false */
  readonly explain?: boolean;
}

/** Tools that match a query are counted up to this number. */
export const MAX_MATCHING = 60;

/** A field that a pattern can match. */
export type PatternField = (typeof PATTERN_FIELDS)[number];

/** All values of {@link PatternField}. */
export const PATTERN_FIELDS = ['name', 'tags', 'description'] as const;

/** One tool that matched. */
export interface SearchHit {
  /** Dense id in the searched snapshot. */
  readonly id: number;
  /** Above 0, up to 1; comparable within one answer. */
  readonly score: number;
  /** The type of search that found it. */
  readonly match: SearchType;
  /** Words of the query that the tool has, directly, by a synonym or by learned queries; only for searches by words. */
  readonly matched?: readonly string[];
  /** Near-identical tools of the same source that this hit represents, best first. */
  readonly similar?: readonly number[];
  /** Parts of the score, largest first, that add up to it; only if the query asks to explain scores. */
  readonly parts?: readonly ScorePart[];
}

/** The contribution of one query word, of a bonus or of a deduction (negative) to a score. */
export interface ScorePart {
  /**
   * A field of the tool (`name`, `description`, `parameterNames` …), a bonus (`coverage`, `proximity`), or `agreement`: what a
   * tool loses whose name has verbs of another kind than the query.
   */
  readonly field: string;
  /** The word as written in the query; left out for a bonus that belongs to no single word. */
  readonly word?: string;
  /** The tool's form of the word if it differs: a synonym, or the corrected spelling. */
  readonly as?: string;
  readonly score: number;
}

/** The result of a search, best hits first. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly searchType: { readonly requested: SearchType; readonly effective: SearchType };
  /** Words of the query that no visible tool contains, without numbers; only for searches by words. */
  readonly unmatched: readonly string[];
  /**
   * How well the best hits match. `weak`: so little of the query that most likely no tool serves it; the hits are there
   * all the same. `none`: there are no hits, because no tool that may be one matches.
   */
  readonly verdict: SearchVerdict;
  /**
   * Number of visible tools that may be hits and have one of the query's words, hits included; {@link MAX_MATCHING} means
   * as many or more. Only for searches by words, and only if the engine counts them.
   */
  readonly matching?: number;
  /** The query had more words than an engine uses; the rest was ignored. */
  readonly truncated?: boolean;
}

/**
 * The difference between two snapshots; ids refer to `next`. A snapshot that extends another one (`next.below`) serves
 * one tenant or request, and there may be many at once: its cost should be proportional to what it adds, and nothing of
 * it may be kept or reach another caller.
 */
export interface CatalogChange {
  readonly next: CatalogSnapshot;
  /** The snapshot that `next` replaces or, if `next` extends another snapshot, that one. */
  readonly previous?: CatalogSnapshot;
}

/**
 * Finds tools by words, pattern or exact name.
 *
 * The catalog publishes a snapshot only after `apply` has resolved for it, and every search names its snapshot, so that
 * a search and the calls that follow it use the same tools. Scores, order, `unmatched` and `verdict` are exactly those of
 * an index that holds only the visible tools, unless `statistics` is declared to be global.
 */
export interface ToolIndex {
  /** Name of the engine in events. */
  readonly engine: string;
  /** If `global`, the module refuses options that hide tools from callers. @default 'visible' */
  readonly statistics?: StatisticsScope;
  /** Whether it can index snapshots that extend another one, beside the newest. @default false */
  readonly canFork?: boolean;
  /**
   * Prepares the index, once at boot and before the first `apply`. An error fails the boot.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` or `STORE_UNAVAILABLE`, with a hint
   */
  open?(): Promise<void>;
  /** Makes the next snapshot searchable. The previous one stays searchable while it is in use. */
  apply(change: CatalogChange): Promise<void>;
  /**
   * @param snapshot a snapshot for which `apply` has resolved
   * @param visible the tools the caller may see; equal scores are ordered by canonical name
   * @param signal stops the search, which then rejects with the signal's reason
   * @throws ToolSearchError `INVALID_PATTERN`, `PATTERN_UNSUPPORTED`, `PATTERN_TOO_COSTLY`
   */
  search(query: ToolQuery, snapshot: CatalogSnapshot, visible: ToolSet, signal?: AbortSignal): Promise<SearchAnswer>;
  /** Stops background work and releases files and connections. Called at shutdown, after the last search. */
  close?(): Promise<void>;
}
