import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';

export interface ScoredTool {
  readonly id: number;
  readonly score: number;
}

/** Keeps the few best tools, best first. `isBefore` orders equal scores; it should not depend on other tools. */
export class BestHits {
  readonly #hits: ScoredTool[] = [];

  /** @param isBefore whether the first of two tools with equal scores ranks first */
  constructor(
    private readonly limit: number,
    private readonly isBefore: (id: number, other: number) => boolean,
  ) {}

  /** A tool with a score below this is not kept; minus infinity while there is room. */
  get floor(): number {
    return this.#hits.length < this.limit ? -Infinity : (this.#hits.at(-1)?.score ?? Infinity);
  }

  offer(id: number, score: number): void {
    if (score < this.floor) return;
    const hits = this.#hits;
    let low = 0;
    for (let high = hits.length; low < high;) {
      const middle = (low + high) >>> 1;
      const other = hits[middle] as ScoredTool;
      if (other.score === score ? this.isBefore(other.id, id) : other.score > score) low = middle + 1;
      else high = middle;
    }
    hits.splice(low, 0, { id, score });
    if (hits.length > this.limit) hits.pop();
  }

  sorted(): readonly ScoredTool[] {
    return this.#hits;
  }
}

/**
 * Orders the tools of a snapshot by canonical name in code unit order, and equal names (of several tenants) by dense
 * id. The order does not depend on the rest of the catalog.
 *
 * @param isSorted whether the tools are in catalog order, so that names of one owner need no comparison
 */
export function byName(snapshot: CatalogSnapshot, isSorted = false): (id: number, other: number) => boolean {
  return (id, other) => {
    const [tool, otherTool] = [snapshot.find(id), snapshot.find(other)];
    if (!tool || !otherTool) return false;
    if ((isSorted && tool.owner === otherTool.owner) || tool.name === otherTool.name) return id < other;
    return tool.name < otherTool.name;
  };
}
