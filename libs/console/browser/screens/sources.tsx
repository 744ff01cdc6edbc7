import { useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { SourceAnswer } from '../api/routes.js';
import { useListFilter } from '../parts/list-filter.js';
import { count } from '../parts/bar.js';
import { DecideButton } from '../parts/decide-button.js';
import { DecisionDialog } from '../parts/dialog.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text, UnseenName } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { tenant } from '../state/operator.js';
import { linkTo } from '../state/route.js';
import { Owner } from '../parts/owner.js';

/** How the sources are doing. */
export function Sources() {
  const [reloading, setReloading] = useState<SourceAnswer>();
  const filter = useListFilter();
  return (
    <Screen title="Sources" lead="Where the tools come from, how each source is doing, and what was refused of it.">
      {filter.fields}
      <Pages
        route="GET sources"
        query={filter.query}
        isCounted
        empty={filter.isOn ? 'No source fits.' : 'The application has no source.'}
      >
        {(sources) => (
          <Table
            caption="Sources"
            columns={[
              'Source',
              'State',
              { number: 'Tools' },
              { number: 'Held back or suspicious' },
              { number: 'Refused' },
              'Loaded',
              '',
            ]}
          >
            {sources.map((each) => (
              <tr key={`${each.owner} ${each.source}`}>
                <td>
                  <Text value={each.source} max={120} /> <Owner of={each.owner} />
                  <br />
                  <a href={linkTo('tools', { source: each.source })}>
                    Its tools
                    <UnseenName of={each.source} />
                  </a>
                </td>
                <td>
                  <span class={each.state === 'ready' ? 'good' : 'warn'}>{each.state}</span>
                  {each.reason !== undefined && (
                    <>
                      : <Text value={each.reason} max={300} />
                    </>
                  )}
                  {each.hint !== undefined && (
                    <>
                      . <Text value={each.hint} max={300} />
                    </>
                  )}
                </td>
                <td>{count(each.tools)}</td>
                <td>{count(each.held + each.reportedCount)}</td>
                <td>
                  {each.refusedCount === 0 ? (
                    '0'
                  ) : (
                    <details>
                      <summary>{count(each.refusedCount)}</summary>
                      <ul>
                        {each.refused.map(({ name, code, reason, count: all = 1 }, index) => (
                          <li key={index}>
                            <Text value={name} max={80} /> {all > 1 && `and ${count(all - 1)} more `}
                            <code>
                              <Text value={code} max={60} />
                            </code>{' '}
                            <Text value={reason} max={200} />
                          </li>
                        ))}
                      </ul>
                    </details>
                  )}
                </td>
                <td>{each.loadedAt === undefined ? 'never' : <Time at={each.loadedAt} />}</td>
                <td>
                  {/* A shared source is for operators of all tenants. */}
                  {(tenant.value === undefined || each.owner !== '') && (
                    <DecideButton onClick={() => setReloading(each)}>
                      Load again…
                      <UnseenName of={each.source} />
                    </DecideButton>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      {reloading && (
        <DecisionDialog
          title={
            <>
              Load <Text value={reloading.source} max={120} /> again?
            </>
          }
          action="Load again"
          onClose={() => setReloading(undefined)}
          decide={(reason) =>
            api('POST sources/{name}/reload', {
              path: { name: reloading.source },
              body: { owner: reloading.owner, reason },
            })
          }
        >
          <p>The instance that answers asks the source for its tools now. Nothing is called.</p>
        </DecisionDialog>
      )}
    </Screen>
  );
}
