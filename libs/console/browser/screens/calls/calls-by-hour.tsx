import type { CallSummaryAnswer } from '../../api/routes.js';
import { Bar, count } from '../../parts/bar.js';
import { Text } from '../../parts/text.js';
import { checkName, counted } from '../../parts/words.js';
import { Chart } from '../../parts/chart/chart.js';
import { timeAxis } from '../../parts/chart/time-axis.js';
import { HOUR_MS, sumsByHour, total } from '../usage/hour-sums.js';
import { isAdmitted } from './admitted.js';

/** Calls and refusals of each hour, and which checks refused. */
export function CallsByHour({ summary }: { readonly summary: CallSummaryAnswer }) {
  const allowed = sumsByHour(summary, (sum) => (isAdmitted(sum) ? sum.calls : 0));
  const refused = sumsByHour(summary, (sum) => (isAdmitted(sum) ? 0 : sum.calls));
  const checks = new Map<string, number>();
  for (const sum of summary.items) {
    if (!isAdmitted(sum)) checks.set(sum.layer, (checks.get(sum.layer) ?? 0) + sum.calls);
  }
  const byCheck = [...checks].sort(([, one], [, other]) => other - one);
  return (
    <>
      <p>
        <strong>{count(total(allowed))}</strong> allowed, <strong>{count(total(refused))}</strong> not.
      </p>
      <Chart
        title="Calls, hour by hour"
        axis={timeAxis(summary.since, summary.until, HOUR_MS)}
        as="stacked"
        inWords={count}
        series={[
          { name: 'allowed', tone: 'accent', values: allowed },
          { name: 'not allowed', tone: 'bad', values: refused },
        ]}
      />
      {byCheck.length > 0 && (
        <dl class="compared">
          {byCheck.map(([layer, calls]) => (
            <>
              <dt>
                <Text value={checkName(layer)} max={60} />
              </dt>
              <dd>
                <Bar share={calls / total(refused)} label={counted(calls, 'refusal')} tone="bad" /> {count(calls)}
              </dd>
            </>
          ))}
        </dl>
      )}
    </>
  );
}
