import MiniSearch from 'minisearch';
import type { ToolDefinition } from '@tool-search/core';
import { localName } from '../datasets/tool-definitions.js';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly description: string;
  readonly tags: string;
}

/** MiniSearch with its defaults over the four plain fields of a tool: a simple integration. */
export class MiniSearchEngine implements SearchEngine {
  readonly name = 'minisearch';
  readonly config = 'defaults over name, namespace, description and tags';
  #index = newIndex();
  #tools = new Map<string, ToolDefinition>();
  #positions = new Map<string, number>();

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#index = newIndex();
    this.#publish(tools);
    this.#index.addAll(tools.map(entryOf));
  }

  change(tools: readonly ToolDefinition[]): () => Promise<void> {
    const kept = new Set(tools.map(({ name }) => name));
    const gone = [...this.#tools.keys()].filter((name) => !kept.has(name));
    const added = tools.filter(({ name }) => !this.#tools.has(name));
    const changed = tools.filter(({ name, hash }) => (this.#tools.get(name)?.hash ?? hash) !== hash);
    this.#publish(tools);
    return async () => {
      this.#index.discardAll(gone);
      for (const tool of changed) this.#index.replace(entryOf(tool));
      this.#index.addAll(added.map(entryOf));
    };
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const isShown = ({ id }: { id: string }): boolean => isVisible(this.#positions.get(id) ?? 0, share);
    const hits = this.#index.search(text, share === 1 ? {} : { filter: isShown }).slice(0, limit);
    return { names: hits.map(({ id }) => String(id)) };
  }

  #publish(tools: readonly ToolDefinition[]): void {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#positions = new Map(tools.map(({ name }, position) => [name, position]));
  }
}

function newIndex(): MiniSearch<Entry> {
  return new MiniSearch({ fields: ['name', 'namespace', 'description', 'tags'] });
}

function entryOf(tool: ToolDefinition): Entry {
  const { name, namespace, description, tags } = tool;
  return { id: name, name: localName(tool), namespace, description, tags: tags.join(' ') };
}
