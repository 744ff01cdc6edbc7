import type { ComponentChildren } from 'preact';
import { count } from '../parts/bar.js';
import { Screen, Table } from '../parts/screen.js';
import { Instances } from '../parts/instances.js';
import { status } from '../state/live.js';
import { tenant } from '../state/operator.js';
import { linkTo } from '../state/route.js';
import { Text } from '../parts/text.js';

/** The health of control, and how much there is. */
export function Overview() {
  const now = status.value;
  return (
    <Screen title="Overview" lead="Whether the decisions of operators reach every instance, and how much there is.">
      {now && (
        <>
          {now.state === 'closed' && (
            <p class="note note-closed" role="alert">
              <strong>The gate is closed: every tool is refused.</strong> <Text value={now.reason ?? ''} />
            </p>
          )}
          <ul class="figures">
            <Figure value={now.counts.tools} words={now.counts.tools === 1 ? 'tool' : 'tools'} to="tools" />
            <Figure
              value={now.counts.killSwitches}
              words={now.counts.killSwitches === 1 ? 'kill switch' : 'kill switches'}
              to="kill-switches"
              isAlert
            />
            <Figure
              value={now.counts.quarantined}
              words={now.counts.quarantined === 1 ? 'tool held back' : 'tools held back'}
              to="quarantine"
              isAlert
            />
            <Figure
              value={now.counts.reported}
              words={now.counts.reported === 1 ? 'suspicious tool' : 'suspicious tools'}
              to="quarantine"
              isAlert
            />
            <Figure
              value={now.counts.sourcesNotReady}
              words={`of ${now.counts.sources} sources not ready`}
              to="sources"
              isAlert
            />
          </ul>
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
            <Table caption="Sources with a queue" columns={['Source', 'Running', 'Waiting']}>
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

interface FigureProps {
  readonly value: number;
  readonly words: ComponentChildren;
  readonly to: string;
  /** Whether anything but zero needs attention. */
  readonly isAlert?: boolean;
}

function Figure({ value, words, to, isAlert = false }: FigureProps) {
  return (
    <li>
      <a href={linkTo(to)} class={isAlert && value > 0 ? 'figure figure-alert' : 'figure'}>
        <strong>{count(value)}</strong> {words}
      </a>
    </li>
  );
}
