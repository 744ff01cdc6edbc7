import type { ToolDefinition } from '@tool-search/core';
import { descriptionHash } from '@tool-search/core/internal';
import { phraseCatalogs, readPhrases } from '@tool-search/phrases';
import type { LabelledSet } from './labelled-set.js';
import { localName } from './tool-definitions.js';

/**
 * A labelled set whose tools have the requests of `@tool-search/phrases`, if they have none of their own. A set does not
 * name the package of a tool's server, so a tool is known by its name without namespace and its description.
 */
export function withPhrasesOfAll(set: LabelledSet): LabelledSet {
  const known = new Map<string, readonly string[]>();
  for (const { tools } of phraseCatalogs().map(readPhrases)) {
    for (const [name, { hash, queries }] of Object.entries(tools)) known.set(keyOf(name, hash), queries);
  }
  const tools = set.tools.map((tool): ToolDefinition => {
    const exampleQueries = known.get(keyOf(localName(tool), descriptionHash(tool.description)));
    if (!exampleQueries || tool.exampleQueries.length > 0) return tool;
    return { ...tool, exampleQueries, hash: `${tool.hash}.phrases` };
  });
  return { ...set, tools };
}

function keyOf(name: string, hash: string): string {
  return JSON.stringify([name, hash]);
}
