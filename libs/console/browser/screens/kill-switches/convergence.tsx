import type { SwitchChanged } from '../../api/types.js';
import { Instances } from '../../parts/instances.js';
import { status } from '../../state/live.js';

/** A change that was written. */
export interface Thrown {
  readonly words: string;
  readonly changed: SwitchChanged;
}

/** How many instances decide by a change; it follows the status, so late instances arrive by themselves. */
export function Convergence({ thrown: { words, changed } }: { readonly thrown: Thrown }) {
  const instances = status.value?.instances ?? changed.instances ?? [];
  const applied = instances.filter(({ appliedRevision }) => appliedRevision >= changed.revision).length;
  const isDone = instances.length > 0 && applied === instances.length;
  return (
    <section class={`note ${isDone ? 'note-good' : 'note-closed'}`} aria-live="polite" aria-label="Convergence">
      <p>
        <strong>
          {words}: {applied} of {instances.length} instances obey
        </strong>{' '}
        (revision {changed.revision}).
      </p>
      {changed.warning !== undefined && <p>{changed.warning}</p>}
      <Instances instances={instances} revision={changed.revision} />
    </section>
  );
}
