import type { ToolDefinition } from '@tool-search/core';
import { randomOf } from '../measuring/random.js';
import { definitionOf, sortedByName } from './tool-definitions.js';

// Each copy looks like the tool of another product: half of its words come from another tool, and some words are
// unique.
const BORROWED = 0.5;
const INVENTED = 0.03;

/**
 * Returns exactly `count` tools: the given ones, cut, or filled up with copies of different namespace, name and words.
 */
export function scaledCatalog(tools: readonly ToolDefinition[], count: number): ToolDefinition[] {
  const random = randomOf(20_261_121);
  const words = tools.map(({ description }) => description.split(/\s+/).slice(0, 200));
  const scaled = tools.slice(0, count);
  for (let copy = 1; scaled.length < count; copy++) {
    for (const [position, tool] of tools.slice(0, count - scaled.length).entries()) {
      const lender = words[Math.floor(random() * words.length)] ?? [];
      const description = (words[position] ?? []).map((word) => {
        const choice = random();
        if (choice < INVENTED) return `word${Math.floor(random() ** 2 * 200_000)}`;
        return choice < BORROWED ? (lender[Math.floor(random() * lender.length)] ?? word) : word;
      });
      scaled.push(
        definitionOf({
          name: `${tool.name.slice(tool.namespace.length + 1)}_${copy}`,
          namespace: `${tool.namespace}${copy}`,
          description: description.join(' '),
          tags: tool.tags,
          inputSchema: tool.inputSchema,
        }),
      );
    }
  }
  return sortedByName(scaled);
}
