import { useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { CallAnswer } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { useDebounced } from '../parts/use-debounced.js';
import { callerName, checkName, counted } from '../parts/words.js';
import { route } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { isAdmitted } from './calls/admitted.js';
import { AskWhy } from './calls/ask-why.js';
import { CallsByHour } from './calls/calls-by-hour.js';
import { FollowedRun } from './calls/followed-run.js';

const FILTERS = ['tenantId', 'userId', 'sessionId', 'runId', 'tool'] as const;
type Filter = Readonly<Record<(typeof FILTERS)[number], string>>;
const LABELS = { tenantId: 'Tenant', userId: 'User', sessionId: 'Session', runId: 'Run', tool: 'Tool' } as const;

/** Every call and refusal, and one of them followed from the search to the result. */
export function Calls() {
  const { query } = route.value;
  const [filter, setFilter] = useState(
    Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) as Filter,
  );
  const [followed, setFollowed] = useState<CallAnswer>();
  const asked = JSON.parse(useDebounced(JSON.stringify(filter))) as Filter;
  const summary = useData(
    `summary ${JSON.stringify(asked)}`,
    (signal) => api('GET calls/summary', { query: asked, signal }),
    true,
  );
  return (
    <Screen title="Calls" lead="Every call and refusal: who, what, which check decided, and how it ended.">
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {FILTERS.map((name) => (
          <label key={name}>
            {LABELS[name]}
            <input
              name={name}
              value={filter[name]}
              onInput={(event) => setFilter({ ...filter, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
      </form>
      <h2>By check, in the last day</h2>
      <Async of={summary}>{(data) => <CallsByHour summary={data} />}</Async>
      {followed && <FollowedRun key={followed.id} call={followed} onClose={() => setFollowed(undefined)} />}
      <h2>Newest first</h2>
      <Pages route="GET calls" query={{ ...asked, kind: 'call' }} isCounted empty="Nothing was called.">
        {(calls) => (
          <Table caption="Calls" columns={['When', 'Who', 'Tool', 'Decision', 'Outcome', '']}>
            {calls.map((call) => (
              <tr key={call.id}>
                <td>
                  <Time at={call.at} />
                </td>
                <td>
                  <Text value={callerName(call)} max={80} />
                </td>
                <td>
                  <Text value={call.tool} max={120} />
                </td>
                <td>
                  <Decision call={call} />
                </td>
                <td>
                  <span class={call.outcome === 'ok' ? 'good' : 'bad'}>
                    <Text value={call.outcome} max={60} />
                  </span>
                  <br />
                  <span class="muted">
                    {call.ms.toFixed(1)} ms, {counted(call.resultBytes, 'byte')}
                  </span>
                </td>
                <td>
                  <span class="choices">
                    <button type="button" onClick={() => setFollowed(call)}>
                      Follow
                      <UnseenName of={call.tool} />
                    </button>
                    {!isAdmitted(call) && <AskWhy of={call}>Why?</AskWhy>}
                  </span>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
    </Screen>
  );
}

function Decision({ call: { decision, layer, reason } }: { readonly call: CallAnswer }) {
  if (decision === 'allow') return <span>allowed</span>;
  return (
    <>
      <strong>
        <Text value={checkName(layer)} max={60} />
      </strong>
      : <Text value={reason} max={160} />
    </>
  );
}
