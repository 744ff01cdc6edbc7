import { LRUCache } from 'lru-cache';

/** What one run has been offered, and the order in which tools entered its list. */
export class RunShelf {
  readonly #order = new Set<string>();
  readonly #offered = new Set<string>();

  constructor(private readonly maxOffers = 200) {}

  /** Offers tools found by search or get; returns those that were not offered before. The oldest offers give way. */
  offer(tools: readonly string[]): readonly string[] {
    const fresh = tools.filter((tool) => !this.#offered.has(tool));
    for (const tool of tools) {
      // What is found again is young again; its place in the list stays.
      this.#offered.delete(tool);
      this.#offered.add(tool);
      this.#order.add(tool);
    }
    for (const oldest of this.#offered) {
      if (this.#offered.size <= this.maxOffers) break;
      this.#offered.delete(oldest);
    }
    return fresh;
  }

  isOffered(tool: string): boolean {
    return this.#offered.has(tool);
  }

  /**
   * Offered and activated tools in a stable order: what this run has listed before keeps its place, everything new comes
   * after it, so that a provider's prompt cache keeps its prefix.
   */
  listing(activated: readonly string[]): readonly string[] {
    for (const tool of activated) this.#order.add(tool);
    const active = new Set(activated);
    const listed = [...this.#order].filter((tool) => active.has(tool) || this.#offered.has(tool));
    // What left both sets loses its place, which also bounds the order.
    for (const tool of this.#order) if (!active.has(tool) && !this.#offered.has(tool)) this.#order.delete(tool);
    return listed;
  }
}

/** The shelves of all runs that have an id, in memory; the least recently used ones are forgotten. */
export class RunShelves {
  readonly #shelves: LRUCache<string, RunShelf>;

  constructor(maxRuns = 10_000) {
    this.#shelves = new LRUCache({ max: maxRuns });
  }

  /** @param key parts that together identify one principal's run */
  of(key: readonly string[]): RunShelf {
    const id = JSON.stringify(key);
    let shelf = this.#shelves.get(id);
    if (!shelf) {
      shelf = new RunShelf();
      this.#shelves.set(id, shelf);
    }
    return shelf;
  }
}
