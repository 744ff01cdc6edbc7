import type { ToolDefinition } from '@tool-search/core';
import { z } from 'zod';
import { checkedJson } from './checked-json.js';
import { definitionOf, sortedByName } from './tool-definitions.js';

/** Requests with the tools that serve them. */
export interface LabelledSet {
  readonly name: string;
  readonly tools: readonly ToolDefinition[];
  readonly queries: readonly LabelledQuery[];
}

/** A request with the canonical names of all tools that serve it; empty if the catalog has no such tool. */
interface LabelledQuery {
  readonly query: string;
  readonly relevant: ReadonlySet<string>;
}

const FORMAT =
  '{name, tools: [{id, name, namespace?, description, parameters?, tags?, exampleQueries?}], queries: [{query, relevant: [id]}]}';

const SetFile = z.object({
  name: z.string(),
  tools: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      namespace: z.string().optional(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()).optional(),
      exampleQueries: z.array(z.string()).optional(),
      tags: z.array(z.string()).optional(),
    }),
  ),
  queries: z.array(z.object({ query: z.string(), relevant: z.array(z.string()) })),
});

/**
 * Reads `{name, tools: [{id, name, namespace?, description, parameters?, tags?, exampleQueries?}], queries: [{query, relevant: [id]}]}`.
 *
 * @throws Error for a file of another format, or for a query with a tool that is not in the set
 */
export function readLabelledSet(file: string): LabelledSet {
  const { name, tools, queries } = checkedJson(file, FORMAT, SetFile);
  const definitions = new Map(
    tools.map(({ id, name: toolName, namespace = '', description, parameters, tags = [], exampleQueries }) => [
      id,
      definitionOf({
        name: toolName,
        namespace,
        description,
        tags,
        ...(parameters && { inputSchema: parameters }),
        ...(exampleQueries && { exampleQueries }),
      }),
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
