import { create, insertMultiple, search } from '@orama/orama';
import type { ToolDefinition } from '@tool-search/core';
import { localName } from '../datasets/tool-definitions.js';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';

/** Orama's full-text search (BM25) with its defaults over the four plain fields of a tool. */
export class OramaEngine implements SearchEngine {
  readonly name = 'orama';
  readonly config =
    'defaults over name, namespace, description and tags; visible tools by an `in` filter on an enum field';
  readonly #views = new Map<number, number[]>();
  #database = newDatabase();
  #names: readonly string[] = [];

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#views.clear();
    this.#database = newDatabase();
    this.#names = tools.map(({ name }) => name);
    const documents = tools.map((tool, position) => ({
      id: String(position),
      position,
      name: localName(tool),
      namespace: tool.namespace,
      description: tool.description,
      tags: tool.tags.join(' '),
    }));
    await insertMultiple(this.#database, documents);
  }

  see(share: number): void {
    this.#view(share);
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const where = share === 1 ? {} : { where: { position: { in: this.#view(share) } } };
    const { hits } = await search(this.#database, { term: text, limit, ...where });
    return { names: hits.map(({ id }) => this.#names[Number(id)] ?? '') };
  }

  #view(share: number): number[] {
    const view = this.#views.get(share) ?? [...this.#names.keys()].filter((position) => isVisible(position, share));
    this.#views.set(share, view);
    return view;
  }
}

function newDatabase() {
  return create({
    schema: { position: 'enum', name: 'string', namespace: 'string', description: 'string', tags: 'string' },
  });
}
