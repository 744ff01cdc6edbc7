/** A search that led to a call of a tool. */
export interface LearnedQuery {
  /** Canonical name. */
  readonly tool: string;
  /** As it was asked, shortened to the length that is kept. */
  readonly query: string;
  /** How often it led to this tool. */
  readonly uses: number;
  /** Epoch milliseconds. */
  readonly lastUsedAt: number;
}

/** The order of a tenant's queries: the most recently used first, then by tool, then by query, in code unit order. */
export function byLastUse(left: LearnedQuery, right: LearnedQuery): number {
  return right.lastUsedAt - left.lastUsedAt || compare(left.tool, right.tool) || compare(left.query, right.query);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** How much is kept; where there is more, what was not used for longest goes. */
export interface LearningLimits {
  /** Queries of one tool, for each tenant. */
  readonly perTool: number;
  /** Queries of one tenant. */
  readonly perTenant: number;
}

/**
 * Where learned queries live, apart for each tenant. An abstract class, so that it is also the injection token. Time is the
 * caller's: epoch milliseconds.
 */
export abstract class LearnedQueryStore {
  /** A tenant's queries in the order of {@link byLastUse}. */
  abstract list(tenantId: string): Promise<readonly LearnedQuery[]>;

  /** Keeps that a query led to a tool, or counts one more use of it; then lets go what is beyond the limits. */
  abstract learn(tenantId: string, tool: string, query: string, now: number, limits: LearningLimits): Promise<void>;

  /** Forgets one query, a tool's or, without a filter, all of the tenant's. Returns how many went. */
  abstract forget(tenantId: string, filter?: { readonly tool?: string; readonly query?: string }): Promise<number>;
}
