import { CatalogSnapshot, checkedQuery, MemoryToolIndex, type ToolDefinition, ToolSet } from '@tool-search/core';
import type { EngineAnswer, SearchEngine } from './search-engine.js';
import { isVisible } from './visible-share.js';

/** Our default engine as it ships. */
export class ToolSearchEngine implements SearchEngine {
  readonly name = 'tool-search';
  readonly config = 'defaults';
  readonly #index = new MemoryToolIndex();
  readonly #views = new Map<number, ToolSet>();
  #snapshot = new CatalogSnapshot(0, []);

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#snapshot = new CatalogSnapshot(1, tools);
    this.#views.clear();
    await this.#index.apply({ next: this.#snapshot });
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const query = { text: checkedQuery(text.slice(0, 4_000), 'bm25'), type: 'bm25', limit } as const;
    const { hits, verdict } = await this.#index.search(query, this.#snapshot, this.#view(share));
    return { names: hits.map(({ id }) => this.#snapshot.at(id).name), saysNone: verdict === 'none' };
  }

  #view(share: number): ToolSet {
    const count = this.#snapshot.tools.length;
    const view = this.#views.get(share) ?? ToolSet.of(count, (id) => isVisible(id, share));
    this.#views.set(share, view);
    return view;
  }
}
