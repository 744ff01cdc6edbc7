import type { InstanceAnswer, ListedKillSwitch } from '../../api/routes.js';
import { count } from '../../parts/bar.js';
import { Text } from '../../parts/text.js';
import { obeyed } from '../../parts/words.js';
import { status } from '../../state/live.js';

const NAMED = 3;

/** The instances that decide by a change, and those that do not yet. */
export function obeying(instances: readonly InstanceAnswer[], revision: number) {
  const waiting = instances.filter(({ appliedRevision }) => appliedRevision < revision);
  return { obey: instances.length - waiting.length, waiting };
}

/** How many instances obey a kill switch or another decision. It follows the status, so late instances arrive by themselves. */
export function Obeyed({ of: { revision, live } }: { readonly of: Pick<ListedKillSwitch, 'revision' | 'live'> }) {
  const instances = status.value?.instances;
  if (!live) return <span class="muted">it has ended</span>;
  if (!instances) return <span class="muted">not known: the store does not answer</span>;
  const { obey, waiting } = obeying(instances, revision);
  const words = obeyed(obey, instances.length);
  if (waiting.length === 0) return <span class="good">{words}</span>;
  const names = waiting.slice(0, NAMED).map(({ id }) => id.slice(0, 8));
  const more = waiting.length - names.length;
  return (
    <span class="warn">
      {words}, waiting for <Text value={names.join(', ')} max={60} />
      {more > 0 && ` and ${count(more)} more`}
    </span>
  );
}
