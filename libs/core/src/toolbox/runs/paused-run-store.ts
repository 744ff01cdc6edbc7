/** Key of a run of one user. No part is ever null; an absent user is `''`. */
export interface RunKey {
  readonly tenantId: string;
  readonly userId: string;
  readonly runId: string;
}

/** All states of a tool of a paused run. */
export const PAUSED_STATES = ['offered', 'activated'] as const;

/** An offered or active tool of a paused run. */
export interface PausedTool {
  /** Canonical name. */
  readonly name: string;
  /** Hash of the definition that the run saw. */
  readonly hash: string;
  readonly state: (typeof PAUSED_STATES)[number];
}

/** The stored state of a paused run: names and hashes, no definition, hint or schema. */
export interface PausedRun extends RunKey {
  readonly sessionId?: string;
  /** Epoch milliseconds. */
  readonly pausedAt: number;
  /** Hash of the names and hashes of all tools that the run could see. */
  readonly catalogDigest: string;
  /** Fingerprint of the operators' decisions that affected the run, not a count: only equality has a meaning. */
  readonly controlRevision: number;
  /** In the run's list order. */
  readonly tools: readonly PausedTool[];
}

/** Default maximum number of paused runs per tenant. */
export const MAX_PAUSED_RUNS = 10_000;

/**
 * Port for paused runs. Abstract class, so that it is also the injection token. The caller supplies all times, in epoch
 * milliseconds.
 */
export abstract class PausedRunStore {
  /**
   * Stores a paused run and replaces its earlier state. When its tenant then has more than `maxPerTenant`, the runs
   * that were paused first are removed.
   *
   * @param maxPerTenant default {@link MAX_PAUSED_RUNS}
   */
  abstract save(run: PausedRun, maxPerTenant?: number): Promise<void>;

  /** A paused run of any age, or undefined. */
  abstract find(key: RunKey): Promise<PausedRun | undefined>;

  /** Removes up to `batch` runs that were paused before `before`. Returns the number of removed runs. */
  abstract sweep(before: number, batch: number): Promise<number>;
}
