import type { InstanceAnswer } from '../api/routes.js';
import { Bar } from './bar.js';
import { Table } from './screen.js';
import { plainText } from './safe-text.js';
import { changeName, counted } from './words.js';

/** After so many milliseconds without the store, an instance refuses everything. */
const MAX_SILENT_MS = 30_000;

interface InstancesProps {
  readonly instances: readonly InstanceAnswer[];
  /** The change by which each should decide. */
  readonly revision: number;
  /** The instance that answered. */
  readonly own?: string;
}

/** The live instances: by which change each decides, and when it last read the decisions. */
export function Instances({ instances, revision, own }: InstancesProps) {
  return (
    <>
      <p class="muted">
        An instance that has not read the decisions for 30 seconds refuses every tool, until it reads them again.
      </p>
      <Table caption="Instances" columns={['Instance', 'Decides by', 'Last read of the decisions']}>
        {instances.map(({ id, appliedRevision, silentMs }) => (
          <tr key={id}>
            <td>
              <code>{plainText(id.slice(0, 8))}</code> {id === own && <span class="muted">this one</span>}
            </td>
            <td>
              {appliedRevision >= revision ? (
                <span class="good">✓ {changeName(appliedRevision)}</span>
              ) : (
                <span class="bad">
                  {changeName(appliedRevision)}, behind {changeName(revision)}
                </span>
              )}
            </td>
            <td>
              <Bar
                share={silentMs / MAX_SILENT_MS}
                label={`${counted(Math.round(silentMs / 1000), 'second')} ago; after 30 it refuses everything`}
                tone={silentMs > MAX_SILENT_MS / 2 ? 'bad' : 'good'}
              />{' '}
              {(silentMs / 1000).toFixed(1)} s ago
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
