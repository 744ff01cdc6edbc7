import type { ToolDefinition } from '@tool-search/core';
import { CatalogSnapshot, ToolSet, checkedQuery } from '@tool-search/core/engine';
import { Fts5ToolIndex } from '@tool-search/fts5';
import type { EngineAnswer, SearchEngine } from './search-engine.js';
import { isVisible } from './visible-share.js';

/** Our durable engine, SQLite FTS5. In memory by default, so that runs do not share a file. */
export class Fts5Engine implements SearchEngine {
  readonly name = 'fts5';
  readonly config = 'defaults, in memory';
  #index: Fts5ToolIndex | undefined;
  readonly #views = new Map<number, ToolSet>();
  #snapshot = new CatalogSnapshot(0, []);

  /** @param database a path, or `:memory:` */
  constructor(private readonly database = ':memory:') {}

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    await this.#index?.close();
    this.#snapshot = new CatalogSnapshot(1, tools);
    this.#views.clear();
    this.#index = new Fts5ToolIndex({ database: this.database, acceptsGlobalStatistics: true });
    await this.#index.apply({ next: this.#snapshot });
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    if (!this.#index) return { names: [] };
    const query = { text: checkedQuery(text.slice(0, 4_000), 'fts'), type: 'fts', limit } as const;
    const { hits, verdict } = await this.#index.search(query, this.#snapshot, this.#view(share));
    return { names: hits.map(({ id }) => this.#snapshot.at(id).name), isWeak: verdict === 'weak' };
  }

  #view(share: number): ToolSet {
    const count = this.#snapshot.tools.length;
    const view = this.#views.get(share) ?? ToolSet.of(count, (id) => isVisible(id, share));
    this.#views.set(share, view);
    return view;
  }
}
