import { type RankedQuery, retrievalMeasures, type RetrievalMeasures } from '@tool-search/core/testing';

/** The ranking of one query and its duration. */
export interface TimedQuery extends RankedQuery {
  readonly ms: number;
}

/** Retrieval quality and speed over many queries. */
export interface TimedMeasures extends RetrievalMeasures {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** The retrieval measures that teams use for their own catalogs, plus latencies. */
export function timedMeasures(queries: readonly TimedQuery[]): TimedMeasures {
  const times = queries.map(({ ms }) => ms);
  return { ...retrievalMeasures(queries), p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

/** Arithmetic mean; 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The percentile by nearest rank; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
