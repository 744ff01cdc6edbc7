import { type PlainText, plainText } from '../safe-text.js';

const DAY_MS = 86_400_000;
const MOST_SPANS = 1000;

/** The spans of a chart: equal lengths of time, one after another. */
export interface TimeAxis {
  /** Start of the first span, in epoch milliseconds. */
  readonly from: number;
  readonly stepMs: number;
  /** How many spans there are. */
  readonly length: number;
}

/** The axis of a period. @param since rounded down to a whole step */
export function timeAxis(since: number, until: number, stepMs: number): TimeAxis {
  const from = since - (since % stepMs);
  return { from, stepMs, length: Math.min(MOST_SPANS, Math.max(1, Math.ceil((until - from) / stepMs))) };
}

/** The value of each span; undefined where there is none. */
export function onAxis<Entry>(
  { from, stepMs, length }: TimeAxis,
  entries: readonly Entry[],
  startOf: (entry: Entry) => number,
): readonly (Entry | undefined)[] {
  const spans = Array.from({ length }, (): Entry | undefined => undefined);
  for (const entry of entries) {
    const at = Math.floor((startOf(entry) - from) / stepMs);
    if (at >= 0 && at < length) spans[at] = entry;
  }
  return spans;
}

/** When a span begins, with the day in a period of more than one. */
export function spanName({ from, stepMs, length }: TimeAxis, index: number): PlainText {
  const date = new Date(from + index * stepMs);
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = length * stepMs > 1.5 * DAY_MS ? ({ weekday: 'short', day: 'numeric', month: 'short' } as const) : {};
  return plainText(date.toLocaleString('en', { ...day, ...time }));
}

/** The least round number that is not below a value and whose half is whole: 2, 4 or 10, with zeros. */
export function roundTop(value: number): number {
  if (value <= 2) return 2;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 10].find((factor) => factor * unit >= value) ?? 10) * unit;
}
