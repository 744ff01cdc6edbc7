import { useState } from 'preact/hooks';
import type { ListedApproval } from '../api/routes.js';
import { useListFilter } from '../parts/list-filter.js';
import { DecideButton } from '../parts/decide-button.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { callerName } from '../parts/words.js';
import { operator } from '../state/operator.js';
import { linkTo, useParameter } from '../state/route.js';
import { ApprovalDialog, type DecidingApproval } from './approvals/approval-dialog.js';
import { ArgumentsMissing, lacksArguments, WaitingArguments } from './approvals/waiting-arguments.js';

const STATUSES = ['pending', 'approved', 'refused'] as const;

/** Calls that wait for a second person. */
export function Approvals() {
  const [shown, setShown] = useParameter('status');
  const status = STATUSES.find((each) => each === shown) ?? 'pending';
  const [deciding, setDeciding] = useState<DecidingApproval>();
  const filter = useListFilter();
  return (
    <Screen title="Approvals" lead="Calls that wait for a second person. Who asked cannot approve.">
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Show
          <select name="status" value={status} onChange={(event) => setShown(event.currentTarget.value)}>
            <option value="pending">those that wait</option>
            <option value="approved">approved ones</option>
            <option value="refused">refused ones</option>
          </select>
        </label>
      </form>
      {filter.fields}
      <Pages
        route="GET approvals"
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
                      <Time at={approval.askedAt} />,{' '}
                      {approval.covers === 'call' ? 'one call in the' : 'every call in the'} {approval.scope}{' '}
                      <Text value={approval.scopeId} max={40} />
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
                    {approval.status !== 'pending' && (
                      <Text value={`${approval.actor}: ${approval.reason}`} max={120} />
                    )}
                    <div class="choices">
                      {approval.status !== 'approved' && (
                        <DecideButton
                          disabled={isMine(approval)}
                          onClick={() => setDeciding({ approval, verb: 'approve' })}
                        >
                          {approval.status === 'pending' ? 'Approve…' : 'Approve after all…'}
                          {isMine(approval) && ' (you asked)'}
                          <UnseenName of={approval.tool} />
                        </DecideButton>
                      )}
                      {approval.status !== 'refused' && (
                        <DecideButton onClick={() => setDeciding({ approval, verb: 'refuse' })}>
                          {approval.status === 'pending' ? 'Refuse…' : 'Withdraw…'}
                          <UnseenName of={approval.tool} />
                        </DecideButton>
                      )}
                    </div>
                  </td>
                </tr>
              ))}
            </Table>
            {items.some(lacksArguments) && <ArgumentsMissing />}
          </>
        )}
      </Pages>
      {deciding && <ApprovalDialog of={deciding} onClose={() => setDeciding(undefined)} />}
    </Screen>
  );
}

/** The server refuses it too, whatever the spelling of the name. */
function isMine({ userId, tenantId }: ListedApproval): boolean {
  return operator.value?.actor === `${userId}@${tenantId}`;
}
