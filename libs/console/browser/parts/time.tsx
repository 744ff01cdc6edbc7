import { ticks } from '../state/live.js';
import { type PlainText, plainText } from './safe-text.js';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const JUST_NOW_MS = 5000;
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A time relative to now. */
export function relativeTime(at: number, now: number): PlainText {
  const distance = at - now;
  if (distance <= 0 && distance > -JUST_NOW_MS) return plainText('just now');
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return plainText(FORMAT.format(Math.round(distance / ms), unit));
  }
  return plainText(FORMAT.format(Math.round(distance / 1000), 'second'));
}

/** A time relative to now, with the absolute one as its title. */
export function Time({ at }: { readonly at: number }) {
  void ticks.value;
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString('en')}>
      {relativeTime(at, Date.now())}
    </time>
  );
}
