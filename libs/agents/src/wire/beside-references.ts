import { isObject, type ToolContent, type ToolResult } from '@tool-search/core';

// What a provider says itself when it shows the definition of a referenced tool, and what only matters for a choice that
// has been made.
const SHOWN_BY_PROVIDER = new Set(
  'name title description inputSchema input_schema parameters outputSchema tags authScopes score match why loading active'.split(
    ' ',
  ),
);

/**
 * What is left to say of a meta tool's answer when the tools it names are shown by reference: refusals, notices, words
 * that matched nothing, names that were not found, examples and side effects. Undefined where the references say it all.
 *
 * @param referenced names as the answer has them
 */
export function besideReferences(result: ToolResult, referenced: ReadonlySet<string>): string | undefined {
  if (!result.ok || !isObject(result.structured)) return undefined;
  const rest = Object.entries(result.structured).flatMap(([key, value]) => {
    const left = leftOf(key, value, referenced);
    return left === undefined ? [] : [[key, left] as const];
  });
  return rest.length === 0 ? undefined : JSON.stringify(Object.fromEntries(rest));
}

/** Content of an answer that is not its JSON form. */
export function besideJson(result: Extract<ToolResult, { ok: true }>): readonly ToolContent[] {
  const json = JSON.stringify(result.structured);
  return result.content.filter((block) => block.type !== 'text' || block.text !== json);
}

// Every search says these; beside tools that are there to be called they tell nothing.
const OF_EVERY_SEARCH = new Set(['searchType', 'totalDeferred']);

function leftOf(key: string, value: unknown, referenced: ReadonlySet<string>): unknown {
  if (OF_EVERY_SEARCH.has(key) || (key === 'verdict' && value === 'found')) return undefined;
  if (!Array.isArray(value)) return value;
  const left = value.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return referenced.has(entry) ? [] : [entry];
    if (!isObject(entry) || typeof entry['name'] !== 'string' || !referenced.has(entry['name'])) return [entry];
    const more = Object.entries(entry).filter(([field]) => !SHOWN_BY_PROVIDER.has(field));
    return more.length === 0 ? [] : [{ name: entry['name'], ...Object.fromEntries(more) }];
  });
  return left.length === 0 ? undefined : left;
}
