import { nextTurn } from '../../async/time-slicer.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { loadTenantSources, closeSources } from './load-tenant-sources.js';
import { ownedBy, ownSources } from './owned-source.js';
import type { TenantSourceParts, TenantSourceSettings } from './tenant-source-options.js';

interface Tenant {
  readonly id: string;
  readonly context: ToolContext;
  /** As `load` returned them, and as they are in the catalog. */
  sources: readonly ToolSource[];
  usedAt: number;
  /** Set while requests have to wait for the sources. */
  patience: Promise<void> | undefined;
  failures: number;
  retry: NodeJS.Timeout | undefined;
  readonly gone: AbortController;
}

// One reason for all: an abort without one makes a DOMException with a stack.
const GONE = new Error('the tenant is gone');
const MAX_SWEEP_MS = 60_000;
/** Sources used this recently are never removed, so that work that has begun finds them, even beyond `maxTenants`. */
const IN_USE_MS = 10_000;

/**
 * Each tenant's own sources. They are added to the catalog at the tenant's first request, of any kind, and removed when
 * the tenant is idle. A slow or failing source delays its tenant by at most `waitMs`, and other tenants not at all.
 */
export class TenantSources {
  // Least recently used first.
  readonly #tenants = new Map<string, Tenant>();
  /** Work on each tenant's sources, one after the other; kept when a tenant is removed and returns. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #now: () => number;
  #sweeping: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly settings: TenantSourceSettings,
    private readonly parts: TenantSourceParts,
  ) {
    this.#now = parts.now ?? (() => performance.now());
  }

  get isOn(): boolean {
    return this.settings.isOn;
  }

  /** Marks the tenant as used. Await the result: it never rejects and takes `waitMs` at most. */
  ready(context: ToolContext): Promise<void> | undefined {
    const { tenantId } = context;
    if (tenantId === '' || this.#isClosed) return undefined;
    const tenant = this.#tenants.get(tenantId) ?? this.#arrived(context);
    tenant.usedAt = this.#now();
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, tenant);
    return tenant.patience;
  }

  /**
   * Loads a tenant's sources again, after its configuration has changed. The tenant keeps its old sources until then.
   * Does nothing for a tenant without loaded sources: they are loaded at its next request.
   *
   * @throws the error of `load`; the old sources stay, and loading is tried again later
   */
  async refresh(tenantId: string): Promise<void> {
    const tenant = this.#tenants.get(tenantId);
    if (tenant) await this.#inTurn(tenantId, () => this.#bring(tenant));
  }

  /**
   * Removes a tenant's sources at once, ends their calls, and deletes the example queries that were written for its
   * tools; its next request loads the sources anew.
   */
  async forget(tenantId: string): Promise<void> {
    const tenant = this.#tenants.get(tenantId);
    if (tenant) this.#leave(tenant);
    await this.#turns.get(tenantId);
    // An idle tenant keeps what was written: it comes back.
    await this.parts.exampleQueries?.forgetTenant(tenantId);
  }

  /** Removes tenants that are idle or exceed `maxTenants`. Runs periodically as long as there are tenants. */
  sweep(): void {
    const { idleMs } = this.settings;
    const idleSince = this.#now() - idleMs;
    for (const tenant of this.#tenants.values()) {
      if (tenant.usedAt > idleSince) break;
      if (!this.#isBusy(tenant)) this.#leave(tenant);
    }
    this.#makeRoom();
  }

  /** Stops loading sources. The catalog closes those that are loaded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    for (const { gone, retry } of this.#tenants.values()) {
      clearTimeout(retry);
      gone.abort(GONE);
    }
    this.#tenants.clear();
    await Promise.all(this.#turns.values());
  }

  #arrived(context: ToolContext): Tenant {
    const { tenantId: id } = context;
    const tenant: Tenant = {
      id,
      context,
      sources: [],
      usedAt: this.#now(),
      patience: undefined,
      failures: 0,
      retry: undefined,
      gone: new AbortController(),
    };
    this.#tenants.set(id, tenant);
    this.#wait(tenant, this.#try(tenant));
    this.#makeRoom();
    if (!this.#sweeping) {
      const { idleMs } = this.settings;
      this.#sweeping = setInterval(() => this.sweep(), Math.min(MAX_SWEEP_MS, Math.ceil(idleMs / 4)));
      this.#sweeping.unref();
    }
    return tenant;
  }

  // Measured from the start of loading: a later request does not wait for the full time again.
  #wait(tenant: Tenant, work: Promise<void>): void {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.settings.waitMs);
    });
    const patience = Promise.race([work, over]).finally(() => {
      clearTimeout(timer);
      if (tenant.patience === patience) tenant.patience = undefined;
    });
    tenant.patience = patience;
  }

  #try(tenant: Tenant): Promise<void> {
    const tried = this.#inTurn(tenant.id, () => this.#bring(tenant));
    return tried.catch(() => undefined);
  }

  async #bring(tenant: Tenant): Promise<void> {
    clearTimeout(tenant.retry);
    // Adding a tenant's tools takes a few milliseconds: of tenants that arrive together, add one per turn.
    await nextTurn();
    try {
      await this.#exchange(tenant, this.#own(tenant, await loadTenantSources(this.settings, tenant)));
      tenant.failures = 0;
    } catch (error) {
      if (tenant.gone.signal.aborted) return;
      this.#failed(tenant, error);
      throw error;
    }
  }

  // One invalid source must not affect the tenant's others.
  #own(tenant: Tenant, given: readonly unknown[]): readonly ToolSource[] {
    const { id } = tenant;
    const others = this.parts.catalog.sources(id).filter(({ owner }) => owner === id);
    const known = new Set(tenant.sources.map(({ name }) => name));
    const { sources, faults } = ownSources(
      given,
      id,
      others.flatMap(({ source }) => (known.has(source) ? [] : [source])),
    );
    for (const fault of faults) this.#degraded(id, fault, 0);
    return sources;
  }

  // A name is free as soon as its removal has begun; removals and additions made together are published together.
  async #exchange(tenant: Tenant, sources: readonly ToolSource[]): Promise<void> {
    const { catalog } = this.parts;
    const { id } = tenant;
    const coming = sources.filter((source) => !tenant.sources.includes(source));
    if (tenant.gone.signal.aborted) return closeSources(coming);
    const leaving = tenant.sources.filter((source) => !sources.includes(source));
    const staying = sources.filter((source) => tenant.sources.includes(source));
    tenant.sources = sources;
    const goneTools = toolsOf(leaving, catalog.current(id).own);
    const work = Promise.all([
      ...leaving.map(({ name }) => catalog.remove(name, id)),
      ...staying.map(({ name }) => catalog.refresh(name, id)),
      catalog.add(...coming.map((source) => ownedBy(source, id))),
    ]);
    if (leaving.length > 0) this.#wait(tenant, settled(work));
    try {
      await work;
      // Not before: what is in the catalog could be written again.
      if (goneTools.length > 0) await this.parts.exampleQueries?.forgetTenant(id, goneTools);
    } catch (error) {
      tenant.sources = staying;
      await Promise.all(coming.map(({ name }) => catalog.remove(name, id)));
      throw error;
    }
  }

  #failed(tenant: Tenant, error: unknown): void {
    const { retryMinMs, retryMaxMs } = this.parts;
    const backOff = Math.min(retryMaxMs, retryMinMs * 2 ** tenant.failures);
    tenant.failures += 1;
    // Random jitter, so that tenants that failed together are not retried together.
    const retryInMs = Math.round(backOff * (0.75 + Math.random() / 2));
    tenant.retry = setTimeout(() => void this.#try(tenant), retryInMs);
    tenant.retry.unref();
    this.#degraded(tenant.id, error, retryInMs);
  }

  #degraded(tenantId: string, error: unknown, retryInMs: number): void {
    const { code, message: reason } = isToolSearchError(error)
      ? error
      : ({ code: 'SOURCE_UNAVAILABLE', message: 'tenantSources.load() failed' } as const);
    this.parts.events.emit({ type: 'tenant_sources.degraded', tenantId, code, reason, retryInMs });
    if (!isToolSearchError(error)) this.parts.reportFault('tenantSources.load()', error);
  }

  // Keeps sources that a request used a moment ago.
  #makeRoom(): void {
    const { maxTenants } = this.settings;
    const usedBefore = this.#now() - IN_USE_MS;
    for (const tenant of this.#tenants.values()) {
      if (this.#tenants.size <= maxTenants || tenant.usedAt > usedBefore) return;
      if (!this.#isBusy(tenant)) this.#leave(tenant);
    }
  }

  #isBusy({ id, patience }: Tenant): boolean {
    return patience !== undefined || this.parts.running.has((tool) => tool.owner === id);
  }

  #leave(tenant: Tenant): void {
    const { id, sources, retry, gone } = tenant;
    this.#tenants.delete(id);
    clearTimeout(retry);
    gone.abort(GONE);
    const removed = Promise.all(sources.map(({ name }) => this.parts.catalog.remove(name, id)));
    removed.catch((error: unknown) => this.parts.reportFault('removing the sources of a tenant', error));
    void this.#inTurn(id, () => settled(removed));
  }

  #inTurn(id: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const over = settled(turn).then(() => {
      if (this.#turns.get(id) === over) this.#turns.delete(id);
    });
    this.#turns.set(id, over);
    return turn;
  }
}

function toolsOf(sources: readonly ToolSource[], own: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const names = new Set(sources.map(({ name }) => name));
  return own.filter(({ source, owner }) => owner !== '' && names.has(source));
}

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
