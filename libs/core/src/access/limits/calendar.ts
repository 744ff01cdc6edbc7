import { ToolSearchError } from '../../tool/tool-search.error.js';

/** A calendar day or month, in epoch milliseconds. */
export interface Period {
  /** Inclusive. */
  readonly start: number;
  /** Exclusive: the start of the next period. */
  readonly end: number;
}

interface LocalDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const DAY_MS = 86_400_000;

// Local dates differ from UTC by less than a day.
const FORMATS = new Map<string, Intl.DateTimeFormat>();
const NEWEST = new Map<string, Period>();

/** Whether Intl knows a time zone of this name, for example `Europe/Berlin`. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || !/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The calendar day or month of a named zone that contains a time. It starts at the first instant of its first day, so it
 * is an hour shorter or longer where clocks change, and starts at 01:00 where they skip midnight.
 *
 * @throws ToolSearchError `INVALID_REQUEST` for an unknown zone
 */
export function periodOf(now: number, every: 'day' | 'month', timeZone: string): Period {
  const key = `${every} ${timeZone}`;
  const known = NEWEST.get(key);
  if (known && known.start <= now && now < known.end) return known;
  const today = localDate(now, timeZone);
  const first = every === 'day' ? today : { ...today, day: 1 };
  const next = every === 'day' ? { ...today, day: today.day + 1 } : { ...first, month: first.month + 1 };
  const period = { start: firstInstant(first, timeZone), end: firstInstant(next, timeZone) };
  NEWEST.set(key, period);
  return period;
}

// Binary search: the first millisecond whose local date is not before the given one. Day and month may overflow.
function firstInstant({ year, month, day }: LocalDate, timeZone: string): number {
  const midnight = Date.UTC(year, month - 1, day);
  const wanted = new Date(midnight);
  const target = numberOf({ year: wanted.getUTCFullYear(), month: wanted.getUTCMonth() + 1, day: wanted.getUTCDate() });
  let [before, at] = [midnight - DAY_MS, midnight + DAY_MS];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (numberOf(localDate(middle, timeZone)) >= target) at = middle;
    else before = middle;
  }
  return at;
}

function numberOf({ year, month, day }: LocalDate): number {
  return year * 10_000 + month * 100 + day;
}

function localDate(at: number, timeZone: string): LocalDate {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return { year: parts.get('year') ?? 0, month: parts.get('month') ?? 0, day: parts.get('day') ?? 0 };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known) return known;
  try {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone, ...parts });
    FORMATS.set(timeZone, format);
    return format;
  } catch (cause) {
    throw new ToolSearchError('INVALID_REQUEST', 'The time zone of a limit is not known to this process.', { cause });
  }
}
