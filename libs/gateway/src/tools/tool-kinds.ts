import type { ToolDefinition } from '@tool-search/core';

/** Claude Code cuts descriptions and instructions at 2 KB, and the application's own words need room too. */
const MAX_CHARS = 700;
const TAGS = 5;

const texts = new WeakMap<readonly ToolDefinition[], string>();

/**
 * One sentence about the tools that a search can find: namespaces by number of tools, each with its most frequent tags.
 * At most 700 characters. Equal sets of tools give equal texts.
 */
export function toolKinds(visible: readonly ToolDefinition[]): string {
  let text = texts.get(visible);
  if (text === undefined) texts.set(visible, (text = described(visible)));
  return text;
}

function described(visible: readonly ToolDefinition[]): string {
  const deferred = visible.filter(({ loading }) => loading === 'deferred');
  if (deferred.length === 0) return '';
  const groups = byCount(grouped(deferred, ({ namespace }) => namespace)).map(groupText);
  let text = `It finds ${deferred.length} tools: `;
  let shown = 0;
  for (const group of groups) {
    if (text.length + group.length > MAX_CHARS) break;
    text += shown++ === 0 ? group : `; ${group}`;
  }
  const more = groups.length - shown;
  return `${text}${more > 0 ? `; and ${more} more namespaces` : ''}.`;
}

function groupText([namespace, tools]: readonly [string, readonly ToolDefinition[]]): string {
  const tags = byCount(
    grouped(
      tools.flatMap((tool) => tool.tags),
      (tag) => tag,
    ),
  )
    .slice(0, TAGS)
    .map(([tag]) => tag);
  const name = namespace === '' ? 'core' : namespace;
  return `${name} (${tools.length}${tags.length === 0 ? '' : `: ${tags.join(', ')}`})`;
}

/** The largest first; of equal ones, by key. */
function byCount<T>(groups: ReadonlyMap<string, readonly T[]>): readonly (readonly [string, readonly T[]])[] {
  return [...groups].toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1));
}

// Map.groupBy is newer than Node 20.
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
