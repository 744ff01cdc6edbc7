import { useState } from 'preact/hooks';
import type { PolicyAnswer } from '../api/routes.js';
import { useListFilter } from '../parts/list-filter.js';
import { DecideButton } from '../parts/decide-button.js';
import { DecisionDialog } from '../parts/dialog.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Json, Text } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { PolicyForm } from './policies/policy-form.js';
import { type PolicyOwner, removePolicy } from './policies/stored-policy.js';

/** Access policies of tenants and agents, with a dry run over what was called. */
export function Policies() {
  const [editing, setEditing] = useState<PolicyAnswer>();
  const [removing, setRemoving] = useState<PolicyAnswer>();
  const filter = useListFilter();
  return (
    <Screen
      title="Access policies"
      lead="They can only restrict; try them on recorded calls first. Visibility policies are code and are not listed."
    >
      <PolicyForm key={editing ? keyOf(editing) : 'new'} of={editing} onDone={() => setEditing(undefined)} />
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
                  {each.tenantId === '' ? 'all tenants' : <Text value={each.tenantId} max={80} />}
                  {each.agentId !== '' && (
                    <>
                      , agent <Text value={each.agentId} max={80} />
                    </>
                  )}
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
      {removing && (
        <DecisionDialog
          title="Remove this access policy?"
          action="Remove"
          isDangerous
          onClose={() => setRemoving(undefined)}
          decide={(reason) => removePolicy(removing, reason)}
        >
          <p>What it refused is allowed again, unless another check refuses it.</p>
        </DecisionDialog>
      )}
    </Screen>
  );
}

function keyOf({ tenantId, agentId }: PolicyOwner): string {
  return JSON.stringify([tenantId, agentId]);
}
