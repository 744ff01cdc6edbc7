import type { TokenHoursAnswer } from '../../api/routes.js';
import { count } from '../../parts/bar.js';
import { HourChart, sumsByHour, total } from './hour-chart.js';

/** Tokens shown in each hour, in front of what plain lists would have cost. */
export function TokensByHour({ period }: { readonly period: TokenHoursAnswer }) {
  const shown = sumsByHour(period, ({ shownTokens, searchTokens }) => shownTokens + searchTokens);
  const full = sumsByHour(period, ({ fullTokens }) => fullTokens);
  const most = Math.max(1, ...shown, ...full);
  const label =
    `${count(total(shown))} tokens shown and for searching, ${count(total(full))} of plain lists, ` +
    `hour by hour; at most ${count(most)} in an hour`;
  return (
    <figure class="charted">
      <HourChart
        label={label}
        hours={full.map((size, at) => [
          { tone: 'track', from: 0, size },
          { tone: 'good', from: 0, size: shown[at] ?? 0 },
        ])}
        most={most}
      />
      <figcaption class="muted">
        Each bar is an hour: in front what models were shown and what searching cost, behind it what plain lists would
        have cost.
      </figcaption>
    </figure>
  );
}
