import { ToolSearchError } from '../tool-search.error.js';

/**
 * Whether a search engine computes its word statistics (term counts, document frequencies) from visible tools alone.
 * `kept`: it does. `broken`: the statistics also count tools that the caller cannot see. `waived`: broken, and the
 * application has accepted that.
 */
export type IndexLaw = 'kept' | 'broken' | 'waived';

/** The properties of a search engine that access rules and catalogs depend on. */
export interface LawfulEngine {
  readonly engine: string;
  /** @default 'kept' */
  readonly law?: IndexLaw;
  /** Whether it can index tools of one tenant or request beside the shared tools. @default false */
  readonly canFork?: boolean;
}

/**
 * Refuses to give callers different sets of visible tools if the engine breaks the index law: scores and their order
 * would reveal hidden tools.
 *
 * @param reason the feature that makes the sets differ, for example `a visibility policy`
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkIndexLaw(index: LawfulEngine | undefined, reason: string): void {
  if (index?.law !== 'broken') return;
  throw new ToolSearchError(
    'INVALID_CONFIGURATION',
    `The search engine ${index.engine} cannot be combined with ${reason}: its word statistics count hidden tools too.`,
    {
      hint: 'Leave index out to search in memory, or accept with acceptsGlobalStatistics of the index that hidden tools sway scores and order.',
    },
  );
}

/**
 * Refuses tools of one tenant or request if the engine cannot index them.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkForks(index: LawfulEngine | undefined, whose: string): void {
  if (!index || index.canFork) return;
  throw new ToolSearchError(
    'INVALID_CONFIGURATION',
    `The search engine ${index.engine} does not know tools of ${whose}.`,
    {
      hint: 'Leave index out to search in memory, or use an index that sets canFork.',
    },
  );
}
