import { type HeldLimits, type HeldResult, HeldResultStore, type ResultHolder } from './held-result-store.js';

interface Entry extends HeldResult, ResultHolder {
  readonly expiresAt: number;
}

/**
 * Held results in the memory of one process; lost at exit and not shared. When it is full, the tenant with the most
 * bytes loses its oldest result.
 */
export class MemoryHeldResultStore extends HeldResultStore {
  /** By tenant, the oldest result first. */
  readonly #tenants = new Map<string, { readonly results: Map<string, Entry>; bytes: number }>();
  #bytes = 0;

  /**
   * @param maxBytes of all bodies; default 268,435,456 (256 MiB)
   * @param now milliseconds; default a monotonic clock
   */
  constructor(
    private readonly maxBytes = 268_435_456,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
  }

  override async hold(handle: string, holder: ResultHolder, result: HeldResult, limits: HeldLimits): Promise<void> {
    const { tenantId, userId, agent } = holder;
    if (result.body.length > Math.min(limits.bytesOfTenant, this.maxBytes)) return;
    const tenant = this.#tenants.get(tenantId) ?? { results: new Map<string, Entry>(), bytes: 0 };
    this.#tenants.set(tenantId, tenant);
    const { tool, body } = result;
    tenant.results.set(handle, { tool, body, tenantId, userId, agent, expiresAt: this.now() + limits.forMs });
    tenant.bytes += body.length;
    this.#bytes += body.length;
    const own = [...tenant.results].filter(([, each]) => each.userId === userId && each.agent === agent);
    for (const [oldest] of own.slice(0, Math.max(0, own.length - limits.ofHolder))) this.#remove(tenantId, oldest);
    while (tenant.bytes > limits.bytesOfTenant) this.#removeOldest(tenantId);
    while (this.#bytes > this.maxBytes) this.#removeOldest(this.#largest());
  }

  override async find(handle: string, { tenantId, userId, agent }: ResultHolder): Promise<HeldResult | undefined> {
    const entry = this.#tenants.get(tenantId)?.results.get(handle);
    const isTheirs = entry?.userId === userId && entry.agent === agent;
    return isTheirs && entry.expiresAt > this.now() ? { tool: entry.tool, body: entry.body } : undefined;
  }

  override async sweep(batch: number): Promise<number> {
    const now = this.now();
    const expired = [...this.#tenants].flatMap(([tenantId, { results }]) =>
      [...results].flatMap(([handle, { expiresAt }]) => (expiresAt <= now ? [[tenantId, handle] as const] : [])),
    );
    const gone = expired.slice(0, batch);
    for (const [tenantId, handle] of gone) this.#remove(tenantId, handle);
    return gone.length;
  }

  #largest(): string {
    let largest = '';
    for (const [tenantId, { bytes }] of this.#tenants) {
      if (bytes > (this.#tenants.get(largest)?.bytes ?? 0)) largest = tenantId;
    }
    return largest;
  }

  #removeOldest(tenantId: string): void {
    const [oldest = ''] = this.#tenants.get(tenantId)?.results.keys() ?? [];
    this.#remove(tenantId, oldest);
  }

  #remove(tenantId: string, handle: string): void {
    const tenant = this.#tenants.get(tenantId);
    const entry = tenant?.results.get(handle);
    if (!tenant || !entry) return;
    tenant.results.delete(handle);
    tenant.bytes -= entry.body.length;
    this.#bytes -= entry.body.length;
    if (tenant.results.size === 0) this.#tenants.delete(tenantId);
  }
}
