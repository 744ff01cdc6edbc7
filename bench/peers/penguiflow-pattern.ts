import type { ToolDefinition } from '@tool-search/core';

/**
 * What PenguiFlow does with a query that FTS5 cannot read: a regular expression, or any of the query's words where it is
 * none or has blanks. Best first: the whole name, its start, elsewhere in it, then description and tags.
 */
export function matchedByPattern(
  query: string,
  tools: readonly ToolDefinition[],
  visible: ReadonlySet<string>,
  tagsOf: (tool: ToolDefinition) => readonly string[],
): readonly string[] {
  const pattern = patternOf(query);
  if (!pattern) return [];
  const whole = new RegExp(`^(?:${pattern.source})$`, 'i');
  const start = new RegExp(`^(?:${pattern.source})`, 'i');
  const scored = tools
    .filter(({ name }) => visible.has(name))
    .map((tool) => {
      const { name, description } = tool;
      if (whole.test(name)) return { name, score: 0.95 };
      if (start.test(name)) return { name, score: 0.9 };
      if (pattern.test(name)) return { name, score: 0.85 };
      return { name, score: pattern.test(description) || pattern.test(tagsOf(tool).join(' ')) ? 0.75 : 0 };
    })
    .filter(({ score }) => score > 0);
  return scored
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

function patternOf(query: string): RegExp | undefined {
  const words = query.match(/[A-Za-z0-9]+/g);
  const anyWord = words ? new RegExp(words.join('|'), 'i') : undefined;
  if (/\s/.test(query)) return anyWord;
  try {
    return new RegExp(query, 'i');
  } catch {
    return anyWord;
  }
}
