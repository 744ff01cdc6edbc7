import { count } from '../parts/bar.js';
import { Screen, Table } from '../parts/screen.js';
import { Instances } from '../parts/instances.js';
import { status } from '../state/live.js';
import { tenant } from '../state/operator.js';
import { linkTo } from '../state/route.js';
import { Text } from '../parts/text.js';
import { plainText } from '../parts/safe-text.js';
import { counted } from '../parts/words.js';
import { Figure, Figures } from './overview/figures.js';
import { HowItGoes } from './overview/how-it-goes.js';
import { Waits } from './overview/waits.js';

/** What waits for a person, how it goes, and the health of control. */
export function Overview() {
  const now = status.value;
  return (
    <Screen title="Overview" lead="What waits for a person, how it goes, and whether decisions reach every instance.">
      {now && (
        <>
          {now.state === 'closed' && (
            <p class="note note-closed" role="alert">
              <strong>The gate is closed: every tool is refused.</strong> <Text value={now.reason ?? ''} />
            </p>
          )}
          <Waits now={now} />
          <HowItGoes />
          <h2>How much there is</h2>
          <Figures>
            <Figure
              value={count(now.counts.tools)}
              words={now.counts.tools === 1 ? 'tool' : 'tools'}
              to={linkTo('tools')}
            />
            <Figure
              value={count(now.counts.killSwitches)}
              words={now.counts.killSwitches === 1 ? 'kill switch' : 'kill switches'}
              to={linkTo('kill-switches')}
              isAlert={now.counts.killSwitches > 0}
            />
            <Figure
              value={count(now.counts.quarantined)}
              words={now.counts.quarantined === 1 ? 'tool held back' : 'tools held back'}
              to={linkTo('quarantine')}
              isAlert={now.counts.quarantined > 0}
            />
            <Figure
              value={count(now.counts.reported)}
              words={now.counts.reported === 1 ? 'suspicious tool' : 'suspicious tools'}
              to={linkTo('quarantine')}
              isAlert={now.counts.reported > 0}
            />
            <Figure
              value={count(now.counts.sourcesNotReady)}
              words={plainText(`of ${counted(now.counts.sources, 'source')} not ready`)}
              to={linkTo('sources')}
              isAlert={now.counts.sourcesNotReady > 0}
            />
          </Figures>
          {tenant.value === undefined && (
            <>
              <h2>Instances</h2>
              {now.instances ? (
                <Instances instances={now.instances} revision={now.revision} own={now.instanceId} />
              ) : (
                <p class="empty">The store does not answer, so the instances are not known.</p>
              )}
            </>
          )}
          <h2>Sources with a queue</h2>
          {now.queues.length === 0 ? (
            <p class="empty">No limited source is called at the moment.</p>
          ) : (
            <Table caption="Sources with a queue" columns={['Source', { number: 'Running' }, { number: 'Waiting' }]}>
              {now.queues.map(({ source, owner, limit, running, waiting }) => (
                <tr key={`${owner} ${source}`}>
                  <td>
                    <Text value={source} max={120} />
                  </td>
                  <td>
                    {running} of {limit}
                  </td>
                  <td>{waiting}</td>
                </tr>
              ))}
            </Table>
          )}
        </>
      )}
    </Screen>
  );
}
