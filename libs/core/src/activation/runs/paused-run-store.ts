/** Which run: one principal's. Every part is NOT NULL; an absent user is `''`. */
export interface RunKey {
  readonly tenantId: string;
  readonly userId: string;
  readonly runId: string;
}

/** A tool that was in play when its run was paused. */
export interface PausedTool {
  /** Canonical name. */
  readonly name: string;
  /** Hash of the definition that the run saw. */
  readonly hash: string;
  readonly state: 'offered' | 'activated';
}

/** What is kept of a run that pauses: names and hashes, no definition, hint or schema. */
export interface PausedRun extends RunKey {
  readonly sessionId?: string;
  /** Epoch milliseconds. */
  readonly pausedAt: number;
  /** Hash over the names and hashes of all tools that the run could see. */
  readonly catalogDigest: string;
  /** Stands for the operators' decisions that concerned the run; equal only for the same ones. */
  readonly controlRevision: number;
  /** In the order in which the run listed them. */
  readonly tools: readonly PausedTool[];
}

/** How many paused runs of one tenant are kept at most. */
export const MAX_PAUSED_RUNS = 10_000;

/**
 * Where paused runs wait. An abstract class, so that it is also the injection token. Time is the caller's: epoch
 * milliseconds.
 */
export abstract class PausedRunStore {
  /**
   * Keeps a paused run, in place of what was kept of it before. When its tenant then has more than `maxPerTenant`, those
   * that were paused first are forgotten.
   *
   * @param maxPerTenant default {@link MAX_PAUSED_RUNS}
   */
  abstract save(run: PausedRun, maxPerTenant?: number): Promise<void>;

  /** A paused run however old, or undefined. */
  abstract find(key: RunKey): Promise<PausedRun | undefined>;

  /** Removes up to `batch` runs that were paused before `before`. Returns how many went. */
  abstract sweep(before: number, batch: number): Promise<number>;
}
