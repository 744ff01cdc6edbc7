import type { ToolContent, ToolResult } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import type { WireStep } from './wire-toolbox.js';

// Fields that a provider shows with the definition of a referenced tool, and fields that only matter before a tool is
// chosen.
const SHOWN_BY_PROVIDER = new Set(
  'name title description inputSchema input_schema parameters outputSchema tags authScopes score match why loading active'.split(
    ' ',
  ),
);

/**
 * The part of a meta tool's answer that remains when the tools it names are shown by reference: refusals, notices,
 * unmatched words, names that were not found, examples and side effects. Undefined where nothing remains.
 *
 * @param referenced names as they are in the answer
 */
export function residualContent(result: ToolResult, referenced: ReadonlySet<string>): string | undefined {
  if (!result.ok || !isObject(result.structured)) return undefined;
  const rest = Object.entries(result.structured).flatMap(([key, value]) => {
    const left = leftOf(key, value, referenced);
    return left === undefined ? [] : [[key, left] as const];
  });
  return rest.length === 0 ? undefined : JSON.stringify(Object.fromEntries(rest));
}

/** The content of an answer without its JSON form. */
export function besideJson(result: Extract<ToolResult, { ok: true }>): readonly ToolContent[] {
  const json = JSON.stringify(result.structured);
  return result.content.filter((block) => block.type !== 'text' || block.text !== json);
}

// Every search returns these fields; beside callable tools they contain no information.
const OF_EVERY_SEARCH = new Set(['searchType', 'totalDeferred', 'shown']);

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

/** Text that replaces a reference to a tool that is not declared as deferred. */
export function staleText(name: string, isListed: boolean): string {
  return isListed ? `You can call ${name}.` : `${name} is no longer available.`;
}

/**
 * Names of tools that the provider defers until they are shown by reference. A listed tool without a reference in the
 * messages, because it was activated in an earlier conversation or the messages were trimmed, is not deferred:
 * otherwise the model could not see it.
 */
export function deferredNames({ tools }: WireStep, referenced: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, isDeferred }) => (isDeferred && referenced.has(name) ? [name] : [])));
}
