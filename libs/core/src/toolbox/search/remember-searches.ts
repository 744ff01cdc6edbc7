import type { RunToolState } from '../../activation/runs/run-tool-state.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { LearnedQueries } from '../analytics/learned-queries.js';
import { searchKeys } from './search-notes.js';
import type { Found } from './tool-finder.js';

/** Records which tools each query found, so that a later call can be attributed to its query. */
export function rememberSearches(shelf: RunToolState, { request, answers }: Found): void {
  if (request.type !== 'bm25' && request.type !== 'fts') return;
  for (const [index, query] of request.queries.entries()) shelf.searched(query, answers[index]?.names ?? []);
}

/** Records the queries without hits. Returns whether all of them had been recorded before. */
export function searchedInVain(shelf: RunToolState, found: Found): boolean {
  const vain = searchKeys(found).filter((_, index) => found.answers[index]?.verdict === 'none');
  return vain.map((key) => shelf.searchedInVain(key)).every((isKnown) => isKnown);
}

/** Learns the query that led to a successful call. Runs in the background, because the call is already complete. */
export function learnFromCall(
  learned: LearnedQueries,
  shelf: RunToolState,
  tenantId: string,
  tool: ToolDefinition,
): void {
  const query = shelf.searchThatFound(tool.name);
  if (query !== undefined) void learned.learn(tenantId, tool, query);
}
