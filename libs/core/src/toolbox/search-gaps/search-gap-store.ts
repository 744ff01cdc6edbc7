/** No tool matched (`zero_hit`), the run called none of the hits (`unused`), or searched again and again (`looped`). */
export type GapKind = (typeof GAP_KINDS)[number];

/** All values of {@link GapKind}. */
export const GAP_KINDS = ['zero_hit', 'unused', 'looped'] as const;

/** Counts of searches and gaps, without query texts. */
export interface GapCounts {
  readonly searches: number;
  /** Searches without a hit. */
  readonly zeroHits: number;
  /** Searches after which the run called none of the hits. */
  readonly unused: number;
  /** Times a run searched three times in a row, or repeated a search without hits, and did nothing else in between. */
  readonly loops: number;
}

export const NO_GAPS: GapCounts = { searches: 0, zeroHits: 0, unused: 0, loops: 0 };

/** Counts of one tenant in one hour. */
export interface GapEntry extends GapCounts {
  readonly tenantId: string;
  /** Start of the hour, in epoch milliseconds. */
  readonly hour: number;
}

/** Counts of one tenant, summed over hours. */
export interface TenantGaps extends GapCounts {
  readonly tenantId: string;
}

/** A query that was a gap. Queries are kept only if the application enables it. */
export interface GapQuery {
  readonly kind: GapKind;
  /** Shortened; text that looks like a credential is redacted. */
  readonly query: string;
  readonly uses: number;
  /** Epoch milliseconds. */
  readonly lastUsedAt: number;
}

/** A {@link GapQuery} of one tenant. */
export interface GapQueryEntry extends GapQuery {
  readonly tenantId: string;
}

/** Sort order of a tenant's queries: most uses first, then most recent, then kind and query in code unit order. */
export function byUses(left: GapQuery, right: GapQuery): number {
  return (
    right.uses - left.uses ||
    right.lastUsedAt - left.lastUsedAt ||
    compare(left.kind, right.kind) ||
    compare(left.query, right.query)
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

export function addedGaps(left: GapCounts, right: GapCounts): GapCounts {
  return {
    searches: left.searches + right.searches,
    zeroHits: left.zeroHits + right.zeroHits,
    unused: left.unused + right.unused,
    loops: left.loops + right.loops,
  };
}

/** Selects counts; a property that is left out does not filter. */
export interface GapFilter {
  readonly tenantId?: string;
  /** Epoch milliseconds, inclusive: only hours that begin at this time or later. */
  readonly since?: number;
}

/** Stores search gaps. An abstract class, so that it is also the injection token. */
export abstract class SearchGapStore {
  /** Adds to the stored counts, all entries or none. Concurrent additions of several instances add up. */
  abstract add(entries: readonly GapEntry[]): Promise<void>;

  /** Sums by tenant, in an order that the store chooses; with `after`, only the tenants behind it in that order. */
  abstract sums(
    filter: GapFilter,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<readonly TenantGaps[]>;

  /** Like {@link add}, for queries. Then deletes a tenant's least recently used queries beyond `maxPerTenant`. */
  abstract addQueries(entries: readonly GapQueryEntry[], maxPerTenant: number): Promise<void>;

  /** A tenant's queries in the order of {@link byUses}. */
  abstract queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]>;

  /** Deletes the counts and queries of one tenant, or of all. Returns how many entries and queries were deleted. */
  abstract reset(tenantId?: string): Promise<number>;

  /**
   * Deletes at most `batch` entries of hours that began before `before`, and at most `batch` queries last used before
   * it. Returns how many were deleted.
   */
  abstract sweep(before: number, batch: number): Promise<number>;
}
