import { plainText } from '../../parts/safe-text.js';

const HOUR_MS = 3_600_000;
const HEIGHT = 80;

/** One rectangle of an hour: its foot and its height, in the unit of the chart. */
interface Block {
  readonly tone: 'accent' | 'bad' | 'good' | 'track';
  readonly from: number;
  readonly size: number;
}

interface HourChartProps {
  /** What the picture says, for those who do not see it. */
  readonly label: string;
  /** What each hour shows, the rearmost block first. */
  readonly hours: readonly (readonly Block[])[];
  /** The top of the chart. */
  readonly most: number;
}

/** A bar for each hour. */
export function HourChart({ label, hours, most }: HourChartProps) {
  const width = 100 / hours.length;
  return (
    <svg
      class="chart"
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={plainText(label)}
    >
      {hours.map((blocks, at) => (
        <g key={at}>
          {blocks.map(({ tone, from, size }) => {
            const height = (size / most) * HEIGHT;
            const y = HEIGHT - (from / most) * HEIGHT - height;
            return <rect key={tone} class={`bar-${tone}`} x={at * width} width={width * 0.8} y={y} height={height} />;
          })}
        </g>
      ))}
    </svg>
  );
}

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
