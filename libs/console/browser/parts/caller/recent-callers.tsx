import { useData } from '../../state/use-data.js';
import { Name } from '../text.js';
import { setCaller, type WhichCaller } from './caller.js';
import { recentCallers } from './recorded-callers.js';

const MOST = 8;

/** Callers of recorded calls to choose from; nothing where none are recorded. */
export function RecentCallers({ which }: { readonly which: WhichCaller }) {
  const { data = [] } = useData('recent callers', (signal) => recentCallers('', MOST, signal));
  if (data.length === 0) return null;
  return (
    <section class="choices" aria-label="Who called last">
      <span class="muted">Who called last:</span>
      {data.map(({ name, context }) => (
        <button key={context} type="button" onClick={() => setCaller(which, context)}>
          <Name of={name} max={60} />
        </button>
      ))}
    </section>
  );
}
