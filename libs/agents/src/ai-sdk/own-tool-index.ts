import { createHash } from 'node:crypto';
import { type ToolDefinition, ToolSearchError } from '@tool-search/core';
import { truncated } from '@tool-search/core/internal';
import { CatalogSnapshot, MemoryToolIndex, ToolSet, checkedQuery } from '@tool-search/core/engine';
import type { NamedTool } from './named-tools.js';

const MAX_TOOLS = 10_000;
const MAX_NAME_CHARS = 128;
const MAX_DESCRIPTION_CHARS = 8192;

/** Finds tools that no catalog has, by name and description. Indexes only what has changed since the last search. */
export class OwnToolIndex {
  #index: MemoryToolIndex | undefined;
  #indexed: { readonly key: string; readonly snapshot: CatalogSnapshot } | undefined;

  /** @throws ToolSearchError `INVALID_QUERY`, `QUERY_TOO_LONG`; `INVALID_CONFIGURATION` for too many tools */
  async search(tools: readonly NamedTool[], query: string, limit: number) {
    if (tools.length === 0) return [];
    if (tools.length > MAX_TOOLS) throw tooMany(tools.length);
    const text = checkedQuery(query, 'bm25');
    const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#index ??= new MemoryToolIndex();
    const snapshot = await this.#snapshotOf(sorted, this.#index);
    const all = ToolSet.of(snapshot.size, () => true);
    const { hits } = await this.#index.search({ text, type: 'bm25', limit }, snapshot, all);
    return hits.map(({ id, score }) => ({ names: [sorted[id]?.name ?? ''], score }));
  }

  async #snapshotOf(tools: readonly NamedTool[], index: MemoryToolIndex): Promise<CatalogSnapshot> {
    const key = hashOf(tools);
    const previous = this.#indexed;
    if (previous?.key === key) return previous.snapshot;
    const next = new CatalogSnapshot((previous?.snapshot.revision ?? 0) + 1, tools.map(definitionOf));
    await index.apply({ next, ...(previous && { previous: previous.snapshot }) });
    this.#indexed = { key, snapshot: next };
    return next;
  }
}

function definitionOf(tool: NamedTool): ToolDefinition {
  const name = truncated(tool.name, MAX_NAME_CHARS);
  return {
    name,
    namespace: '',
    description: truncated(tool.description ?? '', MAX_DESCRIPTION_CHARS),
    tags: [],
    sideEffects: 'external',
    inputSchema: { type: 'object' },
    examples: [],
    exampleQueries: [],
    loading: 'deferred',
    aliases: [],
    authScopes: [],
    // Near-copies of one source share a hit, and each of these tools has to be found.
    source: name,
    owner: '',
    hash: hashOf([tool]),
  };
}

function hashOf(tools: readonly NamedTool[]): string {
  const texts = tools.map(({ name, description }) => [name, description]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

function tooMany(count: number): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `${count} tools beside the toolbox's are too many to search.`, {
    hint: `Search at most ${MAX_TOOLS}, or make them a source of the catalog.`,
  });
}
