import type { ToolContext } from '../../tool/tool-context.js';
import { createHash } from 'node:crypto';
import { TenantFairLru } from '../../collections/tenant-fair-lru.js';

/** Places kept for tools that are no longer offered, because they may have been activated since. */
const MAX_KEPT = 1000;

/** Searches remembered because a call may still follow. */
const MAX_SEARCHES = 20;

/** Searches without a result that a run remembers. */
const MAX_VAIN = 20;

/** State of one run: the tools offered to it, the order in which tools entered its list, and its searches. */
export class RunToolState {
  /** How many surfaces this process has shown to the run. */
  step = 0;
  /** The language in which its models should search, as a tag of BCP 47. */
  language: string | undefined;
  readonly #order = new Set<string>();
  readonly #offered = new Set<string>();
  readonly #vain = new Set<string>();
  /** Not restored from a conversation until they are found or activated again. */
  #leftOut = new Set<string>();
  #active: ReadonlySet<string> = new Set();
  readonly #searches: { readonly query: string; readonly found: Set<string> }[] = [];

  constructor(readonly maxOffers = 200) {}

  /** Offers tools found by search or get. Returns the new offers. Over the limit, the oldest offers are removed. */
  offer(tools: readonly string[]): readonly string[] {
    const fresh = tools.filter((tool) => !this.#offered.has(tool));
    for (const tool of tools) {
      // A tool found again becomes the newest offer, but keeps its place in the list.
      this.#offered.delete(tool);
      this.#offered.add(tool);
      this.#order.add(tool);
      this.#leftOut.delete(tool);
    }
    for (const oldest of this.#offered) {
      if (this.#offered.size <= this.maxOffers) break;
      this.#offered.delete(oldest);
    }
    // A client that only searches never calls `listing`, which tidies up otherwise.
    if (this.#order.size > this.maxOffers + MAX_KEPT) this.#tidy();
    return fresh;
  }

  /**
   * Replaces all offers with these, in this order. Tools that had been activated are the last to be removed over the
   * limit.
   *
   * @param leftOut tools that the conversation's receipts must not restore
   */
  restore(tools: readonly string[], activated: ReadonlySet<string>, leftOut: Iterable<string> = []): void {
    this.#leftOut = new Set(leftOut);
    this.#order.clear();
    this.#offered.clear();
    for (const tool of tools) this.#order.add(tool);
    for (const tool of tools) if (!activated.has(tool)) this.#offered.add(tool);
    for (const tool of tools) this.#offered.add(tool);
  }

  /** Withdraws offers. Tools that are not active either lose their place. */
  withdraw(tools: readonly string[]): void {
    for (const tool of tools) this.#offered.delete(tool);
  }

  /** Remembers the result of a search until a call uses it. */
  searched(query: string, found: readonly string[]): void {
    if (found.length === 0) return;
    this.#searches.push({ query, found: new Set(found) });
    if (this.#searches.length > MAX_SEARCHES) this.#searches.shift();
  }

  /** The newest search that found the called tool. Each search counts once per tool. */
  searchThatFound(tool: string): string | undefined {
    return this.#searches.findLast(({ found }) => found.delete(tool))?.query;
  }

  /** Offered tools, the oldest offer first. */
  get offered(): readonly string[] {
    return [...this.#offered];
  }

  /** Ends the exclusion of tools that were activated here. */
  takeBack(tools: readonly string[]): void {
    for (const tool of tools) this.#leftOut.delete(tool);
  }

  isLeftOut(tool: string): boolean {
    return this.#leftOut.has(tool);
  }

  isOffered(tool: string): boolean {
    return this.#offered.has(tool);
  }

  /** Remembers a search without a result. Returns whether the run knew it already. Keeps the newest 20. */
  searchedInVain(search: string): boolean {
    // A digest has a fixed size and does not keep a user's words.
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
   * Offered and activated tools in a stable order: tools listed before keep their place and new ones are appended, so
   * that a provider's prompt cache keeps its prefix.
   */
  listing(activated: readonly string[]): readonly string[] {
    for (const tool of activated) this.#order.add(tool);
    this.#active = new Set(activated);
    this.#tidy();
    return [...this.#order];
  }

  // Tools that are neither offered nor active lose their place, which also bounds the order.
  #tidy(): void {
    for (const tool of this.#order) {
      if (!this.#active.has(tool) && !this.#offered.has(tool)) this.#order.delete(tool);
    }
  }
}

/** State of all runs that have an id, in memory. Over the limit, the tenant with the most runs loses its oldest. */
export class RunStates {
  readonly #states: TenantFairLru<RunToolState>;

  constructor(maxRuns = 10_000) {
    this.#states = new TenantFairLru(maxRuns);
  }

  of({
    tenantId,
    userId = '',
    runId,
  }: Pick<ToolContext, 'tenantId' | 'userId'> & { readonly runId: string }): RunToolState {
    const key = JSON.stringify([userId, runId]);
    const state = this.#states.get(tenantId, key) ?? new RunToolState();
    this.#states.set(tenantId, key, state);
    return state;
  }
}
