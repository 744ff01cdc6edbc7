import type { ActivationReason } from '../tool/tool-event.js';
import type { ActivationFilter } from './activation-filter.js';

/** Whose activations: one principal's run or session. Every part is NOT NULL; an absent user is `''`. */
export interface ActivationScope {
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: 'run' | 'session';
  /** The run's or session's id. */
  readonly scopeId: string;
}

/** The record that a run or session has a tool. */
export interface Activation {
  /** Canonical name. */
  readonly tool: string;
  readonly reason: ActivationReason;
  /** Epoch milliseconds. */
  readonly activatedAt: number;
  /** Epoch milliseconds of its last use, to {@link USE_PRECISION_MS}. */
  readonly usedAt: number;
}

/** An activation with what it costs. */
export interface HeldActivation extends Activation {
  readonly tokens: number;
}

/** Uses that follow upon another within these milliseconds are not written down: a write a call would cost more than it tells. */
export const USE_PRECISION_MS = 60_000;

/** A tool to be activated, with what it costs to list it. */
export interface NewActivation {
  readonly tool: string;
  readonly reason: ActivationReason;
  /** Tokens of its definition; counted against the limit. */
  readonly tokens: number;
}

/** How much one run or session may hold; 0 means no limit. */
export interface ActivationLimits {
  readonly tools: number;
  readonly tokens: number;
}

/** What became of each tool that was to be activated; every tool is in exactly one list. */
export interface ActivationOutcome {
  readonly activated: readonly string[];
  readonly alreadyActive: readonly string[];
  /** Refused because the run or session is full. */
  readonly overLimit: readonly string[];
}

/** An activation with whose it is and what it costs. */
export interface ActivationRecord extends ActivationScope, HeldActivation {}

/** Some of the activations that were asked for. */
export interface ActivationPage {
  readonly items: readonly ActivationRecord[];
  /** Where the next page starts; left out on the last one. */
  readonly next?: string;
}

/** How much is held by runs and sessions that are in use, and how many are not. */
export interface ActivationStats {
  readonly scopes: number;
  readonly activations: number;
  readonly tokens: number;
  /** Runs and sessions that are forgotten already and wait for a sweep. */
  readonly idleScopes: number;
  /** Epoch milliseconds at which the one that has rested longest was used; left out where there is none. */
  readonly oldestUseAt?: number;
}

/**
 * Where activations live. Idempotent and exact under concurrency: many activations of one tool at once make one record,
 * and limits are never passed. An abstract class, so that it is also the injection token.
 *
 * Time is always the caller's: epoch milliseconds.
 */
export abstract class ActivationStore {
  /** A scope's activations, oldest first (ties by name). A scope idle since before `staleBefore` is treated as empty. */
  abstract list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]>;

  /**
   * Records, in the given order, each tool that still fits the limits, and marks the scope and what was active already as
   * used at `now`, tools to {@link USE_PRECISION_MS}. A scope idle since before `staleBefore` starts empty.
   */
  abstract activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome>;

  /** When a scope was last used, or undefined if it holds nothing or is idle since before `staleBefore`. */
  abstract lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined>;

  /**
   * Marks the scope as used at `now`, and if it was used last before `restedBefore` forgets what `choose` picks from what
   * it holds. Nobody else changes the scope meanwhile, so of many that come at once one alone finds it rested. A scope that
   * holds nothing, or is idle since before `staleBefore`, stays as it is.
   *
   * @param choose pure
   * @returns the tools that went, in the order in which they were chosen
   */
  abstract demote(
    scope: ActivationScope,
    choose: (held: readonly HeldActivation[]) => readonly string[],
    restedBefore: number,
    now: number,
    staleBefore: number,
  ): Promise<readonly string[]>;

  /** Forgets one tool, or the whole scope. Returns how many records went. */
  abstract revoke(scope: ActivationScope, tool?: string): Promise<number>;

  /** Removes up to `batch` scopes idle since before `staleBefore`, with their records. Returns how many scopes went. */
  abstract sweep(staleBefore: number, batch: number): Promise<number>;

  /**
   * A page of all activations that match and are not idle, for operators: in an order of the store's own that never
   * changes, by tenant, user, scope, id and tool.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for a cursor that cannot be read
   */
  abstract browse(
    filter: ActivationFilter,
    page: { readonly after?: string; readonly limit: number },
    staleBefore: number,
  ): Promise<ActivationPage>;

  /** What is held, counted while others work. */
  abstract stats(staleBefore: number): Promise<ActivationStats>;

  /**
   * Forgets every activation that matches, idle or not, in batches that leave room for other work: what is activated
   * meanwhile may stay. Returns how many records went.
   */
  abstract revokeAll(filter: ActivationFilter): Promise<number>;
}
