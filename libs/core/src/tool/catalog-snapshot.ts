import { catalogOrder } from './catalog-order.js';
import type { ToolDefinition } from './tool-definition.js';
import type { ToolExecutor } from './tool-source.js';
import { ToolSet } from './tool-set.js';

/**
 * All tools at one moment. A tool's dense id is its position in `tools`; ids mean nothing in another snapshot.
 */
export class CatalogSnapshot {
  readonly #aliases = new Map<string, number[]>();

  /**
   * @param revision rises by one with every change; process-local, a cache key only
   * @param tools sorted by {@link catalogOrder}; a snapshot in another order can be searched, but finds no tool by its name
   * @param executors one for each tool, in the same order; a snapshot that is only searched needs none
   */
  constructor(
    readonly revision: number,
    readonly tools: readonly ToolDefinition[],
    private readonly executors: readonly ToolExecutor[] = [],
  ) {
    tools.forEach(({ aliases }, id) => {
      for (const alias of aliases) {
        const known = this.#aliases.get(alias);
        if (known) known.push(id);
        else this.#aliases.set(alias, [id]);
      }
    });
  }

  /** The tool with this dense id. */
  at(id: number): ToolDefinition {
    const tool = this.tools[id];
    if (!tool) throw new RangeError(`no tool has the id ${id} in catalog revision ${this.revision}`);
    return tool;
  }

  /** Who runs the tool with this dense id. */
  executorOf(id: number): ToolExecutor {
    const executor = this.executors[id];
    if (!executor) throw new RangeError(`no tool has the id ${id} in catalog revision ${this.revision}`);
    return executor;
  }

  /** Dense id of a canonical name or alias as a tenant sees it: shared tools and the tenant's own, nothing else. */
  idOf(name: string, tenantId: string): number | undefined {
    return (
      this.#idOf({ owner: '', name }) ??
      this.#idOf({ owner: tenantId, name }) ??
      this.#aliases.get(name)?.find((id) => isOwnedBy(this.at(id), tenantId))
    );
  }

  /** The tools a tenant could see if no rule said otherwise. */
  ownedBy(tenantId: string): ToolSet {
    return ToolSet.of(this.tools.length, (id) => isOwnedBy(this.at(id), tenantId));
  }

  // A search by halves: a map of all names would take its time in a large catalog, at every change.
  #idOf(wanted: Pick<ToolDefinition, 'owner' | 'name'>): number | undefined {
    let low = 0;
    let high = this.tools.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = catalogOrder(this.at(middle), wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }
}

/** Whether a tool is shared or belongs to this tenant. */
export function isOwnedBy(tool: ToolDefinition, tenantId: string): boolean {
  return tool.owner === '' || tool.owner === tenantId;
}
