import { fits } from '../../collections/records.js';
import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import { byLastUse, type LearnedQuery, LearnedQueryStore, type LearningLimits } from './learned-query-store.js';

/** Keeps learned queries in the memory of one process: they are lost when it ends and not shared between instances. */
export class MemoryLearnedQueryStore extends LearnedQueryStore {
  readonly #queries: TenantFairLru<LearnedQuery>;

  /** @param maxQueries maximum number of queries for all tenants together; default 100,000 */
  constructor(maxQueries = 100_000) {
    super();
    this.#queries = new TenantFairLru(maxQueries);
  }

  override async list(tenantId: string): Promise<readonly LearnedQuery[]> {
    return this.#of(tenantId);
  }

  override async learn(
    tenantId: string,
    tool: string,
    query: string,
    now: number,
    limits: LearningLimits,
  ): Promise<void> {
    const known = this.#queries.get(tenantId, keyOf({ tool, query }));
    const lastUsedAt = Math.max(now, known?.lastUsedAt ?? 0);
    const learned = { tool, query, uses: (known?.uses ?? 0) + 1, lastUsedAt };
    this.#queries.set(tenantId, keyOf(learned), learned);
    const all = this.#of(tenantId);
    const beyond = new Set([
      ...all.slice(limits.perTenant),
      ...all.filter((each) => each.tool === tool).slice(limits.perTool),
    ]);
    for (const each of beyond) this.#queries.delete(tenantId, keyOf(each));
  }

  override async forget(tenantId: string, filter: { tool?: string; query?: string } = {}): Promise<number> {
    const going = this.#of(tenantId).filter((each) => fits(each, filter));
    for (const each of going) this.#queries.delete(tenantId, keyOf(each));
    return going.length;
  }

  #of(tenantId: string): LearnedQuery[] {
    return [...this.#queries.ofTenant(tenantId)].sort(byLastUse);
  }
}

/** JSON, so that two different pairs never have the same key. */
function keyOf({ tool, query }: Pick<LearnedQuery, 'tool' | 'query'>): string {
  return JSON.stringify([tool, query]);
}
