import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globSet } from '../../tool/tool-name.js';

/** A group of the directory that the application names itself. */
export interface ToolGroup {
  readonly title: string;
  /** When to look here, in words for the model; the kind of task belongs here too. */
  readonly trigger?: string;
  readonly namespaces?: readonly string[];
  readonly tags?: readonly string[];
  /** Globs over canonical names. */
  readonly names?: readonly string[];
}

/** A group with its tools: short names first, then by the alphabet. */
export interface FilledGroup {
  readonly title: string;
  readonly trigger?: string;
  /** At least one. */
  readonly tools: readonly ToolDefinition[];
}

/**
 * Tools in groups: the application's own in its order, then `core` for tools without a namespace, then
 * one for each namespace by the alphabet. A tool stands in the
 * first group that takes it; a group without tools is left out. The order of the tools makes no difference.
 *
 * @param byNamespace whether what no own group takes is grouped at all
 */
export function filledGroups(
  tools: readonly ToolDefinition[],
  groups: readonly ToolGroup[],
  byNamespace: boolean,
): readonly FilledGroup[] {
  const takers = groups.map(takerOf);
  const own = groups.map((): ToolDefinition[] => []);
  const others = new Map<string, ToolDefinition[]>();
  for (const tool of tools) {
    const members = own[takers.findIndex((takes) => takes(tool))];
    if (members) members.push(tool);
    else if (byNamespace) memberOf(others, tool);
  }
  const named = groups.map(({ title, trigger }, index) => ({
    title,
    ...(trigger !== undefined && { trigger }),
    tools: (own[index] ?? []).toSorted(byLength),
  }));
  const rest = [...others]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([namespace, members]) => ({ title: namespace || 'core', tools: members.toSorted(byLength) }));
  return [...named.filter((group) => group.tools.length > 0), ...rest];
}

function memberOf(groups: Map<string, ToolDefinition[]>, tool: ToolDefinition): void {
  const members = groups.get(tool.namespace);
  if (members) members.push(tool);
  else groups.set(tool.namespace, [tool]);
}

function byLength({ name: left }: ToolDefinition, { name: right }: ToolDefinition): number {
  return left.length - right.length || (left < right ? -1 : 1);
}

function takerOf(group: ToolGroup): (tool: ToolDefinition) => boolean {
  const named = globSet(group.names ?? []);
  return (tool) =>
    (group.namespaces?.includes(tool.namespace) ?? false) ||
    (group.tags?.some((tag) => tool.tags.includes(tag)) ?? false) ||
    named(tool.name);
}
