import { useState } from 'preact/hooks';
import { api, type ApiError } from '../../api/client.js';
import type { ListedKillSwitch } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { effectName, targetName } from '../../parts/words.js';
import { useData } from '../../state/use-data.js';
import type { Thrown } from './convergence.js';

const WAIT_MS = 5000;

interface ReleaseDialogProps {
  /** The switch as it was seen. */
  readonly of: ListedKillSwitch;
  readonly onClose: () => void;
  readonly onThrown: (thrown: Thrown) => void;
}

/** Turns tools on again, with the change that was seen. If another operator has changed it, that is shown first. */
export function ReleaseDialog({ of, onClose, onThrown }: ReleaseDialogProps) {
  const [seen, setSeen] = useState(of);
  const decide = async (reason: string) => {
    const { kind, value, tenantId, revision } = seen;
    const changed = await api('POST kill-switches/release', {
      query: { waitMs: WAIT_MS },
      body: { kind, value, ...(tenantId !== '' && { tenantId }), reason, expectedRevision: revision },
    });
    onThrown({ words: 'Turned on again', changed });
  };
  return (
    <DecisionDialog
      title={seen.matched === 1 ? 'Turn this tool on again?' : 'Turn these tools on again?'}
      action="Turn on again"
      decide={decide}
      onClose={onClose}
      onConflict={(error) => <Conflict error={error} seen={seen} onTaken={setSeen} />}
    >
      <p>
        <span class="tag">
          <Text value={targetName(seen.kind)} max={60} />
        </span>{' '}
        <Text value={seen.kind === 'side_effects' ? effectName(seen.value) : seen.value} max={120} /> for{' '}
        {seen.tenantId === '' ? 'everybody' : <Text value={seen.tenantId} max={80} />}, turned off by{' '}
        <Text value={seen.actor} max={80} /> <Time at={seen.engagedAt} />: <Text value={seen.reason} />
      </p>
    </DecisionDialog>
  );
}

interface ConflictProps {
  readonly error: ApiError;
  readonly seen: ListedKillSwitch;
  readonly onTaken: (newest: ListedKillSwitch) => void;
}

function Conflict({ error, seen, onTaken }: ConflictProps) {
  const loaded = useData(`newest ${seen.id} ${seen.revision}`, async (signal) => {
    const { items } = await api('GET kill-switches', { query: { limit: 200 }, signal });
    return items.find(({ id }) => id === seen.id) ?? null;
  });
  return (
    <div class="note note-closed" role="alert">
      <strong>Somebody else has changed this switch. Nothing was overwritten.</strong>
      <p>
        <Text value={error.message} />
      </p>
      <Async of={loaded}>
        {(newest) =>
          newest === null ? (
            <p>It is turned on already.</p>
          ) : newest.revision === seen.revision ? (
            <p>You see it as it is now. Turn it on again if that is still right.</p>
          ) : (
            <p>
              Now: <Text value={newest.reason} /> (<Text value={newest.actor} max={80} />, change {newest.revision}).{' '}
              <button type="button" onClick={() => onTaken(newest)}>
                I have seen this
              </button>
            </p>
          )
        }
      </Async>
    </div>
  );
}
