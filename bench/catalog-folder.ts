import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema, ToolDefinition } from '@tool-search/core';
import { definitionOf, sortedByName } from './tool-definitions.js';

interface CatalogFile {
  readonly source: string;
  readonly tools: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly inputSchema?: JsonSchema;
  }[];
}

/** Reads the tools of every `*.json` in a folder: `{source, tools: [{name, title?, description?, inputSchema?}]}`. */
export function catalogFolder(folder: string): ToolDefinition[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`${folder} has no catalogs (*.json)`);
  return sortedByName(
    files.flatMap((file) => {
      const { source, tools } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CatalogFile;
      return tools.map(({ description = '', ...tool }) => definitionOf({ ...tool, description, namespace: source }));
    }),
  );
}
