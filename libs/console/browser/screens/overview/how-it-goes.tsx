import { api } from '../../api/client.js';
import type { CallFiguresAnswer, CallOverviewAnswer } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { count } from '../../parts/bar.js';
import { Chart } from '../../parts/chart/chart.js';
import { onAxis, timeAxis } from '../../parts/chart/time-axis.js';
import { Table } from '../../parts/screen.js';
import { type PlainText, plainText } from '../../parts/safe-text.js';
import { Name, Text } from '../../parts/text.js';
import { checkName } from '../../parts/words.js';
import { tenant } from '../../state/operator.js';
import { linkTo, useParameter } from '../../state/route.js';
import { useData } from '../../state/use-data.js';
import { Figure, Figures } from './figures.js';
import { periodNamed, PERIODS } from './periods.js';
import { TokensSaved } from './tokens-saved.js';

/** How the calls of a period went: figures, charts, and by check, source and tenant. */
export function HowItGoes() {
  const [chosen, setPeriod] = useParameter('period');
  const name = periodNamed(chosen);
  const { ms } = PERIODS[name];
  const loaded = useData(
    `overview ${name}`,
    (signal) => api('GET calls/overview', { query: { since: Date.now() - ms }, signal }),
    true,
  );
  return (
    <>
      <div class="heading">
        <h2>How it goes</h2>
        <select
          name="period"
          aria-label="Period"
          value={name}
          onChange={(event) => setPeriod(event.currentTarget.value)}
        >
          {Object.entries(PERIODS).map(([id, period]) => (
            <option key={id} value={id}>
              {period.words}
            </option>
          ))}
        </select>
      </div>
      <Async of={loaded}>{(overview) => <Went overview={overview} />}</Async>
      <TokensSaved ms={ms} />
    </>
  );
}

function Went({ overview }: { readonly overview: CallOverviewAnswer }) {
  const { since, until, stepMs, total, spans, refusals, sources, tenants, isComplete } = overview;
  const axis = timeAxis(since, until, stepMs);
  const onSpans = onAxis(axis, spans, ({ from }) => from);
  const valuesOf = (read: (span: CallFiguresAnswer) => number | undefined) => onSpans.map((span) => span && read(span));
  const sinceText = String(since);
  return (
    <>
      {!isComplete && (
        <p class="muted" role="status">
          Older calls are still being added up.
        </p>
      )}
      <Figures>
        <Figure
          value={count(total.calls)}
          words={total.calls === 1 ? 'call' : 'calls'}
          to={linkTo('calls', { since: sinceText })}
        />
        <Figure
          value={count(total.refused)}
          words="refused or waiting"
          to={linkTo('calls', { since: sinceText, ...(refusals.length === 1 && { layer: refusals[0]?.layer ?? '' }) })}
        />
        <Figure
          value={count(total.failed)}
          words="failed"
          to={linkTo('calls', { since: sinceText })}
          isAlert={total.failed > 0}
        />
        <Figure value={inMs(total.p50Ms)} words="p50: half are faster" to={linkTo('calls', { since: sinceText })} />
        <Figure value={inMs(total.p95Ms)} words="p95: 5 of 100 are slower" to={linkTo('calls', { since: sinceText })} />
      </Figures>
      <div class="pair">
        <Chart
          title="Calls"
          axis={axis}
          as="stacked"
          inWords={count}
          series={[
            {
              name: 'ended well',
              tone: 'accent',
              values: valuesOf(({ calls, refused, failed }) => calls - refused - failed),
            },
            { name: 'failed', tone: 'warn', values: valuesOf(({ failed }) => failed) },
            { name: 'refused', tone: 'bad', values: valuesOf(({ refused }) => refused) },
          ]}
        />
        <Chart
          title="Time to the result"
          axis={axis}
          as="lines"
          inWords={inMs}
          series={[
            { name: 'p50', tone: 'accent', values: valuesOf(({ p50Ms }) => p50Ms) },
            { name: 'p95', tone: 'warn', values: valuesOf(({ p95Ms }) => p95Ms) },
          ]}
        />
      </div>
      {refusals.length > 0 && (
        <>
          <h3>Refused, by check</h3>
          <Table caption="Refused, by check" columns={['Check', { number: 'Calls' }]}>
            {refusals.map(({ layer, calls }) => (
              <tr key={layer}>
                <td>
                  <a href={linkTo('calls', { layer, since: sinceText })}>
                    <Name of={checkName(layer)} />
                  </a>
                </td>
                <td>{count(calls)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
      {sources.length > 0 && (
        <>
          <h3>By source</h3>
          <Table caption="By source" columns={['Source', 'Tools', ...FIGURE_COLUMNS]}>
            {sources.map(({ prefix, source, ...figures }) => (
              <tr key={prefix}>
                <td>
                  {source === undefined ? (
                    <span class="muted">not in the catalog</span>
                  ) : (
                    <a href={linkTo('tools', { source })}>
                      <Name of={source} />
                    </a>
                  )}
                </td>
                <td>
                  <Text value={source === undefined ? prefix : `${prefix}.…`} max={80} />
                </td>
                {figureCells(figures)}
              </tr>
            ))}
          </Table>
        </>
      )}
      {tenant.value === undefined && tenants.length > 0 && (
        <>
          <h3>By tenant</h3>
          <Table caption="By tenant" columns={['Tenant', ...FIGURE_COLUMNS]}>
            {tenants.map(({ tenantId, ...figures }) => (
              <tr key={tenantId}>
                <td>
                  <a href={linkTo('calls', { tenantId, since: sinceText })}>
                    <Name of={tenantId} max={80} />
                  </a>
                </td>
                {figureCells(figures)}
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}

const FIGURE_COLUMNS = ['Calls', 'Refused', 'Failed', 'p50', 'p95'].map((number) => ({ number }));

function figureCells({ calls, refused, failed, p50Ms, p95Ms }: CallFiguresAnswer) {
  const values = [count(calls), count(refused), count(failed), inMs(p50Ms), inMs(p95Ms)];
  return values.map((value, index) => <td key={index}>{value}</td>);
}

function inMs(ms: number | undefined): PlainText {
  if (ms === undefined) return plainText('–');
  if (ms >= 1000) return plainText(`${(ms / 1000).toFixed(1)} s`);
  return plainText(`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
}
