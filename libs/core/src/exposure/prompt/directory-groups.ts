import { addTo } from '../../collections/records.js';
import { list, object, type OptionsOf, text } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globSet } from '../../tool/tool-name.js';

export const toolGroup = object({
  title: text(),
  /** Tells the model when to look here, for example for which kind of task. */
  trigger: text().optional(),
  namespaces: list(text()).optional(),
  tags: list(text()).optional(),
  /** Globs over canonical names. */
  names: list(glob()).optional(),
});

/** A group of the directory, defined by the application. */
export interface ToolGroup extends OptionsOf<typeof toolGroup> {}

/** A group with its tools, ordered by length of name, then in code unit order. */
export interface FilledGroup {
  readonly title: string;
  readonly trigger?: string;
  /** At least one tool. */
  readonly tools: readonly ToolDefinition[];
}

/**
 * Groups tools: the application's groups in their order, then one group per namespace in code unit order, of which
 * `core` holds the tools without a namespace. A tool is in the first group that takes it; a group without tools is left
 * out. The order of `tools` does not matter.
 *
 * @param byNamespace whether the remaining tools are grouped by namespace; otherwise they are left out
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
    else if (byNamespace) addTo(others, tool.namespace, tool);
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
