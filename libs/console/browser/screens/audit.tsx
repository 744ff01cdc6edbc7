import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Json, Text } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { useDebounced } from '../parts/use-debounced.js';
import { actionName, subjectName } from '../parts/words.js';
import { useParameter } from '../state/route.js';

/** Who decided what, when and why. */
export function Audit() {
  const [actor, setActor] = useParameter('actor');
  const [tenantId, setTenant] = useParameter('tenant');
  const query = { actor: useDebounced(actor.trim()), tenantId: useDebounced(tenantId.trim()) };
  return (
    <Screen title="Audit" lead="Who decided what, when and why. The entries are chained by hashes.">
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Who
          <input
            name="actor"
            value={actor}
            placeholder="for example olga@ops"
            onInput={(event) => setActor(event.currentTarget.value)}
          />
        </label>
        <label>
          Tenant
          <input name="tenant" value={tenantId} onInput={(event) => setTenant(event.currentTarget.value)} />
        </label>
      </form>
      <Pages route="GET audit" query={query} empty="Nothing was decided.">
        {(entries) => (
          <Table caption="Audit trail" columns={['When', 'Who', 'What', 'Why', 'Record']}>
            {entries.map(({ seq, at, actor: who, action, subject, reason, before, after, revision }) => (
              <tr key={seq}>
                <td>
                  <Time at={at} />
                  <br />
                  <span class="muted">change {revision}</span>
                </td>
                <td>
                  <Text value={who} max={80} />
                </td>
                <td>
                  <strong>
                    <Text value={actionName(action)} max={60} />
                  </strong>{' '}
                  <Text value={subjectName(action, subject)} max={120} />
                </td>
                <td>
                  <Text value={reason} max={160} />
                </td>
                <td>
                  {(before ?? after) && (
                    <details>
                      <summary>
                        Record<span class="unseen"> of entry {seq}</span>
                      </summary>
                      {before && <Json value={before} label={`Before entry ${seq}`} />}
                      {after && <Json value={after} label={`After entry ${seq}`} />}
                    </details>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
    </Screen>
  );
}
