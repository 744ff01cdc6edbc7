export const HOUR_MS = 3_600_000;

interface Hourly<Entry> {
  readonly since: number;
  readonly until: number;
  readonly items: readonly Entry[];
}

/** The sum of each hour of a period; 0 for an hour without an entry. */
export function sumsByHour<Entry extends { readonly hour: number }>(
  { since, until, items }: Hourly<Entry>,
  valueOf: (entry: Entry) => number,
): readonly number[] {
  const first = Math.floor(since / HOUR_MS);
  const sums = Array.from({ length: Math.max(1, Math.ceil(until / HOUR_MS) - first) }, () => 0);
  for (const entry of items) {
    const at = Math.floor(entry.hour / HOUR_MS) - first;
    sums[at] = (sums[at] ?? 0) + valueOf(entry);
  }
  return sums;
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}
