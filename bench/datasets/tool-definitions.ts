import { createHash } from 'node:crypto';
import type { JsonSchema, ToolDefinition } from '@tool-search/core';

/** The parts of a tool that the benchmarks' inputs have. */
export interface ToolInput {
  readonly name: string;
  readonly namespace: string;
  readonly title?: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly inputSchema?: JsonSchema;
}

/** A complete definition; the name is put after the namespace. */
export function definitionOf(input: ToolInput): ToolDefinition {
  const { namespace, title, description, tags = [], inputSchema = { type: 'object' } } = input;
  const name = namespace === '' ? input.name : `${namespace}.${input.name}`;
  return {
    name,
    namespace,
    ...(title === undefined ? {} : { title }),
    description,
    tags,
    sideEffects: 'external',
    inputSchema,
    examples: [],
    exampleQueries: [],
    loading: 'deferred',
    aliases: [],
    authScopes: [],
    source: namespace || 'benchmark',
    owner: '',
    hash: createHash('sha256')
      .update(JSON.stringify([name, title, description, tags, inputSchema]))
      .digest('hex'),
  };
}

/** Definitions in the catalog's order, each name once. */
export function sortedByName(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
