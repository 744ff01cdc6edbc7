import type { TokenHours } from '../../api/usage-types.js';
import { count } from '../../parts/bar.js';
import { plainText } from '../../parts/safe-text.js';

const HOUR_MS = 3_600_000;
const HEIGHT = 80;

/** Tokens shown in each hour, in front of what plain lists would have cost. */
export function TokensByHour({ period: { since, until, items } }: { readonly period: TokenHours }) {
  const first = Math.floor(since / HOUR_MS);
  const hours = Math.max(1, Math.ceil(until / HOUR_MS) - first);
  const shown = Array.from({ length: hours }, () => 0);
  const full = Array.from({ length: hours }, () => 0);
  for (const { hour, shownTokens, searchTokens, fullTokens } of items) {
    const at = Math.floor(hour / HOUR_MS) - first;
    shown[at] = (shown[at] ?? 0) + shownTokens + searchTokens;
    full[at] = (full[at] ?? 0) + fullTokens;
  }
  const total = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0);
  const most = Math.max(1, ...shown, ...full);
  const width = 100 / hours;
  const label =
    `${count(total(shown))} tokens shown and for searching, ${count(total(full))} of plain lists, ` +
    `hour by hour; at most ${count(most)} in an hour`;
  return (
    <figure class="charted">
      <svg
        class="chart"
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={plainText(label)}
      >
        {full.map((tokens, at) => {
          const behind = (tokens / most) * HEIGHT;
          const front = ((shown[at] ?? 0) / most) * HEIGHT;
          return (
            <g key={at}>
              <rect class="bar-track" x={at * width} width={width * 0.8} y={HEIGHT - behind} height={behind} />
              <rect class="bar-good" x={at * width} width={width * 0.8} y={HEIGHT - front} height={front} />
            </g>
          );
        })}
      </svg>
      <figcaption class="muted">
        Each bar is an hour: in front what models were shown and what searching cost, behind it what plain lists would
        have cost.
      </figcaption>
    </figure>
  );
}
