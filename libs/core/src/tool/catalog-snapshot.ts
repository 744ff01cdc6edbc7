import type { ToolDefinition } from './tool-definition.js';
import type { ToolExecutor } from './tool-source.js';
import { ToolSet } from './tool-set.js';

/**
 * All tools at one moment. A tool's dense id is its position in `tools`; ids mean nothing in another snapshot.
 */
export class CatalogSnapshot {
  // By canonical name or alias. Hardly any name is several tools', and a list for each would take its time in a large catalog.
  readonly #ids = new Map<string, number>();
  readonly #furtherIds = new Map<string, number[]>();

  /**
   * @param revision rises by one with every change; process-local, a cache key only
   * @param tools in stable order: sorted by owner, then canonical name
   * @param executors one for each tool, in the same order; a snapshot that is only searched needs none
   */
  constructor(
    readonly revision: number,
    readonly tools: readonly ToolDefinition[],
    private readonly executors: readonly ToolExecutor[] = [],
  ) {
    tools.forEach((tool, id) => {
      this.#name(tool.name, id);
      for (const alias of tool.aliases) this.#name(alias, id);
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
    const first = this.#ids.get(name);
    if (first === undefined || isOwnedBy(this.at(first), tenantId)) return first;
    return this.#furtherIds.get(name)?.find((id) => isOwnedBy(this.at(id), tenantId));
  }

  /** The tools a tenant could see if no rule said otherwise. */
  ownedBy(tenantId: string): ToolSet {
    return ToolSet.of(this.tools.length, (id) => isOwnedBy(this.at(id), tenantId));
  }

  #name(name: string, id: number): void {
    const further = this.#furtherIds.get(name);
    if (further) further.push(id);
    else if (this.#ids.has(name)) this.#furtherIds.set(name, [id]);
    else this.#ids.set(name, id);
  }
}

/** Whether a tool is shared or belongs to this tenant. */
export function isOwnedBy(tool: ToolDefinition, tenantId: string): boolean {
  return tool.owner === '' || tool.owner === tenantId;
}
