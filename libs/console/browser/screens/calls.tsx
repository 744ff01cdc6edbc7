import { api } from '../api/client.js';
import type { CallAnswer, CallOutcome, DecidingLayer } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { useDebounced } from '../parts/use-debounced.js';
import { callerName, checkName, counted } from '../parts/words.js';
import { linkWith, route, setParameters } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { isAdmitted } from './calls/admitted.js';
import { AskWhy } from './calls/ask-why.js';
import { CallsByHour } from './calls/calls-by-hour.js';
import { followedCall, FollowedRun, parametersOf } from './calls/followed-run.js';

const FILTERS = ['tenantId', 'userId', 'sessionId', 'runId', 'tool'] as const;
type Filter = Readonly<Record<(typeof FILTERS)[number], string>>;
const LABELS = { tenantId: 'Tenant', userId: 'User', sessionId: 'Session', runId: 'Run', tool: 'Tool' } as const;

/** Every call and refusal, and one of them followed from the search to the result. */
export function Calls() {
  const { query } = route.value;
  const filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) as Filter;
  const followed = followedCall(query);
  const since = Number(query.get('since') ?? NaN);
  const only = {
    ...layerOf(query.get('layer')),
    ...outcomeOf(query.get('outcome')),
    ...(Number.isSafeInteger(since) && { since }),
  };
  const asked = { ...(JSON.parse(useDebounced(JSON.stringify(filter))) as Filter), ...only };
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
              onInput={(event) => setParameters({ [name]: event.currentTarget.value })}
            />
          </label>
        ))}
      </form>
      {Object.keys(only).length > 0 && (
        <p class="choices">
          <span class="muted">
            Only
            {only.layer !== undefined && (
              <>
                {' '}
                those that the check <Text value={checkName(only.layer)} max={60} /> decided
              </>
            )}
            {only.outcome !== undefined && (
              <>
                {' '}
                with the outcome <Text value={only.outcome} max={60} />
              </>
            )}
            {only.since !== undefined && (
              <>
                {' '}
                since <Time at={only.since} />
              </>
            )}
            .
          </span>
          <button type="button" onClick={() => setParameters({ layer: '', outcome: '', since: '' })}>
            Show all
          </button>
        </p>
      )}
      <h2>By check{only.since === undefined && ', in the last day'}</h2>
      <Async of={summary}>{(data) => <CallsByHour summary={data} />}</Async>
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
                  <div class="choices">
                    <a class="button" href={linkWith(parametersOf(call))}>
                      Follow
                      <UnseenName of={call.tool} />
                    </a>
                    {!isAdmitted(call) && <AskWhy of={call}>Why?</AskWhy>}
                  </div>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      {followed && (
        <FollowedRun key={followed.id} of={followed} onClose={() => setParameters({ follow: '', at: '' })} />
      )}
    </Screen>
  );
}

// The server refuses what is none of its words.
const layerOf = (layer: string | null) => (layer ? { layer: layer as DecidingLayer } : {});
const outcomeOf = (outcome: string | null) => (outcome ? { outcome: outcome as CallOutcome } : {});

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
