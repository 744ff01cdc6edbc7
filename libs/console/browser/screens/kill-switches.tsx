import { useState } from 'preact/hooks';
import type { KillSwitch } from '../api/types.js';
import { useListFilter } from '../parts/list-filter.js';
import { count } from '../parts/bar.js';
import { DecideButton } from '../parts/decide-button.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Name, Text } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { type Thrown, Convergence } from './kill-switches/convergence.js';
import { EngageForm } from './kill-switches/engage-form.js';
import { ReleaseDialog } from './kill-switches/release-dialog.js';

/** Turns tools off for everybody or one tenant, and on again. */
export function KillSwitches() {
  const [releasing, setReleasing] = useState<KillSwitch>();
  const [thrown, setThrown] = useState<Thrown>();
  const filter = useListFilter('switches');
  return (
    <Screen title="Kill switches" lead="Turn tools off on every instance at once, for everybody or one tenant.">
      <EngageForm onThrown={setThrown} />
      {thrown && <Convergence thrown={thrown} />}
      <h2>Engaged</h2>
      {filter.fields}
      <Pages<KillSwitch>
        path="kill-switches"
        query={filter.query}
        empty={filter.isOn ? 'No kill switch fits.' : 'No kill switch is engaged.'}
      >
        {(switches) => (
          <Table caption="Kill switches" columns={['Target', 'For', 'Why', 'Who, when', 'Ends', '']}>
            {switches.map((each) => (
              <tr key={each.id}>
                <td>
                  <span class="tag">
                    <Text value={each.kind} max={60} />
                  </span>{' '}
                  <Text value={each.value} max={120} />
                  <br />
                  <span class="muted">{count(each.matched)} tools when it was turned off</span>
                </td>
                <td>{each.tenantId === '' ? 'everybody' : <Text value={each.tenantId} max={80} />}</td>
                <td>
                  <Text value={each.reason} max={120} />
                </td>
                <td>
                  <Text value={each.actor} max={80} />, <Time at={each.engagedAt} />
                </td>
                <td>
                  {each.expiresAt === 0 ? 'when released' : <Time at={each.expiresAt} />}
                  {!each.live && ' (over)'}
                </td>
                <td>
                  <DecideButton onClick={() => setReleasing(each)}>
                    Release…
                    <span class="unseen">
                      {' '}
                      <Name of={each.value} />
                    </span>
                  </DecideButton>
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
