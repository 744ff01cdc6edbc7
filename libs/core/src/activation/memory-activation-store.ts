import {
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationScope,
  ActivationStore,
  type NewActivation,
} from './activation-store.js';
import { admit } from './admit.js';

interface Held {
  usedAt: number;
  readonly tools: Map<string, Activation & { readonly tokens: number }>;
}

/**
 * Activations in the memory of one process: gone with it, and unknown to its siblings. When it is full, the scope that
 * has been idle longest makes room.
 */
export class MemoryActivationStore extends ActivationStore {
  /** In the order of last use; a scope is in here exactly while it holds a tool. */
  readonly #scopes = new Map<string, Held>();

  /** @param maxScopes how many runs and sessions are remembered at most; default 10,000 */
  constructor(private readonly maxScopes = 10_000) {
    super();
  }

  override async list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    return [...this.#live(scope, staleBefore).tools.values()]
      .map(({ tool, reason, activatedAt }) => ({ tool, reason, activatedAt }))
      .toSorted((a, b) => a.activatedAt - b.activatedAt || (a.tool < b.tool ? -1 : 1));
  }

  override async activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome> {
    const held = this.#live(scope, staleBefore);
    const costs = new Map([...held.tools.values()].map(({ tool, tokens }) => [tool, tokens]));
    const { admitted, alreadyActive, overLimit } = admit(costs, tools, limits);
    for (const record of admitted) held.tools.set(record.tool, { ...record, activatedAt: now });
    this.#keep(scope, held, now);
    return { activated: admitted.map(({ tool }) => tool), alreadyActive, overLimit };
  }

  override async revoke(scope: ActivationScope, tool?: string): Promise<number> {
    const key = keyOf(scope);
    const held = this.#scopes.get(key);
    if (!held) return 0;
    const removed = tool === undefined ? held.tools.size : Number(held.tools.delete(tool));
    if (tool === undefined || held.tools.size === 0) this.#scopes.delete(key);
    return removed;
  }

  override async sweep(staleBefore: number, batch: number): Promise<number> {
    let swept = 0;
    for (const [key, { usedAt }] of this.#scopes) {
      if (swept === batch) break;
      if (usedAt < staleBefore && this.#scopes.delete(key)) swept += 1;
    }
    return swept;
  }

  #live(scope: ActivationScope, staleBefore: number): Held {
    const held = this.#scopes.get(keyOf(scope));
    return held && held.usedAt >= staleBefore ? held : { usedAt: 0, tools: new Map() };
  }

  #keep(scope: ActivationScope, held: Held, now: number): void {
    const key = keyOf(scope);
    this.#scopes.delete(key);
    if (held.tools.size === 0) return;
    held.usedAt = Math.max(held.usedAt, now);
    this.#scopes.set(key, held);
    for (const oldest of this.#scopes.keys()) {
      if (this.#scopes.size <= this.maxScopes) break;
      this.#scopes.delete(oldest);
    }
  }
}

/** As JSON, so that no two scopes can meet in one key. */
function keyOf({ tenantId, userId, scope, scopeId }: ActivationScope): string {
  return JSON.stringify([tenantId, userId, scope, scopeId]);
}
