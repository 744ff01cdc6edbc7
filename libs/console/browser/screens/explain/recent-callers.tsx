import { contexts } from '../../parts/context-field.js';
import { recentCallers } from '../../parts/callers.js';
import { Name } from '../../parts/text.js';
import { useData } from '../../state/use-data.js';

const MOST = 8;

/** Callers of recorded calls to choose from; nothing where none are recorded. */
export function RecentCallers() {
  const { data = [] } = useData('recent callers', (signal) => recentCallers('', MOST, signal));
  if (data.length === 0) return null;
  return (
    <section class="choices" aria-label="Who called last">
      <span class="muted">Who called last:</span>
      {data.map(({ name, context }) => (
        <button key={context} type="button" onClick={() => (contexts.left.value = context)}>
          <Name of={name} max={60} />
        </button>
      ))}
    </section>
  );
}
