/** What was looked for and not found, found and not used, or looked for again and again. */
export type GapKind = 'zero_hit' | 'unused' | 'looped';

/** Counts of searches, without their words. */
export interface GapCounts {
  readonly searches: number;
  /** Searches that nothing fits. */
  readonly zeroHits: number;
  /** Searches of whose hits the run called none. */
  readonly unused: number;
  /** Times a run searched three times in a row, or again for what it had searched in vain, without doing anything else. */
  readonly loops: number;
}

/** No counts. */
export const NO_GAPS: GapCounts = { searches: 0, zeroHits: 0, unused: 0, loops: 0 };

/** Names of {@link GapCounts}. */
export const GAP_COUNTS = ['searches', 'zeroHits', 'unused', 'loops'] as const satisfies readonly (keyof GapCounts)[];

/** Counts of one tenant in one hour. */
export interface GapEntry extends GapCounts {
  readonly tenantId: string;
  /** Epoch milliseconds of the hour's beginning. */
  readonly hour: number;
}

/** Counts of one tenant. */
export interface TenantGaps extends GapCounts {
  readonly tenantId: string;
}

/** The words of searches that were a gap; kept only where the application says so. */
export interface GapQuery {
  readonly kind: GapKind;
  /** Shortened, without what looks like a credential. */
  readonly query: string;
  readonly uses: number;
  /** Epoch milliseconds. */
  readonly lastUsedAt: number;
}

/** Words of one tenant that were counted. */
export interface GapQueryEntry extends GapQuery {
  readonly tenantId: string;
}

/** The order of a tenant's queries: the commonest first, then the newest, then by kind and query in code unit order. */
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

/** One and the other together. */
export function addedGaps(left: GapCounts, right: GapCounts): GapCounts {
  return {
    searches: left.searches + right.searches,
    zeroHits: left.zeroHits + right.zeroHits,
    unused: left.unused + right.unused,
    loops: left.loops + right.loops,
  };
}

/** Which counts; what is left out is not asked about. */
export interface GapFilter {
  readonly tenantId?: string;
  /** Epoch milliseconds, inclusive: hours that begin then or later. */
  readonly since?: number;
}

/** Where search gaps are counted. An abstract class, so that it is also the injection token. */
export abstract class SearchGapStore {
  /** Adds to what is there, all of it or nothing; what several instances add at once adds up. */
  abstract add(entries: readonly GapEntry[]): Promise<void>;

  /** Sums by tenant, in an order of the store's own; those behind the tenant `after`. */
  abstract sums(
    filter: GapFilter,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<readonly TenantGaps[]>;

  /** As {@link add}, for words; then lets go what was not used for longest beyond `maxPerTenant`. */
  abstract addQueries(entries: readonly GapQueryEntry[], maxPerTenant: number): Promise<void>;

  /** A tenant's words in the order of {@link byUses}. */
  abstract queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]>;

  /** Forgets counts and words of a tenant, or of all. Returns how many entries and words went. */
  abstract reset(tenantId?: string): Promise<number>;

  /** Removes at most `batch` entries of hours that began before, and as many words last used before; returns how many. */
  abstract sweep(before: number, batch: number): Promise<number>;
}
