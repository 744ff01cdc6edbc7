import type { ToolDefinition } from '@tool-search/core';
import { randomOf } from '../measuring/random.js';
import type { LabelledSet } from './labelled-set.js';
import { localName, sortedByName } from './tool-definitions.js';

/**
 * The same requests over ever larger catalogs. The smallest catalog has the tools of as many requests as fit into it;
 * all requests that it serves completely are asked. Each larger one adds tools: first the set's other ones, then those
 * of the other sets. A tool of another set that has the bare name or the description of one of this set's is left out,
 * because it could be a right answer that nobody labelled.
 *
 * @param sizes ascending
 * @throws Error if there are fewer tools than the largest size
 */
export function growingCatalogs(
  set: LabelledSet,
  others: readonly LabelledSet[],
  sizes: readonly number[],
): LabelledSet[] {
  const random = randomOf(20_261_121);
  const [smallest = 0] = sizes;
  const first = new Set<string>();
  for (const { relevant } of shuffled(set.queries, random)) {
    const missing = [...relevant].filter((name) => !first.has(name));
    if (first.size + missing.length <= smallest) for (const name of missing) first.add(name);
  }
  const own = shuffled(set.tools, random);
  const ordered = [
    ...own.filter(({ name }) => first.has(name)),
    ...own.filter(({ name }) => !first.has(name)),
    ...shuffled(distractors(set.tools, others), random),
  ];
  const served = new Set(ordered.slice(0, smallest).map(({ name }) => name));
  const queries = set.queries.filter(
    ({ relevant }) => relevant.size > 0 && [...relevant].every((name) => served.has(name)),
  );
  return sizes.map((size) => {
    if (size > ordered.length)
      throw new Error(`${set.name} and the other sets have ${ordered.length} tools, not ${size}`);
    return { name: set.name, tools: sortedByName(ordered.slice(0, size)), queries };
  });
}

function distractors(own: readonly ToolDefinition[], others: readonly LabelledSet[]): ToolDefinition[] {
  const names = new Set(own.map((tool) => localName(tool).toLowerCase()));
  const descriptions = new Set(own.map(({ description }) => description.trim()));
  return sortedByName(others.flatMap(({ tools }) => tools)).filter(
    (tool) => !names.has(localName(tool).toLowerCase()) && !descriptions.has(tool.description.trim()),
  );
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
