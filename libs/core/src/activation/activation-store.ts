import type { ActivationReason } from '../tool/tool-event.js';

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
}

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
   * Records, in the given order, each tool that still fits the limits, and marks the scope as used at `now`. A scope idle
   * since before `staleBefore` starts empty.
   */
  abstract activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome>;

  /** Forgets one tool, or the whole scope. Returns how many records went. */
  abstract revoke(scope: ActivationScope, tool?: string): Promise<number>;

  /** Removes up to `batch` scopes idle since before `staleBefore`, with their records. Returns how many scopes went. */
  abstract sweep(staleBefore: number, batch: number): Promise<number>;
}
