import type { CallSummaryAnswer } from '../../api/routes.js';
import { Bar, count } from '../../parts/bar.js';
import { Text } from '../../parts/text.js';
import { checkName, counted } from '../../parts/words.js';
import { HourChart, sumsByHour, total } from '../usage/hour-chart.js';
import { isAdmitted } from './admitted.js';

/** Calls and refusals of each hour, and which checks refused. */
export function CallsByHour({ summary }: { readonly summary: CallSummaryAnswer }) {
  const allowed = sumsByHour(summary, (sum) => (isAdmitted(sum) ? sum.calls : 0));
  const refused = sumsByHour(summary, (sum) => (isAdmitted(sum) ? 0 : sum.calls));
  const checks = new Map<string, number>();
  for (const sum of summary.items) {
    if (!isAdmitted(sum)) checks.set(sum.layer, (checks.get(sum.layer) ?? 0) + sum.calls);
  }
  const most = Math.max(1, ...allowed.map((calls, at) => calls + (refused[at] ?? 0)));
  const label = `${count(total(allowed))} calls allowed and ${count(total(refused))} not, hour by hour; at most ${count(most)} in an hour`;
  const byCheck = [...checks].sort(([, one], [, other]) => other - one);
  return (
    <>
      <p>
        <strong>{count(total(allowed))}</strong> allowed, <strong>{count(total(refused))}</strong> not.
      </p>
      <HourChart
        label={label}
        hours={allowed.map((size, at) => [
          { tone: 'accent', from: 0, size },
          { tone: 'bad', from: size, size: refused[at] ?? 0 },
        ])}
        most={most}
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
