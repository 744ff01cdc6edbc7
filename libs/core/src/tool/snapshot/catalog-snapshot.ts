import type { ToolDefinition } from '../tool-definition.js';
import type { ToolExecutor } from '../tool-source.js';
import { ToolSet } from './tool-set.js';

/**
 * All tools at one moment. A tool's dense id is its position in `tools`; ids are valid within one snapshot only.
 *
 * A snapshot can extend another one, as a tenant's tools extend the shared tools: its own tools come after those of
 * `below`, whose ids stay the same. Memory and time are proportional to the added tools.
 */
export class CatalogSnapshot {
  /** Number of tools, including those of `below`. */
  readonly size: number;
  readonly #first: number;
  readonly #aliases = new Map<string, number[]>();
  #tools: readonly ToolDefinition[] | undefined;
  #ownGoverned: readonly ToolDefinition[] | undefined;
  #deferred: number | undefined;

  /**
   * @param revision rises by one with every change; process-local, used only as a cache key
   * @param own sorted by {@link catalogOrder}; in another order, tools can be searched but not found by name
   * @param executors one per tool, in the same order; a snapshot that is only searched needs none
   * @param below the snapshot that this one extends
   * @param items the context items beside the tools, as a snapshot of their own: nothing that lists, finds or counts
   *   tools meets them. @default those of `below`
   */
  constructor(
    readonly revision: number,
    readonly own: readonly ToolDefinition[],
    private readonly executors: readonly ToolExecutor[] = [],
    readonly below?: CatalogSnapshot,
    readonly items: CatalogSnapshot | undefined = below?.items,
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

  /** All tools in one list, built at the first access. */
  get tools(): readonly ToolDefinition[] {
    this.#tools ??= this.below ? [...this.below.tools, ...this.own] : this.own;
    return this.#tools;
  }

  /** `own` and the context items that this snapshot adds, in catalog order; built at the first access. */
  get ownGoverned(): readonly ToolDefinition[] {
    const { items } = this;
    this.#ownGoverned ??=
      items && items !== this.below?.items ? [...this.own, ...items.own].sort(catalogOrder) : this.own;
    return this.#ownGoverned;
  }

  /** Number of deferred tools. */
  get deferred(): number {
    this.#deferred ??= (this.below?.deferred ?? 0) + this.own.filter(({ loading }) => loading === 'deferred').length;
    return this.#deferred;
  }

  /** The tool with this dense id. @throws RangeError if there is none */
  at(id: number): ToolDefinition {
    const tool = this.find(id);
    if (!tool) throw new RangeError(`no tool has the id ${id} in catalog revision ${this.revision}`);
    return tool;
  }

  /** The tool with this dense id; undefined if there is none. */
  find(id: number): ToolDefinition | undefined {
    return this.below && id < this.#first ? this.below.find(id) : this.own[id - this.#first];
  }

  /** The executor of the tool with this dense id. @throws RangeError if there is none */
  executorOf(id: number): ToolExecutor {
    if (this.below && id < this.#first) return this.below.executorOf(id);
    const executor = this.executors[id - this.#first];
    if (!executor) throw new RangeError(`no tool has the id ${id} in catalog revision ${this.revision}`);
    return executor;
  }

  /** Dense id of a canonical name or alias, among the shared tools and the tenant's own. */
  idOf(name: string, tenantId: string): number | undefined {
    return (
      this.#idOf({ owner: '', name }) ??
      this.#idOf({ owner: tenantId, name }) ??
      this.#idsOfAlias(name).find((id) => isOwnedBy(this.at(id), tenantId))
    );
  }

  /** The tools that a tenant can see before any access rule applies. */
  ownedBy(tenantId: string): ToolSet {
    return ToolSet.of(this.size, (id) => isOwnedBy(this.at(id), tenantId));
  }

  // Binary search: building a map of all names at every change would be slow for a large catalog.
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

type Place = Pick<ToolDefinition, 'owner' | 'name'>;

/** Compares two tools in catalog order: by owner, then by canonical name. Negative if `a` comes first. */
export function catalogOrder(a: Place, b: Place): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1;
  return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}
