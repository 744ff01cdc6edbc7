import type { TokenCounter } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { cutLine, oneLine } from '../../toolbox/search/one-line.js';
import { type FilledGroup, filledGroups, type ToolGroup } from './directory-groups.js';

/** How much the directory says of a group: each tool with its description, names, or how many there are. */
export type DirectoryDetail = 'full' | 'names' | 'groups';

/** What became of the detail within the budget; `counts` is one line for everything. */
export type DirectoryLevel = DirectoryDetail | 'counts' | 'none';

/** Settings of the directory. */
export interface DirectoryOptions {
  /** @default false */
  readonly enabled?: boolean;
  /** What is said of each group where the budget allows it. @default 'names' */
  readonly detail?: DirectoryDetail;
  /**
   * Tokens the directory may have; 0 = no limit. Beyond that it says less: the largest groups first, down to their names,
   * then their counts, then one count of all, then nothing. @default 4000
   */
  readonly maxTokens?: number;
  /** 1 to 100. @default 20; all where `detail` is `full` */
  readonly maxGroups?: number;
  /** 0 to 50. @default 6; all where `detail` is `full` */
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
  /** The most that is said of any group. */
  readonly level: DirectoryLevel;
  /** Groups of which one level less is said, because the budget is not enough for all. */
  readonly collapsed: number;
  readonly groups: number;
  readonly tools: number;
}

/** The words of whoever reads the directory, and how they are counted. */
export interface DirectoryTerms {
  /** The name a model knows a tool by. */
  readonly shown: (canonical: string) => string;
  /** What the tool is called that searches. */
  readonly search: string;
  readonly count: TokenCounter;
}

/** As long as Mastra cuts descriptions in a catalog that it puts into the prompt. */
const DESCRIPTION_CHARS = 150;
const FINER: readonly DirectoryDetail[] = ['names', 'full'];
const NOTHING: Directory = { text: '', level: 'none', collapsed: 0, groups: 0, tools: 0 };

/**
 * A table of contents of the tools that can be searched. Equal tools give equal bytes, whatever their order: it is part of
 * what providers cache.
 */
export function renderDirectory(
  tools: readonly ToolDefinition[],
  options: DirectoryOptions,
  terms: DirectoryTerms,
): Directory {
  const { detail = 'names', maxTokens = 4000, groups: own = [], includeDefaultGroups = true } = options;
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
  /** Together they are the line; apart they are counted no further than the budget reaches. */
  readonly parts: readonly string[];
  readonly names: number;
}

/**
 * The most that can be said of the groups: detail is added to the smallest first, so the largest are the first to do
 * without. Undefined where not even their titles fit.
 */
function fittedGroups(
  groups: readonly FilledGroup[],
  budget: number,
  options: DirectoryOptions,
  { shown, count }: DirectoryTerms,
): { lines: GroupLine[]; level: DirectoryDetail; collapsed: number } | undefined {
  const { detail = 'names' } = options;
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
  { detail, includeToolCounts, maxToolsPerGroup }: DirectoryOptions,
  shown: DirectoryTerms['shown'],
): GroupLine {
  const count = includeToolCounts === false ? '' : ` (${tools.length})`;
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

/** Tokens of a text in parts, taken to add up; some number over `limit` where they are over it, and 0 without a limit. */
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
