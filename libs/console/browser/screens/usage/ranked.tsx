import type { ComponentChildren } from 'preact';
import { Bar, count } from '../../parts/bar.js';
import { Text } from '../../parts/text.js';

const SHOWN = 15;

interface RankedProps {
  readonly unit: string;
  readonly entries: readonly { readonly name: string; readonly size: number }[];
  /** Shown for an empty list. */
  readonly empty: ComponentChildren;
}

/** Entries by size, the largest first, as bars. */
export function Ranked({ unit, entries, empty }: RankedProps) {
  const sorted = entries.toSorted((one, other) => other.size - one.size);
  const most = Math.max(1, sorted[0]?.size ?? 1);
  if (sorted.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ol class="parts">
      {sorted.slice(0, SHOWN).map(({ name, size }) => (
        <li key={name}>
          <span>
            <Text value={name} max={100} />
          </span>
          <Bar share={size / most} label={`${count(size)} ${unit}`} />
          <span>{count(size)}</span>
        </li>
      ))}
    </ol>
  );
}
