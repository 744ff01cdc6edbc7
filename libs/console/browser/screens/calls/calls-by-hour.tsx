import type { CallSummary } from '../../api/usage-types.js';
import { Bar, count } from '../../parts/bar.js';
import { plainText } from '../../parts/safe-text.js';
import { Text } from '../../parts/text.js';

const HOUR_MS = 3_600_000;
const HEIGHT = 80;

/** Calls and refusals of each hour, and which layers refused. */
export function CallsByHour({ summary: { since, until, items } }: { readonly summary: CallSummary }) {
  const first = Math.floor(since / HOUR_MS);
  const hours = Math.max(1, Math.ceil(until / HOUR_MS) - first);
  const allowed = Array.from({ length: hours }, () => 0);
  const refused = Array.from({ length: hours }, () => 0);
  const layers = new Map<string, number>();
  for (const { hour, decision, outcome, layer, calls } of items) {
    // With an approval, a call runs although the layer asks for one.
    const isAdmitted = decision === 'allow' || outcome === 'ok';
    const at = Math.floor(hour / HOUR_MS) - first;
    const into = isAdmitted ? allowed : refused;
    into[at] = (into[at] ?? 0) + calls;
    if (!isAdmitted) layers.set(layer, (layers.get(layer) ?? 0) + calls);
  }
  const total = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0);
  const most = Math.max(1, ...allowed.map((calls, at) => calls + (refused[at] ?? 0)));
  const width = 100 / hours;
  const label = `${count(total(allowed))} calls allowed and ${count(total(refused))} not, hour by hour; at most ${count(most)} in an hour`;
  const byLayer = [...layers].sort(([, one], [, other]) => other - one);
  return (
    <>
      <p>
        <strong>{count(total(allowed))}</strong> allowed, <strong>{count(total(refused))}</strong> not.
      </p>
      <svg
        class="chart"
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={plainText(label)}
      >
        {allowed.map((calls, at) => {
          const good = (calls / most) * HEIGHT;
          const bad = ((refused[at] ?? 0) / most) * HEIGHT;
          return (
            <g key={at}>
              <rect class="bar-accent" x={at * width} width={width * 0.8} y={HEIGHT - good} height={good} />
              <rect class="bar-bad" x={at * width} width={width * 0.8} y={HEIGHT - good - bad} height={bad} />
            </g>
          );
        })}
      </svg>
      {byLayer.length > 0 && (
        <dl class="compared">
          {byLayer.map(([layer, calls]) => (
            <>
              <dt>
                <Text value={layer} max={60} />
              </dt>
              <dd>
                <Bar share={calls / total(refused)} label={`${calls} refusals`} tone="bad" /> {count(calls)}
              </dd>
            </>
          ))}
        </dl>
      )}
    </>
  );
}
