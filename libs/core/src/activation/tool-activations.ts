import { TenantFairLru } from '../collections/tenant-fair-lru.js';
import { type ToolContext, eventIds } from '../tool/tool-context.js';
import type { ActivationReason, ToolEvents } from '../tool/tool-event.js';
import { globSet } from '../tool/tool-name.js';
import { guardStore } from '../tool/store-guard.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { type ActivationFilter, checkedActivationFilter } from './activation-filter.js';
import type { activationSchema } from './activation-options.js';
import type { SettingsOf } from '../options/options.js';
import {
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationPage,
  type ActivationStats,
  type ActivationStore,
  type NewActivation,
  USE_PRECISION_MS,
  type ActivationScope,
} from './activation-store.js';
import { demotion } from './demotion.js';
import { MessageActivations } from './messages/message-activations.js';
import { sweepInBatches } from './sweep-in-batches.js';

const SWEEP_BATCH = 200;
const MAX_PAGE = 200;
/** Scopes whose last use is remembered; one that is forgotten costs a write. */
const MAX_KEPT = 10_000;
const KEPT_IN_TTL = 10;

/** Whether one more tool fits; `by_tokens` = it depends on the tool's size, which is known at activation. */
export type ActivationRoom = 'some' | 'none' | 'by_tokens';

/** Activations of runs and sessions, within limits; forgotten when idle. */
export class ToolActivations {
  #sweeper: NodeJS.Timeout | undefined;
  #isSweeping = false;
  readonly #limits: ActivationLimits;
  readonly #isPinned: (tool: string) => boolean;
  /** When this process last marked a scope as used. */
  readonly #kept = new TenantFairLru<number>(MAX_KEPT);

  constructor(
    private readonly store: ActivationStore,
    private readonly ephemeral: ActivationStore,
    private readonly events: ToolEvents,
    private readonly settings: SettingsOf<typeof activationSchema>,
    private readonly now: () => number = Date.now,
  ) {
    this.#limits = { tools: this.settings.maxTools, tokens: this.settings.maxTokens };
    this.#isPinned = globSet(this.settings.pinned);
  }

  /**
   * The scope whose activations a context uses.
   *
   * @param ownRunId makes the run's id when it is needed: the context has none, and the scope is not the session
   * @throws ToolSearchError `SESSION_REQUIRED` when the scope is `session` and the context has no session id
   */
  scopeOf(context: ToolContext, ownRunId: () => string): OwnedScope {
    const scope = this.settings.scope ?? (context.sessionId === undefined ? 'run' : 'session');
    const ephemeral = scope === 'run' && context.runId === undefined;
    const scopeId = scope === 'session' ? context.sessionId : (context.runId ?? ownRunId());
    if (scopeId === undefined) {
      throw new ToolSearchError('SESSION_REQUIRED', 'Activations belong to a session, and this request names none.', {
        hint: 'Send a session id (x-session-id on the reference server), or set activation.scope to "run".',
      });
    }
    return { tenantId: context.tenantId, userId: context.userId ?? '', scope, scopeId, ephemeral };
  }

  /** The scope of a narrowed toolbox: always a run; the `scope` option is ignored. */
  runScope({ tenantId, userId = '' }: ToolContext, scopeId: string, ephemeral: boolean): OwnedScope {
    return { tenantId, userId, scope: 'run', scopeId, ephemeral };
  }

  /**
   * The activations of one toolbox when `storage` is `messages`, otherwise undefined.
   *
   * @param agent distinguishes narrowed toolboxes without a run id
   */
  inMessages(scope: OwnedScope, agent: string): MessageActivations | undefined {
    const { storage, receiptSecret = '' } = this.settings;
    if (storage !== 'messages') return undefined;
    return new MessageActivations(scope, agent, this.#limits, receiptSecret, this.now);
  }

  /** Whether a scope with this number of tools may activate one more. */
  roomBeside(activations: number): ActivationRoom {
    if (this.#limits.tools > 0 && activations >= this.#limits.tools) return 'none';
    return this.#limits.tokens === 0 ? 'some' : 'by_tokens';
  }

  /** A scope's activations, oldest first. */
  list(scope: OwnedScope): Promise<readonly Activation[]> {
    return guarded(() => this.#storeOf(scope).list(scope, this.#staleBefore()));
  }

  /** Activates tools in order within the limits, and marks the scope as used. */
  async activate(scope: OwnedScope, tools: readonly NewActivation[], context: ToolContext): Promise<ActivationOutcome> {
    const now = this.now();
    const outcome = await guarded(() =>
      this.#storeOf(scope).activate(scope, tools, this.#limits, now, this.#staleBefore()),
    );
    this.#kept.set(scope.tenantId, keyOf(scope), now);
    const reasons = new Map<string, ActivationReason>(tools.map((tool) => [tool.tool, tool.reason]));
    for (const tool of outcome.activated) {
      this.events.emit({
        type: 'tool.activated',
        ...eventIds(context),
        tool,
        scope: scope.scope,
        reason: reasons.get(tool) ?? 'first_use',
      });
    }
    for (const tool of outcome.overLimit) {
      this.events.emit({ type: 'activation.refused', ...eventIds(context), tool, scope: scope.scope });
    }
    return outcome;
  }

  /** When found tools are activated. */
  get activateOn(): 'call' | 'load' | 'search' {
    return this.settings.activateOn;
  }

  /** Whether tools may be demoted later, so that a full scope may have room again. */
  get demotes(): boolean {
    return this.settings.whenFull === 'demote';
  }

  /**
   * Called before a model sees the scope's tools. If the scope has been unused so long that the provider's prompt cache
   * has expired, demotes the least recently used tools. Returns the demoted tools.
   */
  async beforeShowing(scope: OwnedScope, context: ToolContext): Promise<readonly string[]> {
    if (!this.demotes) return [];
    const cacheTtlMs = this.settings.cacheTtlMs;
    const precision = Math.min(USE_PRECISION_MS, cacheTtlMs / 5);
    const now = this.now();
    const usedAt = await guarded(() => this.#storeOf(scope).lastUse(scope, this.#staleBefore()));
    if (usedAt === undefined || now - usedAt < precision) return [];
    // A use within the precision after the last recorded one was not recorded, so it is added.
    return this.#demote(scope, context, now - cacheTtlMs - precision);
  }

  /**
   * Marks a scope that holds tools as used, because a step of its conversation was shown them. Written at most ten times
   * in `idleTtlMs` by each process. Never fails: the next step tries again.
   */
  async keep(scope: OwnedScope): Promise<void> {
    const { idleTtlMs } = this.settings;
    // Where tools may be demoted, `beforeShowing` marks the use.
    if (idleTtlMs === 0 || scope.ephemeral || this.demotes) return;
    const [now, key] = [this.now(), keyOf(scope)];
    const before = this.#kept.get(scope.tenantId, key);
    if (before !== undefined && now - before < idleTtlMs / KEPT_IN_TTL) return;
    this.#kept.set(scope.tenantId, key, now);
    // No scope has rested since before time 0, so nothing is demoted.
    await guarded(() => this.#storeOf(scope).demote(scope, () => [], 0, now, this.#staleBefore())).catch(() =>
      this.#kept.delete(scope.tenantId, key),
    );
  }

  /** Demotes the least recently used tools now. Returns the demoted tools; none when the option is `refuse`. */
  async makeRoom(scope: OwnedScope, context: ToolContext): Promise<readonly string[]> {
    return this.demotes ? this.#demote(scope, context, Infinity) : [];
  }

  /** Removes one tool of a scope, or all of them. Returns the number of removed tools. */
  async revoke(scope: OwnedScope, tool?: string): Promise<number> {
    const removed = await guarded(() => this.#storeOf(scope).revoke(scope, tool));
    this.#revoked(removed, scope);
    return removed;
  }

  /**
   * A page of the activations of runs and sessions, for operators; at most 200 records, without runs that last one
   * request.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for an invalid filter, limit or cursor
   */
  browse(
    filter: ActivationFilter = {},
    { after, limit = 50 }: { readonly after?: string; readonly limit?: number } = {},
  ): Promise<ActivationPage> {
    return guarded(async () => {
      checkedActivationFilter(filter);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
        throw new ToolSearchError('INVALID_REQUEST', `limit must be a whole number from 1 to ${MAX_PAGE}.`, {
          hint: 'Read on with the cursor of the last page.',
        });
      }
      return this.store.browse(filter, { limit, ...(after !== undefined && { after }) }, this.#staleBefore());
    });
  }

  /** Totals of runs and sessions, without runs that last one request. */
  stats(): Promise<ActivationStats> {
    return guarded(() => this.store.stats(this.#staleBefore()));
  }

  /**
   * Removes all matching activations, including this process's runs that last one request. Tools offered to a run stay
   * offered: to forbid a tool, deny it. Returns the number of removed activations.
   *
   * @param filter `{}` matches everything; a part that is present but undefined is refused
   * @throws ToolSearchError `INVALID_REQUEST` for an invalid filter
   */
  async revokeAll(filter: ActivationFilter): Promise<number> {
    const removed = await guarded(async () => {
      checkedActivationFilter(filter);
      return (await this.ephemeral.revokeAll(filter)) + (await this.store.revokeAll(filter));
    });
    this.#revoked(removed, filter);
    return removed;
  }

  /** Removes idle scopes, in batches that leave room for other work. Returns the number of removed scopes. */
  async sweep(): Promise<number> {
    const staleBefore = this.#staleBefore();
    const removed = await sweepInBatches(SWEEP_BATCH, () => guarded(() => this.store.sweep(staleBefore, SWEEP_BATCH)));
    if (removed > 0) this.events.emit({ type: 'activation.swept', removed });
    return removed;
  }

  /** Starts sweeping in the background. @param also another sweep that runs at the same times */
  startSweeping(also?: () => Promise<unknown>): void {
    const every = this.settings.sweepEveryMs;
    if (every === 0 || this.#sweeper) return;
    const sweep = async () => {
      if (this.#isSweeping) return;
      this.#isSweeping = true;
      // An unavailable store is reported by the next request; the next sweep tries again.
      await this.sweep().catch(() => 0);
      await also?.().catch(() => 0);
      this.#isSweeping = false;
    };
    this.#sweeper = setInterval(() => void sweep(), every);
    this.#sweeper.unref();
  }

  stopSweeping(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  async #demote(scope: OwnedScope, context: ToolContext, restedBefore: number): Promise<readonly string[]> {
    const demoted = await guarded(() =>
      this.#storeOf(scope).demote(
        scope,
        (activations) => demotion(activations, this.#limits, this.#isPinned),
        restedBefore,
        this.now(),
        this.#staleBefore(),
      ),
    );
    for (const tool of demoted) {
      this.events.emit({ type: 'tool.demoted', ...eventIds(context), tool, scope: scope.scope });
    }
    return demoted;
  }

  #storeOf(scope: OwnedScope): ActivationStore {
    return scope.store ?? (scope.ephemeral ? this.ephemeral : this.store);
  }

  #staleBefore(): number {
    const ttl = this.settings.idleTtlMs;
    return ttl === 0 ? 0 : this.now() - ttl;
  }

  #revoked(removed: number, { tenantId }: ActivationFilter): void {
    if (removed === 0) return;
    this.events.emit({ type: 'activation.revoked', removed, ...(tenantId !== undefined && { tenantId }) });
  }
}

/** JSON, so that two scopes of a tenant never share a key. */
function keyOf({ userId, scope, scopeId }: ActivationScope): string {
  return JSON.stringify([userId, scope, scopeId]);
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('Activations', work);
}

export interface OwnedScope extends ActivationScope {
  /** The run has no id from the caller: it lasts one request, and its activations are kept in memory only. */
  readonly ephemeral: boolean;
  readonly store?: ActivationStore;
}
