import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceAnswer, ToolDeclaration, ToolSource } from '@tool-search/core';
import { listedDeclarations } from '@tool-search/mcp';
import { z } from 'zod';
import { checkedJson } from './checked-json.js';

const FORMAT = '{source, tools: [...]}';
// The tools are passed as the server listed them: the catalog validates them.
const ListFile = z.object({ source: z.string(), tools: z.array(z.unknown()) });

/** A source with recorded tools of an MCP server. They can be loaded but not called. */
export class ListedSource implements ToolSource {
  readonly loading = 'deferred';

  constructor(
    readonly name: string,
    readonly tools: readonly unknown[],
  ) {}

  load(): Promise<readonly ToolDeclaration[]> {
    return Promise.resolve(listedDeclarations({ name: this.name }, this.tools));
  }

  call(): Promise<SourceAnswer> {
    return Promise.reject(new Error(`${this.name} is a list and cannot be called`));
  }

  async close(): Promise<void> {}
}

/**
 * Makes a source of each `*.json` in a folder, which holds `{source, tools}` with the tools as a server listed them.
 */
export function listedSources(folder: string): ListedSource[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`${folder} has no catalogs (*.json)`);
  return files.map((file) => {
    const { source, tools } = checkedJson(join(folder, file), FORMAT, ListFile);
    return new ListedSource(source, tools);
  });
}
