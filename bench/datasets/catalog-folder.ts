import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDefinition } from '@tool-search/core';
import { z } from 'zod';
import { checkedJson } from './checked-json.js';
import { definitionOf, sortedByName } from './tool-definitions.js';

const FORMAT = '{source, tools: [{name, title?, description?, inputSchema?}]}';

const CatalogFile = z.object({
  source: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      inputSchema: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

/** Reads the tools of every `*.json` in a folder: `{source, tools: [{name, title?, description?, inputSchema?}]}`. */
export function catalogFolder(folder: string): ToolDefinition[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`${folder} has no catalogs (*.json)`);
  return sortedByName(
    files.flatMap((file) => {
      const { source, tools } = checkedJson(join(folder, file), FORMAT, CatalogFile);
      return tools.map(({ description = '', ...tool }) => definitionOf({ ...tool, description, namespace: source }));
    }),
  );
}
