import { activationCursor, activationKey, activationStart } from './activation-cursor.js';
import { type ActivationFilter, activationMatches } from './activation-filter.js';
import {
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationPage,
  type ActivationRecord,
  type ActivationScope,
  type ActivationStats,
  ActivationStore,
  type HeldActivation,
  type NewActivation,
  USE_PRECISION_MS,
} from './activation-store.js';
import { applyLimits } from './apply-limits.js';
import { TenantFairLru } from '../collections/tenant-fair-lru.js';

interface ScopeEntry {
  readonly scope: ActivationScope;
  usedAt: number;
  readonly tools: Map<string, HeldActivation>;
}

/**
 * Activations in the memory of one process; lost at exit and not shared. When it is full, the tenant with the most
 * scopes loses the one that has been idle longest.
 */
export class MemoryActivationStore extends ActivationStore {
  /** In order of last use. Contains a scope exactly while the scope holds a tool. */
  readonly #scopes: TenantFairLru<ScopeEntry>;

  /** @param maxScopes maximum number of runs and sessions; default 10,000 */
  constructor(maxScopes = 10_000) {
    super();
    this.#scopes = new TenantFairLru(maxScopes);
  }

  override async list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    return [...this.#live(scope, staleBefore).tools.values()]
      .map(({ tool, reason, activatedAt, usedAt }) => ({ tool, reason, activatedAt, usedAt }))
      .toSorted((a, b) => a.activatedAt - b.activatedAt || (a.tool < b.tool ? -1 : 1));
  }

  override async activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome> {
    const entry = this.#live(scope, staleBefore);
    const costs = new Map([...entry.tools.values()].map(({ tool, tokens }) => [tool, tokens]));
    const { admitted, alreadyActive, overLimit } = applyLimits(costs, tools, limits);
    for (const record of admitted) entry.tools.set(record.tool, { ...record, activatedAt: now, usedAt: now });
    for (const name of alreadyActive) {
      const record = entry.tools.get(name);
      if (record && record.usedAt <= now - USE_PRECISION_MS) entry.tools.set(name, { ...record, usedAt: now });
    }
    this.#keep(scope, entry, now);
    return { activated: admitted.map(({ tool }) => tool), alreadyActive, overLimit };
  }

  override async lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined> {
    const entry = this.#live(scope, staleBefore);
    return entry.tools.size === 0 ? undefined : entry.usedAt;
  }

  override async demote(
    scope: ActivationScope,
    choose: (activations: readonly HeldActivation[]) => readonly string[],
    restedBefore: number,
    now: number,
    staleBefore: number,
  ): Promise<readonly string[]> {
    const entry = this.#live(scope, staleBefore);
    if (entry.tools.size === 0) return [];
    const chosen = entry.usedAt < restedBefore ? choose([...entry.tools.values()]) : [];
    const demoted = chosen.filter((tool) => entry.tools.delete(tool));
    this.#keep(scope, entry, now);
    return demoted;
  }

  override async revoke(scope: ActivationScope, tool?: string): Promise<number> {
    const entry = this.#scopes.get(scope.tenantId, keyOf(scope));
    if (!entry) return 0;
    const removed = tool === undefined ? entry.tools.size : Number(entry.tools.delete(tool));
    if (tool === undefined || entry.tools.size === 0) this.#scopes.delete(scope.tenantId, keyOf(scope));
    return removed;
  }

  override async sweep(staleBefore: number, batch: number): Promise<number> {
    return this.#scopes.deleteWhere(({ usedAt }) => usedAt < staleBefore, batch);
  }

  override async browse(
    filter: ActivationFilter,
    { after, limit }: { readonly after?: string; readonly limit: number },
    staleBefore: number,
  ): Promise<ActivationPage> {
    const start = activationStart(filter, after);
    const found = this.#records()
      .filter(({ record, usedAt }) => usedAt >= staleBefore && activationMatches(record, filter))
      .map(({ record }) => ({ record, key: activationKey(record) }))
      .filter(({ key }) => inOrder(start, key) < 0)
      .toSorted((a, b) => inOrder(a.key, b.key));
    const items = found.slice(0, limit).map(({ record }) => record);
    const last = items.at(-1);
    return { items, ...(last && found.length > limit && { next: activationCursor(last) }) };
  }

  override async stats(staleBefore: number): Promise<ActivationStats> {
    const all = Array.from(this.#scopes.entries(), ([, , entry]) => entry);
    const live = all.filter(({ usedAt }) => usedAt >= staleBefore);
    const costs = live.flatMap(({ tools }) => Array.from(tools.values(), ({ tokens }) => tokens));
    return {
      scopes: live.length,
      activations: costs.length,
      tokens: costs.reduce((sum, tokens) => sum + tokens, 0),
      idleScopes: all.length - live.length,
      ...(live.length > 0 && { oldestUseAt: live.reduce((oldest, { usedAt }) => Math.min(oldest, usedAt), Infinity) }),
    };
  }

  override async revokeAll(filter: ActivationFilter): Promise<number> {
    let removed = 0;
    for (const { record } of this.#records()) {
      if (activationMatches(record, filter)) removed += await this.revoke(record, record.tool);
    }
    return removed;
  }

  #records(): { readonly record: ActivationRecord; readonly usedAt: number }[] {
    return Array.from(this.#scopes.entries()).flatMap(([, , { scope, usedAt, tools }]) =>
      Array.from(tools.values(), (entry) => ({ record: { ...scope, ...entry }, usedAt })),
    );
  }

  #live(scope: ActivationScope, staleBefore: number): ScopeEntry {
    const entry = this.#scopes.get(scope.tenantId, keyOf(scope));
    if (entry && entry.usedAt >= staleBefore) return entry;
    const { tenantId, userId, scopeId } = scope;
    return { scope: { tenantId, userId, scope: scope.scope, scopeId }, usedAt: 0, tools: new Map() };
  }

  #keep(scope: ActivationScope, entry: ScopeEntry, now: number): void {
    if (entry.tools.size === 0) {
      this.#scopes.delete(scope.tenantId, keyOf(scope));
      return;
    }
    entry.usedAt = Math.max(entry.usedAt, now);
    this.#scopes.set(scope.tenantId, keyOf(scope), entry);
  }
}

/** JSON, so that two scopes of a tenant never share a key. */
function keyOf({ userId, scope, scopeId }: ActivationScope): string {
  return JSON.stringify([userId, scope, scopeId]);
}

function inOrder(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? '';
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}
