import MiniSearch from 'minisearch';
import type { ToolDefinition } from '@tool-search/core';
import type { EngineAnswer, SearchEngine } from './search-engine.js';
import { isVisible } from './visible-share.js';

/** MiniSearch with its own defaults over name, description and tags, the way a backend would wire it in an afternoon. */
export class MiniSearchEngine implements SearchEngine {
  readonly name = 'minisearch';
  readonly config = 'defaults over name, description and tags';
  #index = newIndex();
  #names: readonly string[] = [];

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#index = newIndex();
    this.#names = tools.map(({ name }) => name);
    this.#index.addAll(
      tools.map(({ name, description, tags }, id) => ({ id, name, description, tags: tags.join(' ') })),
    );
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const hits = this.#index
      .search(text, share === 1 ? {} : { filter: ({ id }) => isVisible(Number(id), share) })
      .slice(0, limit);
    return { names: hits.map(({ id }) => this.#names[Number(id)] ?? ''), saysNone: hits.length === 0 };
  }
}

function newIndex(): MiniSearch<{ id: number; name: string; description: string; tags: string }> {
  return new MiniSearch({ fields: ['name', 'description', 'tags'] });
}
