import { ToolSearchError } from '../tool-search.error.js';

/**
 * The tools that a search engine's word statistics (term counts, document frequencies) count. `visible`: those that the
 * caller can see. `global`: also those that it cannot see. `global-accepted`: global, and the application accepts that.
 */
export type StatisticsScope = 'visible' | 'global' | 'global-accepted';

/** The properties of a search engine that access rules and catalogs depend on. */
export interface EngineTraits {
  readonly engine: string;
  /** @default 'visible' */
  readonly statistics?: StatisticsScope;
  /** Whether it can index tools of one tenant or request beside the shared tools. @default false */
  readonly canFork?: boolean;
}

/**
 * Refuses to give callers different sets of visible tools if the engine's statistics are global: scores and their order
 * would reveal hidden tools.
 *
 * @param reason the feature that makes the sets differ, for example `a visibility policy`
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkStatistics(index: EngineTraits | undefined, reason: string): void {
  if (index?.statistics !== 'global') return;
  throw new ToolSearchError(
    'INVALID_CONFIGURATION',
    `The search engine ${index.engine} cannot be combined with ${reason}: its word statistics count hidden tools too.`,
    {
      hint: 'Leave index out to search in memory, or accept with acceptsGlobalStatistics of the index that hidden tools sway scores and order.',
    },
  );
}

/** Refuses tools of one tenant or request if it cannot index them. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function checkForks(index: EngineTraits | undefined, whose: string): void {
  if (!index || index.canFork) return;
  throw new ToolSearchError(
    'INVALID_CONFIGURATION',
    `The search engine ${index.engine} does not know tools of ${whose}.`,
    {
      hint: 'Leave index out to search in memory, or use an index that sets canFork.',
    },
  );
}
