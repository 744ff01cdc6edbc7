import { api } from '../../api/client.js';
import type { CallAnswer } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { Panel } from '../../parts/panel.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { checkName, counted, deedName } from '../../parts/words.js';
import { useData } from '../../state/use-data.js';
import { isAdmitted } from './admitted.js';
import { AskWhy } from './ask-why.js';

const MOST = 200;

/** A call of the record, as the address of the screen names it. */
export interface FollowedCall {
  readonly id: string;
  /** When it began, in epoch milliseconds. */
  readonly at: number;
}

/** The call that the address names; undefined where it names none. */
export function followedCall(query: URLSearchParams): FollowedCall | undefined {
  const [id, at] = [query.get('follow'), Number(query.get('at'))];
  return id === null || !Number.isSafeInteger(at) ? undefined : { id, at };
}

/** The parameters of the address that name a call. */
export const parametersOf = ({ id, at }: FollowedCall) => ({ follow: id, at: String(at) });

interface FollowedRunProps {
  readonly of: FollowedCall;
  readonly onClose: () => void;
}

/** What led to a call: each step of its run, from what the model was shown to the size of the result. */
export function FollowedRun({ of: { id, at }, onClose }: FollowedRunProps) {
  const loaded = useData(`followed ${id}`, async (signal) => {
    const { items } = await api('GET calls', { query: { since: at, until: at + 1, limit: MOST }, signal });
    const call = items.find((each) => each.id === id);
    return call && { call, records: await recordsOf(call, signal) };
  });
  const call = loaded.data?.call;
  return (
    <Panel label="Followed call" onClose={onClose} actions={call && <AskWhy of={call}>Ask why as this caller</AskWhy>}>
      <Async of={loaded}>
        {(found) =>
          found ? (
            <>
              <h2>
                How it came to <Text value={found.call.tool} max={120} />
              </h2>
              <ol class="layers">
                {found.records.map((record) => (
                  <li
                    key={record.id}
                    class={`layer ${classOf(record)}`}
                    aria-current={record.id === id ? 'step' : undefined}
                  >
                    <span>
                      <strong class="first">
                        <Text value={deedName(record.kind)} max={60} />
                      </strong>{' '}
                      {isDecided(record) ? <Call record={record} /> : <Names record={record} />}
                      <br />
                      <span class="muted">
                        step {record.step}, <Time at={record.at} />
                      </span>
                    </span>
                  </li>
                ))}
              </ol>
            </>
          ) : (
            <p class="empty">The record of this call is gone.</p>
          )
        }
      </Async>
    </Panel>
  );
}

async function recordsOf(call: CallAnswer, signal: AbortSignal): Promise<readonly CallAnswer[]> {
  const { runId, sessionId, tenantId, userId } = call;
  if (runId !== '') {
    const { items } = await api('GET runs/{runId}', { path: { runId }, query: { tenantId, limit: MOST }, signal });
    return items.flatMap(({ shown, did }) => [...(shown ? [shown] : []), ...did]);
  }
  if (sessionId === '') return [call];
  const query = { tenantId, userId, sessionId, limit: 50 };
  return (await api('GET calls', { query, signal })).items.toReversed();
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
