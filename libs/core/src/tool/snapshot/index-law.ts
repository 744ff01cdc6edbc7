import { ToolSearchError } from '../tool-search.error.js';

/**
 * Whether a search engine keeps the index law. `broken`: its word statistics also count tools that the caller may not
 * see. `waived`: broken, and the application has accepted that.
 */
export type IndexLaw = 'kept' | 'broken' | 'waived';

/** What the rest of the application must know of a search engine. */
export interface LawfulEngine {
  readonly engine: string;
  /** @default 'kept' */
  readonly law?: IndexLaw;
  /** Whether it takes up tools of one tenant or request beside those that everybody shares. @default false */
  readonly canFork?: boolean;
}

/**
 * Refuses what lets callers see different tools where the engine breaks the index law: scores and their order would tell
 * of hidden tools.
 *
 * @param reason what lets them, for example `a visibility policy`
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
 * Refuses tools that not everybody shares where the engine cannot take them up.
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
