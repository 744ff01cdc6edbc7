import type { TokenHoursAnswer } from '../../api/routes.js';
import { count } from '../../parts/bar.js';
import { Chart } from '../../parts/chart/chart.js';
import { timeAxis } from '../../parts/chart/time-axis.js';
import { HOUR_MS, sumsByHour, total } from './hour-sums.js';

/** Tokens shown in each hour, in front of what plain lists would have cost. */
export function TokensByHour({ period }: { readonly period: TokenHoursAnswer }) {
  const shown = sumsByHour(period, ({ shownTokens, searchTokens }) => shownTokens + searchTokens);
  const full = sumsByHour(period, ({ fullTokens }) => fullTokens);
  return (
    <>
      <p>
        <strong>{count(total(full) - total(shown))} tokens</strong> less than plain lists.
      </p>
      <Chart
        title="Tokens, hour by hour"
        axis={timeAxis(period.since, period.until, HOUR_MS)}
        as="behind"
        inWords={count}
        series={[
          { name: 'plain lists would have cost', tone: 'muted', values: full },
          { name: 'shown and for searching', tone: 'good', values: shown },
        ]}
      />
    </>
  );
}
