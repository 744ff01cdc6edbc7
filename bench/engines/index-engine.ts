import type { ToolDefinition } from '@tool-search/core';
import { CatalogSnapshot, type ToolIndex, ToolSet, checkedQuery } from '@tool-search/core/engine';
import type { EngineAnswer, SearchEngine } from './search-engine.js';
import { isVisible } from './visible-share.js';

const MAX_QUERY_CHARS = 4_000;

/** Name, settings and search type of one of our indexes in the benchmarks. */
export interface IndexEngineOptions {
  readonly name: string;
  readonly config: string;
  readonly type: 'bm25' | 'fts';
  readonly create: () => ToolIndex;
  /** Creates an index that uses the cache of the index before it. */
  readonly createCached?: () => ToolIndex;
  /** Releases resources outside of memory. */
  readonly close?: (index: ToolIndex) => Promise<void>;
}

/** Runs any of our own indexes in the benchmarks. */
export class IndexEngine implements SearchEngine {
  readonly name: string;
  readonly config: string;
  readonly restart?: (tools: readonly ToolDefinition[]) => Promise<void>;
  readonly #views = new Map<number, ToolSet>();
  #index: ToolIndex;
  #snapshot = new CatalogSnapshot(0, []);

  constructor(private readonly options: IndexEngineOptions) {
    this.name = options.name;
    this.config = options.config;
    this.#index = options.create();
    const { createCached } = options;
    if (createCached) this.restart = (tools) => this.#start(createCached, tools);
  }

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    await this.#start(this.options.create, tools);
  }

  change(tools: readonly ToolDefinition[]): () => Promise<void> {
    const previous = this.#snapshot;
    const next = new CatalogSnapshot(previous.revision + 1, tools);
    return async () => {
      await this.#index.apply({ next, previous });
      this.#publish(next);
    };
  }

  see(share: number): void {
    this.#view(share);
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const { type } = this.options;
    const query = { text: checkedQuery(text.slice(0, MAX_QUERY_CHARS), type), type, limit };
    const { hits, verdict } = await this.#index.search(query, this.#snapshot, this.#view(share));
    return { names: hits.map(({ id }) => this.#snapshot.at(id).name), isWeak: verdict === 'weak' };
  }

  async match(pattern: string, limit: number): Promise<number> {
    const query = { text: checkedQuery(pattern, 'regex'), type: 'regex', limit } as const;
    return (await this.#index.search(query, this.#snapshot, this.#view(1))).hits.length;
  }

  async #start(create: () => ToolIndex, tools: readonly ToolDefinition[]): Promise<void> {
    await this.options.close?.(this.#index);
    this.#index = create();
    const next = new CatalogSnapshot(1, tools);
    await this.#index.apply({ next });
    this.#publish(next);
  }

  #publish(snapshot: CatalogSnapshot): void {
    this.#snapshot = snapshot;
    this.#views.clear();
  }

  #view(share: number): ToolSet {
    const count = this.#snapshot.tools.length;
    const view = this.#views.get(share) ?? ToolSet.of(count, (id) => isVisible(id, share));
    this.#views.set(share, view);
    return view;
  }
}
