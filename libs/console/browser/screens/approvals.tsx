import { useState } from 'preact/hooks';
import { api, segment } from '../api/client.js';
import type { Approval } from '../api/decision-types.js';
import { useListFilter } from '../parts/list-filter.js';
import { DecideButton } from '../parts/decide-button.js';
import { DecisionDialog } from '../parts/dialog.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { callerName } from '../parts/words.js';
import { operator } from '../state/operator.js';
import { linkTo } from '../state/route.js';
import { ArgumentsMissing, WaitingArguments } from './approvals/waiting-arguments.js';

interface Deciding {
  readonly approval: Approval;
  readonly verb: 'approve' | 'refuse';
}

/** Calls that wait for a second person. */
export function Approvals() {
  const [status, setStatus] = useState('pending');
  const [deciding, setDeciding] = useState<Deciding>();
  const [forMs, setForMs] = useState('3600000');
  const filter = useListFilter();
  return (
    <Screen title="Approvals" lead="Calls that wait for a second person. Who asked cannot approve.">
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Show
          <select name="status" value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            <option value="pending">those that wait</option>
            <option value="approved">approved ones</option>
            <option value="refused">refused ones</option>
          </select>
        </label>
      </form>
      {filter.fields}
      <Pages<Approval>
        path="approvals"
        query={{ status, ...filter.query }}
        isCounted
        empty={
          filter.isOn || status !== 'pending' ? (
            'No approval fits.'
          ) : (
            <>
              Nobody waits. Tools that were changed wait elsewhere: <a href={linkTo('quarantine')}>Quarantine</a>.
            </>
          )
        }
      >
        {(items) => (
          <>
            <Table caption="Approvals" columns={['Who asks', 'For', 'With', 'Why it needs one', 'Until', '']}>
              {items.map((approval) => (
                <tr key={approval.id}>
                  <td>
                    <Text value={callerName(approval)} max={120} />
                    <br />
                    <span class="muted">
                      <Time at={approval.askedAt} />, {approval.scope} <Text value={approval.scopeId} max={40} />
                    </span>
                  </td>
                  <td>
                    <Text value={approval.tool} max={120} />
                    <br />
                    <a href={linkTo('calls', { tool: approval.tool, tenantId: approval.tenantId })}>Its calls</a>
                  </td>
                  <td>
                    <WaitingArguments of={approval} />
                  </td>
                  <td>
                    <code>
                      <Text value={approval.rule} max={120} />
                    </code>
                  </td>
                  <td>
                    <Time at={approval.expiresAt} />
                  </td>
                  <td>
                    {approval.status === 'pending' ? (
                      <>
                        <DecideButton
                          disabled={isMine(approval)}
                          onClick={() => setDeciding({ approval, verb: 'approve' })}
                        >
                          Approve…{isMine(approval) && ' (you asked)'}
                          <UnseenName of={approval.tool} />
                        </DecideButton>{' '}
                        <DecideButton onClick={() => setDeciding({ approval, verb: 'refuse' })}>
                          Refuse…
                          <UnseenName of={approval.tool} />
                        </DecideButton>
                      </>
                    ) : (
                      <Text value={`${approval.actor}: ${approval.reason}`} max={120} />
                    )}
                  </td>
                </tr>
              ))}
            </Table>
            {items.some(({ status: of, recordsArguments }) => of === 'pending' && !recordsArguments) && (
              <ArgumentsMissing />
            )}
          </>
        )}
      </Pages>
      {deciding && (
        <DecisionDialog
          title={deciding.verb === 'approve' ? 'Let them call this tool?' : 'Refuse them this tool?'}
          action={deciding.verb === 'approve' ? 'Approve' : 'Refuse'}
          isDangerous={deciding.verb === 'refuse'}
          onClose={() => setDeciding(undefined)}
          decide={(reason) =>
            api(`approvals/${segment(deciding.approval.id)}/${deciding.verb}`, {
              method: 'POST',
              body: { reason, ...(deciding.verb === 'approve' && { forMs: Number(forMs) }) },
            })
          }
        >
          <p>
            <Text value={deciding.approval.tool} max={120} /> for{' '}
            <Text value={callerName(deciding.approval)} max={120} /> in the {deciding.approval.scope}{' '}
            <Text value={deciding.approval.scopeId} max={60} />
          </p>
          <div>
            With <WaitingArguments of={deciding.approval} />
          </div>
          {!deciding.approval.recordsArguments && <ArgumentsMissing />}
          {deciding.verb === 'approve' && (
            <p>It covers every call of this tool there until it ends, with any arguments.</p>
          )}
          {deciding.verb === 'approve' && (
            <label>
              For
              <select name="for" value={forMs} onChange={(event) => setForMs(event.currentTarget.value)}>
                <option value="900000">15 minutes</option>
                <option value="3600000">an hour</option>
                <option value="86400000">a day</option>
              </select>
            </label>
          )}
        </DecisionDialog>
      )}
    </Screen>
  );
}

/** The server refuses it too, whatever the spelling of the name. */
function isMine({ userId, tenantId }: Approval): boolean {
  return operator.value?.actor === `${userId}@${tenantId}`;
}
