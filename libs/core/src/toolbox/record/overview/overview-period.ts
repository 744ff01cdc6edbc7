const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** Longer periods are shown by the hour. */
const BY_MINUTE_MS = 2 * HOUR_MS;
/** A record may be written so long after its call began, or later if the store was down. */
const SETTLED_MS = 15 * MINUTE_MS;

/** An hour or a minute that is read and kept by itself. */
export interface Part {
  readonly from: number;
  readonly ms: number;
}

/** How long one span of a period is. */
export function stepOf(periodMs: number): number {
  return periodMs <= BY_MINUTE_MS ? MINUTE_MS : HOUR_MS;
}

/**
 * The parts of a period, the newest first. What is long over is read by the hour, the rest by the minute, because only
 * minutes of the last hours are read again.
 */
export function partsOf(first: number, end: number, stepMs: number, now: number): readonly Part[] {
  const parts: Part[] = [];
  const isWhole = (hour: number) => stepMs === HOUR_MS && hour + HOUR_MS + SETTLED_MS <= now;
  for (let to = Math.ceil(end / MINUTE_MS) * MINUTE_MS; to > first;) {
    const hour = Math.ceil(to / HOUR_MS) * HOUR_MS - HOUR_MS;
    const part = isWhole(hour) ? { from: hour, ms: HOUR_MS } : { from: to - MINUTE_MS, ms: MINUTE_MS };
    parts.push(part);
    to = part.from;
  }
  return parts;
}

/** Minutes one after the other from an index on, or one hour. */
export function adjoining(parts: readonly Part[], from: number, most: number): readonly Part[] {
  let end = from + 1;
  while (
    end < from + most &&
    parts[end]?.ms === MINUTE_MS &&
    parts[end - 1]?.from === (parts[end]?.from ?? 0) + MINUTE_MS
  )
    end++;
  return parts.slice(from, end);
}

export function keyOf({ from, ms }: Part): string {
  return `${ms} ${from}`;
}
