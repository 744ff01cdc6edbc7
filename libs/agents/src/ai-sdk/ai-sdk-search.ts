import type { Toolbox, ToolDefinition } from '@tool-search/core';
import { type NamedTool, type NamedTools, namedTools } from './named-tools.js';
import { OwnToolIndex } from './own-tool-index.js';

/** What `toolSearch()` of the AI SDK asks its `search` callback. */
export interface AiSdkSearchRequest {
  readonly query: string;
  /** The deferred tools that the generation may list. */
  readonly tools: readonly NamedTool[];
}

/** Settings of {@link aiSdkSearch}. */
export interface AiSdkSearchOptions {
  /** Hits among the toolbox's tools, and among the others; give it the `maxResults` of `toolSearch()`. @default 5 */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 5;

/**
 * The search of a toolbox for the AI SDK's own `toolSearch()`: `toolSearch({ search: aiSdkSearch(toolbox) })`. Belongs to one
 * toolbox, so to one request. Needs ai 7.0.127.
 *
 * Of the tools in the same generation, those that the toolbox has are found by their whole definitions, like in `tool_search`;
 * all others by their names and descriptions. A tool that the toolbox has and its caller cannot see now is never found, and
 * neither is a meta tool. A tool is the toolbox's if it has its canonical name, its wire name or an alias, also with a number
 * behind it (`name_2`), as `aiSdk` gives it.
 *
 * It decides what is found, not what may run: only calls through a toolbox, such as those of `aiSdk`, pass the gate.
 *
 * The returned function rejects with a ToolSearchError: `INVALID_QUERY`, `QUERY_TOO_LONG`, `GATE_CLOSED`, `STORE_UNAVAILABLE`,
 * `INVALID_REQUEST` if the search is switched off, `INVALID_CONFIGURATION` for more than 10,000 tools that are not the toolbox's.
 */
export function aiSdkSearch(
  toolbox: Toolbox,
  { limit = DEFAULT_LIMIT }: AiSdkSearchOptions = {},
): (request: AiSdkSearchRequest) => Promise<string[]> {
  const own = new OwnToolIndex();
  return async ({ query, tools }) => {
    const named = await namedTools(toolbox, tools);
    const found = await foundIn(toolbox, named, { query, limit });
    const others = await own.search(named.others, query, limit);
    // A score says how much of the query a tool has, so those of two lists compare. Sorting keeps the order of equal scores.
    const hits = [...found.hits, ...others].sort((a, b) => b.score - a.score);
    return [...hits.flatMap(({ names }) => names), ...found.similar];
  };
}

async function foundIn(
  toolbox: Toolbox,
  named: NamedTools,
  { query, limit }: { readonly query: string; readonly limit: number },
) {
  if (named.ofToolbox.size === 0) return { hits: [], similar: [] };
  // Tools that the generation may not list must not take the places of those that it may.
  const isNamed = ({ name }: ToolDefinition) => named.ofToolbox.has(name);
  const searched = named.hasAllVisible ? toolbox : toolbox.narrow({ filter: isNamed });
  const { tools } = await searched.search({ query, limit, includeAlwaysLoaded: true });
  return {
    hits: tools.map(({ name, score }) => ({ names: named.ofToolbox.get(name) ?? [], score })),
    // A model cannot ask for them in another way.
    similar: tools.flatMap(({ similar }) => similar?.names.flatMap((name) => named.ofToolbox.get(name) ?? []) ?? []),
  };
}
