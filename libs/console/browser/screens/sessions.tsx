import { count } from '../parts/bar.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { useDebounced } from '../parts/use-debounced.js';
import { callerName } from '../parts/words.js';
import { linkTo, useParameter } from '../state/route.js';

/** Which tools sessions and runs have. */
export function Sessions() {
  const [tenantId, setTenant] = useParameter('tenant');
  const [tool, setTool] = useParameter('tool');
  const query = { tenantId: useDebounced(tenantId.trim()), tool: useDebounced(tool.trim()) };
  return (
    <Screen title="Sessions" lead="Which tools sessions and runs have in use.">
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Tenant
          <input name="tenant" value={tenantId} onInput={(event) => setTenant(event.currentTarget.value)} />
        </label>
        <label>
          Tool, by its whole name
          <input name="tool" value={tool} onInput={(event) => setTool(event.currentTarget.value)} />
        </label>
      </form>
      <Pages route="GET activations" query={query} isCounted empty="No session or run has used a tool.">
        {(items) => (
          <Table
            caption="Tools of sessions and runs"
            columns={['Session or run', 'Tool', 'How', 'Used last', { number: 'Tokens' }]}
          >
            {items.map((each) => (
              <tr key={JSON.stringify([each.tenantId, each.userId, each.scope, each.scopeId, each.tool])}>
                <td>
                  <Text value={callerName(each)} max={100} />
                  <br />
                  {each.scope} <Text value={each.scopeId} max={60} />
                  <br />
                  <a href={linkTo('calls', { [`${each.scope}Id`]: each.scopeId, tenantId: each.tenantId })}>
                    Its calls
                    <UnseenName of={each.scopeId} />
                  </a>
                </td>
                <td>
                  <Text value={each.tool} max={120} />
                </td>
                <td>
                  <Text value={each.reason.replaceAll('_', ' ')} max={60} />
                </td>
                <td>
                  <Time at={each.usedAt} />
                </td>
                <td>{count(each.tokens)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
    </Screen>
  );
}
