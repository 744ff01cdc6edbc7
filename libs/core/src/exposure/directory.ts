import type { ToolDefinition } from '../tool/tool-definition.js';
import { globSet } from '../tool/tool-name.js';

/** A group of the directory that the application names itself. */
export interface ToolGroup {
  readonly title: string;
  /** When to look here, in words for the model. */
  readonly trigger?: string;
  readonly namespaces?: readonly string[];
  readonly tags?: readonly string[];
  /** Globs over canonical names. */
  readonly names?: readonly string[];
}

/** Settings of the directory. */
export interface DirectoryOptions {
  /** @default false */
  readonly enabled?: boolean;
  /** 1 to 100. @default 20 */
  readonly maxGroups?: number;
  /** 0 to 50. @default 6 */
  readonly maxToolsPerGroup?: number;
  /** @default true */
  readonly includeToolCounts?: boolean;
  /** Group what no own group takes by namespace. @default true */
  readonly includeDefaultGroups?: boolean;
  readonly groups?: readonly ToolGroup[];
}

/** The directory's text and what it shows. */
export interface Directory {
  readonly text: string;
  readonly groups: number;
  readonly tools: number;
}

/**
 * A table of contents of the tools that can be searched. A tool stands in the first group that takes it.
 *
 * @param shown the name a model knows a tool by
 */
export function renderDirectory(
  tools: readonly ToolDefinition[],
  options: DirectoryOptions,
  shown: (canonical: string) => string = (name) => name,
): Directory {
  const taken = new Map<string, { trigger?: string; tools: ToolDefinition[] }>();
  const own = (options.groups ?? []).map((group) => ({ group, takes: takerOf(group) }));
  for (const tool of tools) {
    const group = own.find(({ takes }) => takes(tool))?.group;
    if (!group && options.includeDefaultGroups === false) continue;
    const title = group?.title ?? tool.namespace;
    const entry = taken.get(title) ?? { ...(group?.trigger !== undefined && { trigger: group.trigger }), tools: [] };
    entry.tools.push(tool);
    taken.set(title, entry);
  }
  const ownTitles = own.map(({ group }) => group.title);
  const rank = (title: string) => ownTitles.indexOf(title) + 1 || ownTitles.length + 1;
  const groups = [...taken]
    .toSorted(([left], [right]) => rank(left) - rank(right) || (left < right ? -1 : 1))
    .slice(0, options.maxGroups ?? 20);
  const perGroup = options.maxToolsPerGroup ?? 6;
  let listed = 0;
  const lines = groups.map(([title, { trigger, tools: members }]) => {
    const names = members
      .map((tool) => tool.name)
      .toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1))
      .slice(0, perGroup);
    listed += names.length;
    const count = options.includeToolCounts === false ? '' : ` (${members.length})`;
    const more = names.length > 0 && names.length < members.length ? ', …' : '';
    return `- ${title}${count}${trigger === undefined ? '' : ` — ${trigger}`}${names.length > 0 ? `: ${names.map(shown).join(', ')}${more}` : ''}`;
  });
  const text =
    lines.length === 0
      ? ''
      : `<tool_directory>\nTools you can find with tool_search:\n${lines.join('\n')}\n</tool_directory>`;
  return { text, groups: groups.length, tools: listed };
}

function takerOf(group: ToolGroup): (tool: ToolDefinition) => boolean {
  const named = globSet(group.names ?? []);
  return (tool) =>
    (group.namespaces?.includes(tool.namespace) ?? false) ||
    (group.tags?.some((tag) => tool.tags.includes(tag)) ?? false) ||
    named(tool.name);
}
