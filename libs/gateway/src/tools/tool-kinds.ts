import type { ToolDefinition } from '@tool-search/core';
import { addTo, isForApps } from '@tool-search/core/internal';

/** The kinds of tools that a search can find, in a long and a short sentence. */
export interface ToolKinds {
  /**
   * For the server's instructions, at most about 700 characters: Claude Code cuts them at 2 KB, and the application's own
   * words need room too.
   */
  readonly full: string;
  /** For the description of the search, at most about 170 characters, because many clients also show the instructions. */
  readonly short: string;
}

const FULL = { chars: 650, tags: 5 };
const SHORT = { chars: 120, tags: 0 };

const texts = new WeakMap<readonly ToolDefinition[], ToolKinds>();

/**
 * The namespaces of the tools that a search can find, by number of tools, each with its most frequent tags where there
 * is room for them. Every request to a model repeats both sentences. Equal sets of tools give equal texts.
 */
export function toolKinds(visible: readonly ToolDefinition[]): ToolKinds {
  let kinds = texts.get(visible);
  if (!kinds) texts.set(visible, (kinds = { full: described(visible, FULL), short: described(visible, SHORT) }));
  return kinds;
}

function described(visible: readonly ToolDefinition[], { chars, tags }: typeof FULL): string {
  const deferred = visible.filter((tool) => tool.loading === 'deferred' && !isForApps(tool));
  if (deferred.length === 0) return '';
  const groups = byCount(grouped(deferred, ({ namespace }) => namespace)).map((group) => groupText(group, tags));
  const shown: string[] = [];
  let length = 0;
  for (const group of groups) {
    if ((length += group.length + 2) > chars) break;
    shown.push(group);
  }
  const more = groups.length - shown.length;
  const rest = more === 0 ? [] : [`and ${more} more namespaces`];
  return `It finds ${deferred.length} tools: ${[...shown, ...rest].join(', ')}.`;
}

function groupText([namespace, tools]: readonly [string, readonly ToolDefinition[]], maxTags: number): string {
  const tags = byCount(
    grouped(
      tools.flatMap((tool) => tool.tags),
      (tag) => tag,
    ),
  )
    .slice(0, maxTags)
    .map(([tag]) => tag);
  const name = namespace === '' ? 'core' : namespace;
  return tags.length === 0 ? name : `${name} (${tags.join(', ')})`;
}

/** The largest first; of equal ones, by key. */
function byCount<T>(groups: ReadonlyMap<string, readonly T[]>): readonly (readonly [string, readonly T[]])[] {
  return [...groups].toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1));
}

// Map.groupBy is newer than Node 20.
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
