import type { ToolDefinition } from '@tool-search/core';

/**
 * PenguiFlow's handling of a query that FTS5 cannot parse: a regular expression, or any of the query's words if it is
 * not a valid one or contains white space. Order: full name, start of the name, elsewhere in the name, description and
 * tags.
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
