import { api } from '../../api/client.js';
import type { CallCostsAnswer } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { count } from '../../parts/bar.js';
import { Table } from '../../parts/screen.js';
import { Text } from '../../parts/text.js';
import { useParameter } from '../../state/route.js';
import { useData } from '../../state/use-data.js';

const GROUPS = { tenant_and_tool: 'tenant and tool', tool: 'tool', tenant: 'tenant' } as const;

/** Whose definitions and results cost most tokens, in the newest records. */
export function Costs({ tenantId }: { readonly tenantId: string }) {
  const [grouping, setGrouping] = useParameter('by');
  const by = isGroup(grouping) ? grouping : 'tenant_and_tool';
  // Not read every few seconds: each answer adds up thousands of records.
  const costs = useData(`costs ${by} ${tenantId}`, (signal) =>
    api('GET calls/costs', { query: { by, tenantId, limit: 20 }, signal }),
  );
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Grouped by
          <select name="by" value={by} onChange={(event) => setGrouping(event.currentTarget.value)}>
            {Object.entries(GROUPS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Async of={costs}>{(data) => <CostTable costs={data} />}</Async>
    </>
  );
}

const isGroup = (name: string): name is keyof typeof GROUPS => Object.hasOwn(GROUPS, name);

function CostTable({ costs: { items, groups, records, isComplete } }: { readonly costs: CallCostsAnswer }) {
  if (items.length === 0) return <p class="empty">Nothing was shown or called.</p>;
  return (
    <>
      <p class="muted">
        The first {items.length} of {count(groups)}, in {isComplete ? 'all' : 'the newest'} {count(records)} records.
      </p>
      <Table
        caption="Costs in tokens"
        columns={[
          'Tenant',
          'Tool',
          { number: 'Shown' },
          { number: 'Definitions' },
          { number: 'Calls' },
          { number: 'Results' },
        ]}
      >
        {items.map(({ tenantId, tool, shown, definitionTokens, calls, resultTokens }) => (
          <tr key={JSON.stringify([tenantId, tool])}>
            <td>
              <Text value={tenantId} max={80} />
            </td>
            <td>
              <Text value={tool} max={120} />
            </td>
            <td>{count(shown)}</td>
            <td>{count(definitionTokens)}</td>
            <td>{count(calls)}</td>
            <td>{count(resultTokens)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
