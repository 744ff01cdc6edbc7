import type { Instance } from '../api/types.js';
import { Bar } from './bar.js';
import { Table } from './screen.js';
import { plainText } from './safe-text.js';

/** After so many milliseconds without the store, an instance refuses everything. */
const LEASE_MS = 30_000;

interface InstancesProps {
  readonly instances: readonly Instance[];
  /** The revision that each should have applied. */
  readonly revision: number;
  /** The instance that answered. */
  readonly own?: string;
}

/** The live instances: by which revision each decides, and how old its lease is. */
export function Instances({ instances, revision, own }: InstancesProps) {
  return (
    <Table caption="Instances" columns={['Instance', 'Decides by', 'Age of its lease']}>
      {instances.map(({ id, appliedRevision, silentMs }) => (
        <tr key={id}>
          <td>
            <code>{plainText(id.slice(0, 8))}</code> {id === own && <span class="muted">this one</span>}
          </td>
          <td>
            {appliedRevision >= revision ? (
              <span class="good">✓ revision {appliedRevision}</span>
            ) : (
              <span class="bad">
                revision {appliedRevision}, behind {revision}
              </span>
            )}
          </td>
          <td>
            <Bar
              share={silentMs / LEASE_MS}
              label={`${Math.round(silentMs / 1000)} of 30 seconds`}
              tone={silentMs > LEASE_MS / 2 ? 'bad' : 'good'}
            />{' '}
            {(silentMs / 1000).toFixed(1)} s of 30 s
          </td>
        </tr>
      ))}
    </Table>
  );
}
