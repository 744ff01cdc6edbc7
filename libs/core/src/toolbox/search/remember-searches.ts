import type { RunShelf } from '../../activation/runs/run-shelf.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { LearnedQueries } from '../analytics/learned-queries.js';
import { searchKeys } from './search-notes.js';
import type { Found } from './tool-finder.js';

/** Remembers which words found what, until a call shows what they were good for. */
export function rememberSearches(shelf: RunShelf, { request, answers }: Found): void {
  if (request.type !== 'bm25' && request.type !== 'fts') return;
  for (const [index, query] of request.queries.entries()) shelf.searched(query, answers[index]?.names ?? []);
}

/** Remembers what was searched for in vain; whether all of it had been before. */
export function searchedInVain(shelf: RunShelf, found: Found): boolean {
  const vain = searchKeys(found).filter((_, index) => found.answers[index]?.verdict === 'none');
  return vain.map((key) => shelf.searchedInVain(key)).every((isKnown) => isKnown);
}

/** Learns which search led to a call that went well. Nobody waits for it: the call has done its work. */
export function learnFromCall(learned: LearnedQueries, shelf: RunShelf, tenantId: string, tool: ToolDefinition): void {
  const query = shelf.searchThatFound(tool.name);
  if (query !== undefined) void learned.learn(tenantId, tool, query);
}
