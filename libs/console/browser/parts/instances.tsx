import type { Instance } from '../api/types.js';
import { Bar } from './bar.js';
import { Table } from './screen.js';
import { plainText } from './safe-text.js';

/** After so many milliseconds without the store, an instance refuses everything. */
const MAX_SILENT_MS = 30_000;

interface InstancesProps {
  readonly instances: readonly Instance[];
  /** The change by which each should decide. */
  readonly revision: number;
  /** The instance that answered. */
  readonly own?: string;
}

/** The live instances: by which change each decides, and when it last read the decisions. */
export function Instances({ instances, revision, own }: InstancesProps) {
  return (
    <Table caption="Instances" columns={['Instance', 'Decides by', 'Last read of the decisions']}>
      {instances.map(({ id, appliedRevision, silentMs }) => (
        <tr key={id}>
          <td>
            <code>{plainText(id.slice(0, 8))}</code> {id === own && <span class="muted">this one</span>}
          </td>
          <td>
            {appliedRevision >= revision ? (
              <span class="good">✓ change {appliedRevision}</span>
            ) : (
              <span class="bad">
                change {appliedRevision}, behind {revision}
              </span>
            )}
          </td>
          <td>
            <Bar
              share={silentMs / MAX_SILENT_MS}
              label={`${Math.round(silentMs / 1000)} seconds ago; after 30 it refuses everything`}
              tone={silentMs > MAX_SILENT_MS / 2 ? 'bad' : 'good'}
            />{' '}
            {(silentMs / 1000).toFixed(1)} s ago, at most 30 s
          </td>
        </tr>
      ))}
    </Table>
  );
}
