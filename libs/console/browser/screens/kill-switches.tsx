import { useState } from 'preact/hooks';
import type { ListedKillSwitch } from '../api/routes.js';
import { useListFilter } from '../parts/list-filter.js';
import { DecideButton } from '../parts/decide-button.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { counted, effectName, targetName } from '../parts/words.js';
import { tenant } from '../state/operator.js';
import { type Thrown, Convergence } from './kill-switches/convergence.js';
import { EngageForm } from './kill-switches/engage-form.js';
import { Obeyed } from './kill-switches/obeyed.js';
import { ReleaseDialog } from './kill-switches/release-dialog.js';

/** Turns tools off for everybody or one tenant, and on again. */
export function KillSwitches() {
  const [releasing, setReleasing] = useState<ListedKillSwitch>();
  const [thrown, setThrown] = useState<Thrown>();
  const filter = useListFilter('switches');
  // An operator of some tenants does not see the instances.
  const showsInstances = tenant.value === undefined;
  // Nor the switches for everybody, which are counted in the header all the same.
  const nothing = showsInstances ? 'Nothing is turned off.' : 'Nothing is turned off for this tenant alone.';
  return (
    <Screen title="Kill switches" lead="Turn tools off on every instance at once, for everybody or one tenant.">
      <EngageForm onThrown={setThrown} />
      {thrown && <Convergence thrown={thrown} />}
      <h2>Turned off</h2>
      {filter.fields}
      <Pages route="GET kill-switches" query={filter.query} empty={filter.isOn ? 'No kill switch fits.' : nothing}>
        {(switches) => (
          <Table
            caption="Kill switches"
            columns={['What', 'For', 'Why', 'Who, when', ...(showsInstances ? ['Instances'] : []), 'How long', '']}
          >
            {switches.map((each) => (
              <tr key={each.id}>
                <td>
                  <span class="tag">
                    <Text value={targetName(each.kind)} max={60} />
                  </span>{' '}
                  <Text value={each.kind === 'side_effects' ? effectName(each.value) : each.value} max={120} />
                  <br />
                  <span class="muted">{counted(each.matched, 'tool')} when it was turned off</span>
                </td>
                <td>{each.tenantId === '' ? 'everybody' : <Text value={each.tenantId} max={80} />}</td>
                <td>
                  <Text value={each.reason} max={120} />
                </td>
                <td>
                  <Text value={each.actor} max={80} />, <Time at={each.engagedAt} />
                </td>
                {showsInstances && (
                  <td>
                    <Obeyed of={each} />
                  </td>
                )}
                <td>
                  {each.expiresAt === 0 ? (
                    'until it is turned on'
                  ) : (
                    <>
                      {each.live ? 'ends' : 'it has ended'} <Time at={each.expiresAt} />
                    </>
                  )}
                </td>
                <td>
                  <div class="choices">
                    <DecideButton onClick={() => setReleasing(each)}>
                      Turn on again…
                      <UnseenName of={each.value} />
                    </DecideButton>
                  </div>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      {releasing && (
        <ReleaseDialog key={releasing.id} of={releasing} onClose={() => setReleasing(undefined)} onThrown={setThrown} />
      )}
    </Screen>
  );
}
