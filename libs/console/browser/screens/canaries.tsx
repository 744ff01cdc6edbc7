import { useState } from 'preact/hooks';
import { api, segment } from '../api/client.js';
import type { Canary, StoredCanary } from '../api/decision-types.js';
import { Bar } from '../parts/bar.js';
import { DecideButton } from '../parts/decide-button.js';
import { DecisionDialog } from '../parts/dialog.js';
import { Owner } from '../parts/owner.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Json, Name, Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { tenant } from '../state/operator.js';
import { linkTo } from '../state/route.js';
import { ShareDialog } from './canaries/share-dialog.js';

/** New definitions of tools for a share of the tenants, and the shares that operators have set. */
export function Canaries() {
  return (
    <Screen title="Canaries" lead="New definitions of tools that a share of the tenants gets first.">
      {tenant.value === undefined ? (
        <AllCanaries />
      ) : (
        <p class="empty">A share is about all tenants, so only operators of all tenants see and decide it.</p>
      )}
    </Screen>
  );
}

function AllCanaries() {
  const [changing, setChanging] = useState<Canary>();
  const [removing, setRemoving] = useState<StoredCanary>();
  return (
    <>
      <Pages<Canary> path="canaries" empty="No tool has a canary.">
        {(canaries) => (
          <Table caption="Canaries" columns={['Tool', 'Its new definition', 'Share of the tenants', '']}>
            {canaries.map((canary) => (
              <tr key={`${canary.owner} ${canary.tool}`}>
                <td>
                  <Text value={canary.tool} max={120} /> <Owner of={canary.owner} />
                  <br />
                  <span class="muted">
                    of <Text value={canary.source} max={120} />
                  </span>
                </td>
                <td>
                  <NewDefinition of={canary} />
                </td>
                <td>
                  <Share of={canary} />
                </td>
                <td>
                  <DecideButton onClick={() => setChanging(canary)}>
                    Change share…
                    <UnseenName of={canary.tool} />
                  </DecideButton>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      <h2>Shares that operators have set</h2>
      <Pages<StoredCanary> path="canary-shares" empty="None: each canary has the share that its source declares.">
        {(shares) => (
          <Table caption="Shares that operators have set" columns={['Tool', 'Share', 'Why', 'Who, when', '']}>
            {shares.map((share) => (
              <tr key={share.tool}>
                <td>
                  <Text value={share.tool} max={120} />
                </td>
                <td class="number">{share.sharePct} %</td>
                <td>
                  <Text value={share.reason} max={160} />
                </td>
                <td>
                  <Text value={share.actor} max={80} />, <Time at={share.changedAt} />
                </td>
                <td>
                  <DecideButton onClick={() => setRemoving(share)}>
                    Remove…
                    <UnseenName of={share.tool} />
                  </DecideButton>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      {changing && <ShareDialog key={changing.tool} of={changing} onClose={() => setChanging(undefined)} />}
      {removing && (
        <DecisionDialog
          title="Remove this share?"
          action="Remove"
          onClose={() => setRemoving(undefined)}
          decide={(reason) =>
            api(`canary-shares/${segment(removing.tool)}`, {
              method: 'DELETE',
              query: { reason, expectedRevision: removing.revision },
            })
          }
        >
          <p>
            The canary of <Text value={removing.tool} max={120} /> has the share again that its source declares.
          </p>
        </DecisionDialog>
      )}
    </>
  );
}

function NewDefinition({ of: { tool, description, inputSchema, held } }: { readonly of: Canary }) {
  return (
    <>
      {held !== undefined && (
        <p class="bad">
          held back, so no tenant gets it: <Text value={held} max={200} />{' '}
          <a href={linkTo('quarantine')}>See the quarantine</a>
        </p>
      )}
      <Text value={description} max={200} />
      <details>
        <summary>
          Arguments
          <span class="unseen">
            {' '}
            of the canary of <Name of={tool} />
          </span>
        </summary>
        <Json value={inputSchema} label={`Arguments of the canary of ${tool}`} />
      </details>
    </>
  );
}

function Share({ of: { sharePct, declaredPct, stored, definitionHash } }: { readonly of: Canary }) {
  const isForAnother = stored !== undefined && stored.sharePct > 0 && stored.definitionHash !== definitionHash;
  return (
    <>
      <Bar share={sharePct / 100} label={`${sharePct} of 100 tenants`} /> {sharePct} %
      <br />
      <span class="muted">
        {declaredPct} % declared{stored && `, ${stored.sharePct} % set by an operator`}
        {isForAnother && ' for another definition, which this one cannot exceed'}
      </span>
    </>
  );
}
