import { flag, list, object, oneOf, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import type { TokenCounter } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { cutLine, oneLine } from '../../toolbox/search/short-lines.js';
import { type FilledGroup, filledGroups, toolGroup } from './directory-groups.js';

/** Detail of each group in the directory: tools with descriptions, names of tools, or the number of tools. */
export type DirectoryDetail = (typeof DETAILS)[number];

const DETAILS = ['full', 'names', 'groups'] as const;

/** The detail that fits the budget; `counts` is one line for all groups. */
export type DirectoryLevel = DirectoryDetail | 'counts' | 'none';

export const directoryOptions = object({
  /** @default false */
  enabled: flag().default(false),
  /** Detail of each group if the budget allows it. @default 'names' */
  detail: oneOf(...DETAILS).default('names'),
  /**
   * Maximum number of tokens; 0 = no limit. Beyond it the detail is reduced: the largest groups first, to names, then
   * to counts; then one count of all tools; then no directory. @default 4000
   */
  maxTokens: whole(0, 1_000_000).default(4000),
  /** 1 to 100. @default 20; all groups if `detail` is `full` */
  maxGroups: whole(1, 100).optional(),
  /** 0 to 50. @default 6; all tools if `detail` is `full` */
  maxToolsPerGroup: whole(0, 50).optional(),
  /** @default true */
  includeToolCounts: flag().default(true),
  /** Groups the remaining tools by namespace. @default true */
  includeDefaultGroups: flag().default(true),
  /** Groups of the application, in this order. @default [] */
  groups: list(toolGroup).default([]),
});

/** DirectorySettings of the directory. */
export interface DirectoryOptions extends OptionsOf<typeof directoryOptions> {}

export type DirectorySettings = SettingsOf<typeof directoryOptions>;

export interface Directory {
  readonly text: string;
  /** The most detail that any group has. */
  readonly level: DirectoryLevel;
  /** Number of groups with one level less detail, because of the budget. */
  readonly collapsed: number;
  readonly groups: number;
  readonly tools: number;
}

export interface DirectoryTerms {
  /** Maps a canonical name to the name that the model knows. */
  readonly shown: (canonical: string) => string;
  /** Name of the meta tool that searches. */
  readonly search: string;
  readonly count: TokenCounter;
}

/** The length to which Mastra truncates descriptions in its prompt catalog. */
const DESCRIPTION_CHARS = 150;
const FINER: readonly DirectoryDetail[] = ['names', 'full'];
const NOTHING: Directory = { text: '', level: 'none', collapsed: 0, groups: 0, tools: 0 };

/** A table of contents of the searchable tools. Equal tools give equal bytes in any order: providers cache the text. */
export function renderDirectory(
  tools: readonly ToolDefinition[],
  options: DirectorySettings,
  terms: DirectoryTerms,
): Directory {
  const { detail, maxTokens, groups: own, includeDefaultGroups } = options;
  const all = filledGroups(tools, own, includeDefaultGroups);
  if (all.length === 0) return NOTHING;
  const groups = all.slice(0, options.maxGroups ?? (detail === 'full' ? all.length : 20));
  const budget = maxTokens === 0 ? Infinity : maxTokens;
  const intro = `Tools you can find with ${terms.search}`;
  const fitted = fittedGroups(groups, budget - tokensOf([framed(`${intro}:\n`)], budget, terms.count), options, terms);
  if (!fitted) {
    const total = all.reduce((sum, group) => sum + group.tools.length, 0);
    const text = framed(`${intro}: ${total}, in groups: ${all.length}.`);
    return tokensOf([text], budget, terms.count) > budget ? NOTHING : { ...NOTHING, text, level: 'counts' };
  }
  const { lines, level, collapsed } = fitted;
  return {
    text: framed(`${intro}:\n${lines.map(({ parts }) => parts.join('')).join('\n')}`),
    level,
    collapsed,
    groups: groups.length,
    tools: lines.reduce((sum, { names }) => sum + names, 0),
  };
}

interface GroupLine {
  /** The line in parts: counting its tokens stops once the budget is exceeded. */
  readonly parts: readonly string[];
  readonly names: number;
}

/** Adds detail to the smallest groups first, as far as it fits. Undefined if not even the titles fit. */
function fittedGroups(
  groups: readonly FilledGroup[],
  budget: number,
  options: DirectorySettings,
  { shown, count }: DirectoryTerms,
): { lines: GroupLine[]; level: DirectoryDetail; collapsed: number } | undefined {
  const { detail } = options;
  const lines = groups.map((group) => groupLine(group, 'groups', options, shown));
  const costs = lines.map(({ parts }) => tokensOf([...parts, '\n'], budget, count));
  let left = budget - costs.reduce((sum, cost) => sum + cost, 0);
  if (left < 0) return undefined;
  const sizes = groups.map(({ tools }, index) => ({ index, size: tools.length }));
  const bySize = sizes.toSorted((one, other) => one.size - other.size);
  let level: DirectoryDetail = 'groups';
  for (const finer of FINER.slice(0, FINER.indexOf(detail) + 1)) {
    for (const [done, { index }] of bySize.entries()) {
      const line = groupLine(groups[index] as FilledGroup, finer, options, shown);
      const room = left + (costs[index] ?? 0);
      const cost = tokensOf([...line.parts, '\n'], room, count);
      if (cost > room)
        return { lines, level: done > 0 ? finer : level, collapsed: done > 0 ? groups.length - done : 0 };
      left = room - cost;
      costs[index] = cost;
      lines[index] = line;
    }
    level = finer;
  }
  return { lines, level, collapsed: 0 };
}

function groupLine(
  { title, trigger, tools }: FilledGroup,
  level: DirectoryDetail,
  { detail, includeToolCounts, maxToolsPerGroup }: DirectorySettings,
  shown: DirectoryTerms['shown'],
): GroupLine {
  const count = includeToolCounts ? ` (${tools.length})` : '';
  const head = `- ${title}${count}${trigger === undefined ? '' : ` — ${trigger}`}`;
  const limit = maxToolsPerGroup ?? (detail === 'full' ? tools.length : 6);
  const members = level === 'groups' ? [] : tools.slice(0, limit);
  if (members.length === 0) return { parts: [head], names: 0 };
  const more = members.length < tools.length ? ['…'] : [];
  const names = members.map(({ name, description }) =>
    level === 'names' ? shown(name) : `${shown(name)}: ${cutLine(oneLine(description), DESCRIPTION_CHARS)}`,
  );
  const entries = [...names, ...more].map((entry, index) => {
    if (level === 'full') return `\n  - ${entry}`;
    return `${index === 0 ? ' ' : ', '}${entry}`;
  });
  return { parts: [`${head}:`, ...entries], names: members.length };
}

/** Tokens of a text, summed over its parts. Above `limit` the sum is incomplete; without a limit it is 0. */
function tokensOf(parts: readonly string[], limit: number, count: TokenCounter): number {
  let tokens = 0;
  if (limit === Infinity) return tokens;
  for (const part of parts) {
    tokens += count(part);
    if (tokens > limit) break;
  }
  return tokens;
}

function framed(content: string): string {
  return `<tool_directory>\n${content}\n</tool_directory>`;
}
