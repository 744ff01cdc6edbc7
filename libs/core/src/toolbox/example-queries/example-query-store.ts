/** Identifies a definition for which queries are written. */
export interface QuerySubject {
  /** Of the definition. */
  readonly hash: string;
  /** The tenant that owns the tool; `''` = shared. */
  readonly owner: string;
  /** Canonical name. */
  readonly tool: string;
}

/** The queries that were written for one definition. */
export interface WrittenQueries extends QuerySubject {
  readonly queries: readonly string[];
  /** The writer's id. */
  readonly writer: string;
  /** Epoch milliseconds. */
  readonly writtenAt: number;
}

/** Costs of writing. */
export interface WritingCosts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Millionths of the unit in which the application gives its prices. */
  readonly micros: number;
}

/** Nothing was spent. */
export const NO_COSTS: WritingCosts = { inputTokens: 0, outputTokens: 0, micros: 0 };

/** The most that writing may cost, over all time. */
export interface WritingLimits {
  readonly tokens?: number;
  readonly micros?: number;
}

/** Asks to be the only one who writes for some definitions. */
export interface QueryClaim {
  /** The process that asks. */
  readonly claimant: string;
  readonly subjects: readonly QuerySubject[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds after which another process may claim unfinished definitions. */
  readonly leaseMs: number;
  /** The most that one definition will cost; reserved until the claim ends. */
  readonly each: WritingCosts;
  readonly limits: WritingLimits;
  /** Failures after which a definition is not claimed any more. */
  readonly maxFailures: number;
}

/** Result of a claim: each definition is in one of the lists, or has no room in the budget. */
export interface QueryClaimOutcome {
  /** Hashes that are the claimant's now, in the order of the subjects. */
  readonly claimed: readonly string[];
  /** Hashes that another process is writing for. */
  readonly busy: readonly string[];
  /** Hashes that were written, or failed too often. */
  readonly settled: readonly string[];
  /** Whether the limits left no room for the others. */
  readonly isSpent: boolean;
}

/** The end of a claim. */
export interface QueryResult {
  readonly claimant: string;
  readonly written: readonly WrittenQueries[];
  /** Hashes for which nothing that can be used was written. */
  readonly failed: readonly string[];
  /** Hashes that may be claimed again at once. */
  readonly released: readonly string[];
  readonly costs: WritingCosts;
  /** Definitions kept of each tool; beyond it the ones written first are deleted. */
  readonly keep: number;
}

/**
 * Stores what a writer wrote, by the hash of the definition, and what it cost. Abstract, so also the injection token.
 * The caller passes the time.
 */
export abstract class ExampleQueryStore {
  /** Returns the queries written for these definitions, in any order. */
  abstract find(hashes: readonly string[]): Promise<readonly WrittenQueries[]>;

  /** Claims definitions. Concurrent claims are serialized: no definition has two claimants, and limits hold for all. */
  abstract claim(claim: QueryClaim): Promise<QueryClaimOutcome>;

  /**
   * Ends a claim. Costs always count; of the rest only what the claimant still has: not what was forgotten, or claimed by
   * another process after the lease.
   *
   * @returns the hashes that were stored
   */
  abstract finish(result: QueryResult): Promise<readonly string[]>;

  /** Deletes what was written, and claims: of these definitions, or of an owner. Returns how many were deleted. */
  abstract forget(filter: { readonly hashes: readonly string[] } | { readonly owner: string }): Promise<number>;

  /** All costs so far. */
  abstract costs(): Promise<WritingCosts>;
}

/** The sum of two costs. */
export function addedCosts(left: WritingCosts, right: WritingCosts): WritingCosts {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    micros: left.micros + right.micros,
  };
}

/** How many claims of this cost still fit. @param spent including what is reserved for other claims */
export function roomFor({ tokens, micros }: WritingLimits, spent: WritingCosts, each: WritingCosts): number {
  const room = (limit: number | undefined, used: number, cost: number) =>
    limit === undefined ? Infinity : cost === 0 ? (used < limit ? Infinity : 0) : Math.floor((limit - used) / cost);
  const tokensOf = ({ inputTokens, outputTokens }: WritingCosts) => inputTokens + outputTokens;
  const left = Math.min(room(tokens, tokensOf(spent), tokensOf(each)), room(micros, spent.micros, each.micros));
  return Math.max(0, left);
}
