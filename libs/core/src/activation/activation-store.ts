import type { ActivationReason } from '../tool/tool-event.js';
import type { ActivationFilter } from './activation-filter.js';

/** Owner of activations: a run or session of one user. No part is ever null; an absent user is `''`. */
export interface ActivationScope {
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: 'run' | 'session';
  /** The run's or session's id. */
  readonly scopeId: string;
}

/** An active tool of a run or session. */
export interface Activation {
  /** Canonical name. */
  readonly tool: string;
  readonly reason: ActivationReason;
  /** Epoch milliseconds. */
  readonly activatedAt: number;
  /** Epoch milliseconds of the last use, to {@link USE_PRECISION_MS}. */
  readonly usedAt: number;
}

/** An activation with the tokens of its definition. */
export interface HeldActivation extends Activation {
  readonly tokens: number;
}

/** Precision of recorded use in milliseconds: further uses within it are not written, which saves a write per call. */
export const USE_PRECISION_MS = 60_000;

/** An activation before it is stored. */
export interface NewActivation {
  readonly tool: string;
  readonly reason: ActivationReason;
  /** Tokens of its definition, counted against the limit. */
  readonly tokens: number;
}

/** Limits of one run or session; 0 = no limit. */
export interface ActivationLimits {
  readonly tools: number;
  readonly tokens: number;
}

/** Result of an activation; every requested tool is in exactly one list. */
export interface ActivationOutcome {
  readonly activated: readonly string[];
  readonly alreadyActive: readonly string[];
  /** Refused because the run or session is full. */
  readonly overLimit: readonly string[];
}

/** An activation with its owner. */
export interface ActivationRecord extends ActivationScope, HeldActivation {}

/** A page of activations, with the cursor of the next one. */
export interface ActivationPage {
  readonly items: readonly ActivationRecord[];
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string;
}

/** Totals of live runs and sessions, and the number of idle ones. */
export interface ActivationStats {
  readonly scopes: number;
  readonly activations: number;
  readonly tokens: number;
  /** Runs and sessions that count as forgotten and wait for a sweep. */
  readonly idleScopes: number;
  /** Epoch milliseconds of the oldest last use among live runs and sessions; absent when there are none. */
  readonly oldestUseAt?: number;
}

/**
 * Port for activations. Abstract class, so that it is also the injection token.
 *
 * Implementations must be idempotent and exact under concurrency: concurrent activations of one tool create one record,
 * and limits are never exceeded. The caller supplies all times, in epoch milliseconds.
 */
export abstract class ActivationStore {
  /** A scope's activations, oldest first (ties by name). A scope idle since before `staleBefore` counts as empty. */
  abstract list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]>;

  /**
   * Activates, in the given order, each tool that still fits the limits. Marks the scope and the tools that were active
   * already as used at `now`; tools to {@link USE_PRECISION_MS}. A scope idle since before `staleBefore` starts empty.
   */
  abstract activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome>;

  /** Time of a scope's last use; undefined when it is empty or idle since before `staleBefore`. */
  abstract lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined>;

  /**
   * Marks the scope as used at `now`. If its last use was before `restedBefore`, also removes the tools that `choose`
   * selects. Runs atomically, so only one of several concurrent calls demotes. A scope that is empty, or idle since
   * before `staleBefore`, is not changed.
   *
   * @param choose pure function
   * @returns the removed tools, in the order in which they were chosen
   */
  abstract demote(
    scope: ActivationScope,
    choose: (activations: readonly HeldActivation[]) => readonly string[],
    restedBefore: number,
    now: number,
    staleBefore: number,
  ): Promise<readonly string[]>;

  /** Removes one tool, or the whole scope. Returns the number of removed records. */
  abstract revoke(scope: ActivationScope, tool?: string): Promise<number>;

  /** Removes up to `batch` scopes idle since before `staleBefore`, with their records. Returns how many it removed. */
  abstract sweep(staleBefore: number, batch: number): Promise<number>;

  /**
   * A page of matching activations that are not idle, for operators. Ordered by tenant, user, scope, id and tool; the
   * store defines the collation, which must not change.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for an unreadable cursor
   */
  abstract browse(
    filter: ActivationFilter,
    page: { readonly after?: string; readonly limit: number },
    staleBefore: number,
  ): Promise<ActivationPage>;

  /** Current totals; not a consistent snapshot under concurrent writes. */
  abstract stats(staleBefore: number): Promise<ActivationStats>;

  /**
   * Removes all matching activations, idle or not, in batches that leave room for other work. Activations created
   * meanwhile may remain. Returns the number of removed records.
   */
  abstract revokeAll(filter: ActivationFilter): Promise<number>;
}
