import { catalogOrder } from './catalog-order.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { ToolExecutor } from '../tool-source.js';
import { ToolSet } from './tool-set.js';

/**
 * All tools at one moment. A tool's dense id is its position in `tools`; ids mean nothing in another snapshot.
 *
 * A snapshot may lie on another one, as a tenant's tools lie on those that everybody shares: it adds its own after those below,
 * whose ids stay the same, and costs what it adds.
 */
export class CatalogSnapshot {
  /** How many tools there are. */
  readonly size: number;
  readonly #first: number;
  readonly #aliases = new Map<string, number[]>();
  #tools: readonly ToolDefinition[] | undefined;
  #deferred: number | undefined;

  /**
   * @param revision rises by one with every change; process-local, a cache key only
   * @param own sorted by {@link catalogOrder}; a snapshot in another order can be searched, but finds no tool by its name
   * @param executors one for each tool, in the same order; a snapshot that is only searched needs none
   * @param below the tools before these
   */
  constructor(
    readonly revision: number,
    readonly own: readonly ToolDefinition[],
    private readonly executors: readonly ToolExecutor[] = [],
    readonly below?: CatalogSnapshot,
  ) {
    this.#first = below?.size ?? 0;
    this.size = this.#first + own.length;
    own.forEach(({ aliases }, index) => {
      for (const alias of aliases) {
        const known = this.#aliases.get(alias);
        if (known) known.push(this.#first + index);
        else this.#aliases.set(alias, [this.#first + index]);
      }
    });
  }

  /** All of them in one list, made when it is first asked for. */
  get tools(): readonly ToolDefinition[] {
    this.#tools ??= this.below ? [...this.below.tools, ...this.own] : this.own;
    return this.#tools;
  }

  /** How many of them are deferred. */
  get deferred(): number {
    this.#deferred ??= (this.below?.deferred ?? 0) + this.own.filter(({ loading }) => loading === 'deferred').length;
    return this.#deferred;
  }

  /** The tool with this dense id. */
  at(id: number): ToolDefinition {
    const tool = this.find(id);
    if (!tool) throw new RangeError(`no tool has the id ${id} in catalog revision ${this.revision}`);
    return tool;
  }

  /** The tool with this dense id, if there is one. */
  find(id: number): ToolDefinition | undefined {
    return this.below && id < this.#first ? this.below.find(id) : this.own[id - this.#first];
  }

  /** Who runs the tool with this dense id. */
  executorOf(id: number): ToolExecutor {
    if (this.below && id < this.#first) return this.below.executorOf(id);
    const executor = this.executors[id - this.#first];
    if (!executor) throw new RangeError(`no tool has the id ${id} in catalog revision ${this.revision}`);
    return executor;
  }

  /** Dense id of a canonical name or alias as a tenant sees it: shared tools and the tenant's own, nothing else. */
  idOf(name: string, tenantId: string): number | undefined {
    return (
      this.#idOf({ owner: '', name }) ??
      this.#idOf({ owner: tenantId, name }) ??
      this.#idsOfAlias(name).find((id) => isOwnedBy(this.at(id), tenantId))
    );
  }

  /** The tools a tenant could see if no rule said otherwise. */
  ownedBy(tenantId: string): ToolSet {
    return ToolSet.of(this.size, (id) => isOwnedBy(this.at(id), tenantId));
  }

  // A search by halves: a map of all names would take its time in a large catalog, at every change.
  #idOf(wanted: Pick<ToolDefinition, 'owner' | 'name'>): number | undefined {
    const found = this.below && this.below.#idOf(wanted);
    if (found !== undefined) return found;
    let low = this.#first;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = catalogOrder(this.at(middle), wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #idsOfAlias(alias: string): readonly number[] {
    return [...(this.below ? this.below.#idsOfAlias(alias) : []), ...(this.#aliases.get(alias) ?? [])];
  }
}

/** Whether a tool is shared or belongs to this tenant. */
export function isOwnedBy(tool: ToolDefinition, tenantId: string): boolean {
  return tool.owner === '' || tool.owner === tenantId;
}
