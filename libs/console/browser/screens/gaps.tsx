import { api } from '../api/client.js';
import { useListFilter } from '../parts/list-filter.js';
import { Async } from '../parts/async.js';
import { count } from '../parts/bar.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Name, Text, UnseenName } from '../parts/text.js';
import { tenant } from '../state/operator.js';
import { useParameter } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { ClosedGap } from './usage/closed-gap.js';
import { Ranked } from './usage/ranked.js';

const KINDS = { zero_hit: 'found nothing', unused: 'hits were not used', looped: 'repeated in vain' } as const;

/** Searches in vain, and a way to close each gap. */
export function Gaps() {
  const [tenantId, setTenant] = useParameter('of');
  const [open, setOpen] = useParameter('gap');
  const filter = useListFilter();
  return (
    <Screen
      title="Search gaps"
      lead="What models searched for in vain. Turn the words into an example query of the right tool."
    >
      {filter.fields}
      <Pages
        route="GET search-gaps"
        query={filter.query}
        isCounted
        empty={filter.isOn ? 'No tenant fits.' : 'No tenant has searched yet.'}
      >
        {(tenants) => (
          <>
            <Ranked
              unit="gaps"
              entries={tenants.map((each) => ({ name: each.tenantId, size: each.zeroHits + each.unused + each.loops }))}
              empty="No gaps."
            />
            <Table
              caption="Search gaps of tenants"
              columns={[
                'Tenant',
                { number: 'Searches' },
                { number: 'Found nothing' },
                { number: 'Hits not used' },
                { number: 'Repeated in vain' },
                '',
              ]}
            >
              {tenants.map((each) => (
                <tr key={each.tenantId}>
                  <td>
                    <Text value={each.tenantId} max={80} />
                  </td>
                  <td>{count(each.searches)}</td>
                  <td>{count(each.zeroHits)}</td>
                  <td>{count(each.unused)}</td>
                  <td>{count(each.loops)}</td>
                  <td>
                    <div class="choices">
                      <button type="button" onClick={() => setTenant(each.tenantId)}>
                        Its words
                        <span class="unseen">
                          {' '}
                          of <Name of={each.tenantId} />
                        </span>
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </Table>
          </>
        )}
      </Pages>
      {tenantId !== '' && <Words tenantId={tenantId} onClose={setOpen} />}
      {tenant.value === undefined && (
        <>
          <h2>Close a gap</h2>
          <ClosedGap key={`${tenantId} ${open}`} tenantId={tenantId || 'acme'} query={open} />
        </>
      )}
    </Screen>
  );
}

function Words({ tenantId, onClose }: { readonly tenantId: string; readonly onClose: (query: string) => void }) {
  const loaded = useData(
    `words ${tenantId}`,
    (signal) => api('GET search-gaps/queries', { query: { tenantId, limit: 100 }, signal }),
    true,
  );
  return (
    <>
      <h2>
        Words of <Text value={tenantId} max={80} />
      </h2>
      <Async
        of={loaded}
        isEmpty={({ items }) => items.length === 0}
        empty="No words are kept. The application keeps them with search.gaps.keepQueries; the counts need no words."
      >
        {({ items }) => (
          <Table caption="Words of searches in vain" columns={['Words', 'What happened', { number: 'Times' }, '']}>
            {items.map(({ kind, query, uses }) => (
              <tr key={`${kind} ${query}`}>
                <td>
                  <Text value={query} max={200} />
                </td>
                <td>{KINDS[kind]}</td>
                <td>{count(uses)}</td>
                <td>
                  {/* Example queries are for all tenants. */}
                  {tenant.value === undefined && (
                    <button type="button" onClick={() => onClose(query)}>
                      Close this gap
                      <UnseenName of={query} />
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Async>
    </>
  );
}
