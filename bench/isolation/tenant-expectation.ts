import type { ToolDefinition } from '@tool-search/core';
import type { SearchType } from '@tool-search/core/internal';
import { CatalogSnapshot, MemoryToolIndex, ToolSet } from '@tool-search/core/engine';
import { definitionOf, sortedByName } from '../datasets/tool-definitions.js';
import { type KnownTool, OWN, ownTools, seesGroup, SHARED, sharedTools } from './tenant-tools.js';

/** Expected result of a search. */
export interface ExpectedSearch {
  /** Names and scores, best first. */
  readonly hits: readonly (readonly [string, number])[];
  readonly unmatched: readonly string[];
  readonly totalDeferred: number;
}

interface ExpectedView {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly words: ReadonlySet<string>;
  readonly snapshot: CatalogSnapshot;
  readonly index: MemoryToolIndex;
  readonly indexed: Promise<void>;
}

/**
 * Everything that one tenant must see, computed only from the actions of the scenario, never from the application's
 * answers. Searches are answered by an index with this tenant's visible tools only.
 */
export class TenantExpectation {
  /** A word whose tools are denied to this tenant. */
  denied: string | undefined;
  readonly activated = new Set<string>();
  /** Tools that were withdrawn during a call: they may have been activated before the call was refused. */
  readonly undecided = new Set<string>();
  /** Tools that this tenant has found or read. */
  readonly offered = new Set<string>();
  readonly #views = new Map<string, ExpectedView>();

  constructor(readonly tenant: string) {}

  /** The tools visible to this tenant, with or without the seasonal ones, by canonical name. */
  tools(withSeasonal: boolean): ReadonlyMap<string, ToolDefinition> {
    return this.#view(withSeasonal).tools;
  }

  /**
   * The expected result of a search. For a `bm25` query, `text` contains the caller's words in any order.
   *
   * @param known tools that this tenant's run already has: on equal scores they come last
   */
  async search(
    text: string,
    type: SearchType,
    limit: number,
    withSeasonal: boolean,
    known: ReadonlySet<string>,
  ): Promise<ExpectedSearch> {
    const { index, indexed, snapshot, tools, words } = this.#view(withSeasonal);
    await indexed;
    const { hits } = await index.search(
      { text, type, limit: tools.size },
      snapshot,
      ToolSet.of(tools.size, () => true),
    );
    const asked = type === 'bm25' ? [...new Set(text.split(' '))] : [];
    const isKnown = (id: number) => Number(known.has(snapshot.at(id).name));
    const ordered = hits.toSorted((one, other) => other.score - one.score || isKnown(one.id) - isKnown(other.id));
    return {
      hits: ordered.slice(0, limit).map(({ id, score }) => [snapshot.at(id).name, Math.round(score * 1000) / 1000]),
      unmatched: asked.filter((word) => !words.has(word)),
      totalDeferred: tools.size,
    };
  }

  #view(withSeasonal: boolean): ExpectedView {
    const key = JSON.stringify([withSeasonal, this.denied]);
    const view = this.#views.get(key) ?? this.#build(withSeasonal);
    this.#views.set(key, view);
    return view;
  }

  #build(withSeasonal: boolean): ExpectedView {
    const shared = sharedTools(withSeasonal).filter(({ extra }) => seesGroup(this.tenant, Number(extra?.['group'])));
    const permitted = ({ name }: KnownTool) => this.denied === undefined || !name.includes(this.denied);
    const sources = [
      { namespace: SHARED, known: shared.filter(permitted) },
      { namespace: OWN, known: ownTools(this.tenant).filter(permitted) },
    ];
    const definitions = sortedByName(
      sources.flatMap(({ namespace, known }) => known.map((tool) => definitionOf({ ...tool, namespace }))),
    );
    const snapshot = new CatalogSnapshot(1, definitions);
    const index = new MemoryToolIndex();
    return {
      tools: new Map(definitions.map((tool) => [tool.name, tool])),
      words: new Set(sources.flatMap(({ known }) => known.flatMap(({ words }) => words))),
      snapshot,
      index,
      indexed: index.apply({ next: snapshot }),
    };
  }
}
