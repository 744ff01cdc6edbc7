import type { KillSwitchAnswer, KillSwitchChanged } from '../../api/routes.js';
import { Instances } from '../../parts/instances.js';
import { status } from '../../state/live.js';
import { Text } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';
import { effectName, obeyed, targetName } from '../../parts/words.js';
import { obeying } from './obeyed.js';

/** A change that was written. */
export interface Thrown {
  readonly words: 'Turned off' | 'Turned on again';
  readonly changed: KillSwitchChanged;
}

/** How many instances decide by a change; it follows the status, so late instances arrive by themselves. */
export function Convergence({ thrown: { words, changed } }: { readonly thrown: Thrown }) {
  const instances = status.value?.instances ?? changed.instances ?? [];
  const { obey, waiting } = obeying(instances, changed.revision);
  // An operator of some tenants sees how many have not applied it, not which.
  const pending = instances.length === 0 ? changed.pending?.length : waiting.length;
  const isDone = pending === 0;
  const { tenantId } = changed.killSwitch;
  return (
    <section class={`note ${isDone ? 'note-good' : 'note-closed'}`} aria-live="polite" aria-label="Who obeys">
      <p>
        <strong>
          {words}:{' '}
          {instances.length > 0
            ? obeyed(obey, instances.length)
            : isDone
              ? 'all instances obey'
              : 'not all instances obey yet'}
        </strong>{' '}
        (change {changed.revision}).
      </p>
      <p>
        <Text value={targetOf(changed.killSwitch)} max={160} />, for{' '}
        {tenantId === '' ? 'everybody' : <Text value={tenantId} max={80} />}.{' '}
        <a href={linkTo('calls', tenantId === '' ? {} : { tenantId })}>See the calls</a>
      </p>
      {changed.warning !== undefined && (
        <p>
          <Text value={changed.warning} />
        </p>
      )}
      {instances.length > 0 && <Instances instances={instances} revision={changed.revision} />}
    </section>
  );
}

function targetOf({ kind, value }: KillSwitchAnswer): string {
  return kind === 'tool' ? value : `${targetName(kind)} ${kind === 'side_effects' ? effectName(value) : value}`;
}
