import { readFileSync } from 'node:fs';
import type { JsonSchema, ToolDefinition } from '@tool-search/core';
import { definitionOf, sortedByName } from './tool-definitions.js';

/** Requests with the tools that serve them. */
export interface LabelledSet {
  readonly name: string;
  readonly tools: readonly ToolDefinition[];
  readonly queries: readonly LabelledQuery[];
}

/** A request and the canonical names of all tools that serve it; none means that the catalog has no such tool. */
interface LabelledQuery {
  readonly query: string;
  readonly relevant: ReadonlySet<string>;
}

interface SetFile {
  readonly name: string;
  readonly tools: readonly {
    readonly id: string;
    readonly name: string;
    readonly namespace?: string;
    readonly description: string;
    readonly parameters?: JsonSchema;
    readonly tags?: readonly string[];
  }[];
  readonly queries: readonly { readonly query: string; readonly relevant: readonly string[] }[];
}

/** Reads `{name, tools: [{id, name, namespace?, description, parameters?, tags?}], queries: [{query, relevant: [id]}]}`. */
export function readLabelledSet(file: string): LabelledSet {
  const { name, tools, queries } = JSON.parse(readFileSync(file, 'utf8')) as SetFile;
  const definitions = new Map(
    tools.map(({ id, name: toolName, namespace = '', description, parameters, tags = [] }) => [
      id,
      definitionOf({ name: toolName, namespace, description, tags, ...(parameters && { inputSchema: parameters }) }),
    ]),
  );
  const canonicalName = (id: string): string => {
    const tool = definitions.get(id);
    if (!tool) throw new Error(`${file}: a query names the tool ${JSON.stringify(id)}, which the set does not have`);
    return tool.name;
  };
  return {
    name,
    tools: sortedByName([...definitions.values()]),
    queries: queries.map(({ query, relevant }) => ({ query, relevant: new Set(relevant.map(canonicalName)) })),
  };
}
