import { createHash } from 'node:crypto';
import { FairMap } from '../../collections/fair-map.js';

/** Places kept for tools that are no longer offered, because they may have been activated meanwhile. */
const MAX_KEPT = 1000;

/** Searches that may still lead to a call. */
const MAX_SEARCHES = 20;

/** Searches without a result that a run remembers. */
const MAX_VAIN = 20;

/** What one run has been offered, the order in which tools entered its list, and what it has searched for. */
export class RunShelf {
  readonly #order = new Set<string>();
  readonly #offered = new Set<string>();
  readonly #vain = new Set<string>();
  /** Not to be taken from a conversation, until they are found or activated again. */
  #leftOut = new Set<string>();
  #active: ReadonlySet<string> = new Set();
  readonly #searches: { readonly query: string; readonly found: Set<string> }[] = [];

  constructor(readonly maxOffers = 200) {}

  /** Offers tools found by search or get; returns those that were not offered before. The oldest offers give way. */
  offer(tools: readonly string[]): readonly string[] {
    const fresh = tools.filter((tool) => !this.#offered.has(tool));
    for (const tool of tools) {
      // What is found again is young again; its place in the list stays.
      this.#offered.delete(tool);
      this.#offered.add(tool);
      this.#order.add(tool);
      this.#leftOut.delete(tool);
    }
    for (const oldest of this.#offered) {
      if (this.#offered.size <= this.maxOffers) break;
      this.#offered.delete(oldest);
    }
    // A client that only searches never asks for the listing, which tidies up otherwise.
    if (this.#order.size > this.maxOffers + MAX_KEPT) this.#tidy();
    return fresh;
  }

  /**
   * Starts over with all of these offers, in this order; those that had been activated are the last to give way.
   *
   * @param leftOut what the run shall not have back, whatever its conversation says
   */
  restore(tools: readonly string[], activated: ReadonlySet<string>, leftOut: Iterable<string> = []): void {
    this.#leftOut = new Set(leftOut);
    this.#order.clear();
    this.#offered.clear();
    for (const tool of tools) this.#order.add(tool);
    for (const tool of tools) if (!activated.has(tool)) this.#offered.add(tool);
    for (const tool of tools) this.#offered.add(tool);
  }

  /** Takes offers back; what is not active either loses its place. */
  withdraw(tools: readonly string[]): void {
    for (const tool of tools) this.#offered.delete(tool);
  }

  /** Remembers what a search found, until a call shows what it was good for. */
  searched(query: string, found: readonly string[]): void {
    if (found.length === 0) return;
    this.#searches.push({ query, found: new Set(found) });
    if (this.#searches.length > MAX_SEARCHES) this.#searches.shift();
  }

  /** The newest search that found a tool which is now called; each search counts once for a tool. */
  searchThatFound(tool: string): string | undefined {
    return this.#searches.findLast(({ found }) => found.delete(tool))?.query;
  }

  /** What is offered, the oldest offer first. */
  get offered(): readonly string[] {
    return [...this.#offered];
  }

  /** What was activated here and now is not left out any more. */
  takeBack(tools: readonly string[]): void {
    for (const tool of tools) this.#leftOut.delete(tool);
  }

  isLeftOut(tool: string): boolean {
    return this.#leftOut.has(tool);
  }

  isOffered(tool: string): boolean {
    return this.#offered.has(tool);
  }

  /** Remembers a search that found nothing; true if this run remembers it already. The oldest ones are forgotten. */
  searchedInVain(search: string): boolean {
    // A digest: of one size, and nobody's words.
    const digest = createHash('sha256').update(search).digest('base64');
    const isKnown = this.#vain.delete(digest);
    this.#vain.add(digest);
    for (const oldest of this.#vain) {
      if (this.#vain.size <= MAX_VAIN) break;
      this.#vain.delete(oldest);
    }
    return isKnown;
  }

  /**
   * Offered and activated tools in a stable order: what this run has listed before keeps its place, everything new comes
   * after it, so that a provider's prompt cache keeps its prefix.
   */
  listing(activated: readonly string[]): readonly string[] {
    for (const tool of activated) this.#order.add(tool);
    this.#active = new Set(activated);
    this.#tidy();
    return [...this.#order];
  }

  // What is neither offered nor active loses its place, which also bounds the order.
  #tidy(): void {
    for (const tool of this.#order) {
      if (!this.#active.has(tool) && !this.#offered.has(tool)) this.#order.delete(tool);
    }
  }
}

/** The shelves of all runs that have an id, in memory; where there are too many, the largest tenant's oldest go first. */
export class RunShelves {
  readonly #shelves: FairMap<RunShelf>;

  constructor(maxRuns = 10_000) {
    this.#shelves = new FairMap(maxRuns);
  }

  of({
    tenantId,
    userId = '',
    runId,
  }: {
    readonly tenantId: string;
    readonly userId?: string;
    readonly runId: string;
  }): RunShelf {
    const key = JSON.stringify([userId, runId]);
    const shelf = this.#shelves.get(tenantId, key) ?? new RunShelf();
    this.#shelves.set(tenantId, key, shelf);
    return shelf;
  }
}
