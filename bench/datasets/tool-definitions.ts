import { createHash } from 'node:crypto';
import type { JsonSchema, ToolDefinition } from '@tool-search/core';

/** The fields of a tool in the benchmarks' input files. */
export interface ToolInput {
  readonly name: string;
  readonly namespace: string;
  readonly title?: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly inputSchema?: JsonSchema;
  readonly exampleQueries?: readonly string[];
}

/** Completes a definition; the full name is namespace plus name. */
export function definitionOf(input: ToolInput): ToolDefinition {
  const { namespace, title, description, tags = [], inputSchema = { type: 'object' }, exampleQueries = [] } = input;
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
    exampleQueries,
    loading: 'deferred',
    aliases: [],
    authScopes: [],
    source: namespace || 'benchmark',
    owner: '',
    hash: createHash('sha256')
      .update(JSON.stringify([name, title, description, tags, inputSchema, exampleQueries]))
      .digest('hex'),
  };
}

/** Sorts definitions in catalog order and removes duplicate names. */
export function sortedByName(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the name that the tool's server gave it, without the namespace. */
export function localName({ name, namespace }: ToolDefinition): string {
  return namespace === '' ? name : name.slice(namespace.length + 1);
}
