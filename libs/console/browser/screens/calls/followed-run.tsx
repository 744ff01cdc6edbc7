import { api } from '../../api/client.js';
import type { CallAnswer } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { checkName, counted } from '../../parts/words.js';
import { useData } from '../../state/use-data.js';
import { isAdmitted } from './admitted.js';
import { AskWhy } from './ask-why.js';

const WORDS = {
  call: 'Called',
  admitted: 'Was admitted to the work of',
  shown: 'Was shown',
  searched: 'Searched and found',
  described: 'Read the definition of',
  loaded: 'Loaded',
  completed: 'Asked for suggestions of',
} as const;

interface FollowedRunProps {
  readonly call: CallAnswer;
  readonly onClose: () => void;
}

/** What led to a call: each step of its run, from what the model was shown to the size of the result. */
export function FollowedRun({ call, onClose }: FollowedRunProps) {
  const { runId, sessionId, tenantId, userId } = call;
  const loaded = useData(call.id, async (signal): Promise<readonly CallAnswer[]> => {
    if (runId !== '') {
      const { items } = await api('GET runs/{runId}', { path: { runId }, query: { tenantId, limit: 200 }, signal });
      return items.flatMap(({ shown, did }) => [...(shown ? [shown] : []), ...did]);
    }
    if (sessionId === '') return [call];
    const query = { tenantId, userId, sessionId, limit: 50 };
    return (await api('GET calls', { query, signal })).items.toReversed();
  });
  return (
    <section class="card" aria-label="Followed call">
      <p class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <AskWhy of={call}>Ask why as this caller</AskWhy>
      </p>
      <h2>
        How it came to <Text value={call.tool} max={120} />
      </h2>
      <Async of={loaded} isEmpty={(records) => records.length === 0} empty="The record of this run is gone.">
        {(records) => (
          <ol class="layers">
            {records.map((record) => (
              <li
                key={record.id}
                class={`layer ${classOf(record)}`}
                aria-current={record.id === call.id ? 'step' : undefined}
              >
                <span>
                  <strong>{WORDS[record.kind]}</strong>{' '}
                  {isDecided(record) ? <Call record={record} /> : <Names record={record} />}
                  <br />
                  <span class="muted">
                    step {record.step}, <Time at={record.at} />
                  </span>
                </span>
              </li>
            ))}
          </ol>
        )}
      </Async>
    </section>
  );
}

/** The other kinds list tools and have no decision. */
function isDecided({ kind }: CallAnswer): boolean {
  return kind === 'call' || kind === 'admitted' || kind === 'completed';
}

function classOf(record: CallAnswer): string {
  if (!isDecided(record)) return '';
  return isAdmitted(record) ? 'layer-pass' : 'layer-deny';
}

function Names({ record: { tools, toolCount, reason } }: { readonly record: CallAnswer }) {
  return (
    <>
      {counted(toolCount, 'tool')} (
      <Text value={reason} max={80} />
      ): <Text value={tools.join(', ')} max={300} />
    </>
  );
}

function Call({ record }: { readonly record: CallAnswer }) {
  return (
    <>
      <Text value={record.tool} max={120} />:{' '}
      {record.decision === 'allow' ? (
        'allowed'
      ) : (
        <>
          the check <Text value={checkName(record.layer)} max={60} />{' '}
          {record.decision === 'approve' ? 'asked for an approval' : 'refused it'}
        </>
      )}
      {record.reason !== '' && (
        <>
          , <Text value={record.reason} max={200} />
        </>
      )}
      . Outcome{' '}
      <strong>
        <Text value={record.outcome} max={60} />
      </strong>
      , {record.ms.toFixed(1)} ms, {counted(record.argumentBytes, 'byte')} in, {counted(record.resultBytes, 'byte')} out
      {record.cached && ', from the cache'}, as of change {record.controlRevision}.
      {record.arguments !== undefined && (
        <p>
          Arguments: <Text value={record.arguments} />
        </p>
      )}
      {record.result !== undefined && (
        <p>
          Result: <Text value={record.result} />
        </p>
      )}
    </>
  );
}
