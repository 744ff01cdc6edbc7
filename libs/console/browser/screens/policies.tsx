import { useState } from 'preact/hooks';
import type { PolicyAnswer } from '../api/routes.js';
import { useListFilter } from '../parts/list-filter.js';
import { DecideButton } from '../parts/decide-button.js';
import { DecisionDialog } from '../parts/dialog.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Json, Text } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { linkTo } from '../state/route.js';
import { PolicyForm } from './policies/policy-form.js';
import { type PolicyOwner, removePolicy } from './policies/stored-policy.js';

/** Access policies of tenants and agents, with a dry run over what was called. */
export function Policies() {
  const [editing, setEditing] = useState<PolicyAnswer>();
  const [removing, setRemoving] = useState<PolicyAnswer>();
  const [removed, setRemoved] = useState<PolicyOwner>();
  const filter = useListFilter();
  const done = () => {
    setEditing(undefined);
    setRemoved(undefined);
  };
  const form = <PolicyForm key={editing ? keyOf(editing) : 'new'} of={editing} onDone={done} />;
  // A link leads to the policies of a tenant, which come first then.
  const isLookedFor = filter.isOn && !editing;
  return (
    <Screen
      title="Access policies"
      lead="They can only restrict; try them on recorded calls first. Visibility policies are code and are not listed."
    >
      {removed && (
        <p class="note note-good" role="status">
          The access policy of <PolicyFor of={removed} /> is removed.{' '}
          <a href={linkTo('calls', removed.tenantId === '' ? {} : { tenantId: removed.tenantId })}>See the calls</a>
        </p>
      )}
      {!isLookedFor && form}
      <h2>Stored</h2>
      {filter.fields}
      <Pages
        route="GET policies"
        query={filter.query}
        empty={
          filter.isOn
            ? 'No access policy fits.'
            : "No access policy is stored: the application's own code decides alone."
        }
      >
        {(items) => (
          <Table caption="Stored access policies" columns={['For', 'Access policy', 'Why', 'Who, when', '']}>
            {items.map((each) => (
              <tr key={keyOf(each)}>
                <td>
                  <PolicyFor of={each} />
                  {each.allowsNothing && <span class="bad"> allows nothing</span>}
                </td>
                <td>
                  <Json value={each.policy} label={`Access policy of ${each.tenantId} ${each.agentId}`} />
                </td>
                <td>
                  <Text value={each.reason} max={160} />
                </td>
                <td>
                  <Text value={each.actor} max={80} />, <Time at={each.changedAt} />
                </td>
                <td>
                  <div class="choices">
                    <button type="button" onClick={() => setEditing(each)}>
                      Edit
                    </button>
                    <DecideButton onClick={() => setRemoving(each)}>Remove…</DecideButton>
                  </div>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      {isLookedFor && form}
      {removing && (
        <DecisionDialog
          title={
            <>
              Remove the access policy of <PolicyFor of={removing} />?
            </>
          }
          action="Remove"
          isDangerous
          onClose={() => setRemoving(undefined)}
          decide={async (reason) => {
            await removePolicy(removing, reason);
            setRemoved(removing);
          }}
        >
          <p>
            Set by <Text value={removing.actor} max={80} />, <Time at={removing.changedAt} />:{' '}
            <Text value={removing.reason} max={160} />
          </p>
          <p>What it refused is allowed again, unless another check refuses it.</p>
        </DecisionDialog>
      )}
    </Screen>
  );
}

/** Whose policy it is. */
function PolicyFor({ of: { tenantId, agentId } }: { readonly of: PolicyOwner }) {
  return (
    <>
      {tenantId === '' ? 'all tenants' : <Text value={tenantId} max={80} />}
      {agentId !== '' && (
        <>
          , agent <Text value={agentId} max={80} />
        </>
      )}
    </>
  );
}

function keyOf({ tenantId, agentId }: PolicyOwner): string {
  return JSON.stringify([tenantId, agentId]);
}
