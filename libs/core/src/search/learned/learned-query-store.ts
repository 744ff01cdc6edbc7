/** A search that led to a call of a tool. */
export interface LearnedQuery {
  /** Canonical name. */
  readonly tool: string;
  /** The query text, shortened to the maximum stored length. */
  readonly query: string;
  /** How often it led to this tool. */
  readonly uses: number;
  /** Epoch milliseconds. */
  readonly lastUsedAt: number;
}

/** Sort order of a tenant's queries: most recently used first, then by tool, then by query, in code unit order. */
export function byLastUse(left: LearnedQuery, right: LearnedQuery): number {
  return right.lastUsedAt - left.lastUsedAt || compare(left.tool, right.tool) || compare(left.query, right.query);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** How many queries are kept. Beyond a limit the least recently used ones are deleted. */
export interface LearningLimits {
  /** Queries of one tool, per tenant. */
  readonly perTool: number;
  /** Queries of one tenant. */
  readonly perTenant: number;
}

/** Stores learned queries per tenant. Abstract, so also the injection token. The caller passes the time (epoch ms). */
export abstract class LearnedQueryStore {
  /** A tenant's queries in the order of {@link byLastUse}. */
  abstract list(tenantId: string): Promise<readonly LearnedQuery[]>;

  /** Stores that a query led to a tool, or counts one more use of it; then deletes queries beyond the limits. */
  abstract learn(tenantId: string, tool: string, query: string, now: number, limits: LearningLimits): Promise<void>;

  /** Deletes one query, all of a tool or, without a filter, all of the tenant. Returns how many were deleted. */
  abstract forget(tenantId: string, filter?: { readonly tool?: string; readonly query?: string }): Promise<number>;
}
