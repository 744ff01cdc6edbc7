import { useState } from 'preact/hooks';
import { api, setting } from '../api/client.js';
import type { CallAnswer } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { Screen, Table } from '../parts/screen.js';
import { Text } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { callerName, counted, deedName } from '../parts/words.js';
import { useParameter } from '../state/route.js';
import { useData } from '../state/use-data.js';

const COPIED = 'Copied.';
const NOT_COPIED = 'The browser does not allow copying here. Select the line.';

/** The line that connects a client, and who called since. */
export function Clients() {
  const [profile, setProfile] = useParameter('profile');
  const [name, setName] = useState('tools');
  const [copied, setCopied] = useState<'' | typeof COPIED | typeof NOT_COPIED>('');
  const gateway = setting('gateway');
  const recent = useData('clients', (signal) => api('GET calls', { query: { limit: 100 }, signal }), true);
  const path = profile.trim() === '' ? '' : `/p/${encodeURIComponent(profile.trim())}`;
  const url = `${new URL(gateway, document.baseURI).href}${path}`;
  const line = `claude mcp add --transport http ${name.trim() || 'tools'} ${url} --header "Authorization: Bearer YOUR_TOKEN"`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line);
      setCopied(COPIED);
    } catch {
      setCopied(NOT_COPIED);
    }
  };
  return (
    <Screen title="Clients" lead="Connect an MCP client, and see it arrive.">
      {gateway === '' ? (
        <p class="empty">The application names no gateway: set the option gateway of ToolConsoleModule.</p>
      ) : (
        <section class="card" aria-label="Connect a client">
          <form class="filters" onSubmit={(event) => event.preventDefault()}>
            <label>
              Name in the client
              <input
                name="name"
                pattern="[\w-]+"
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            </label>
            <label>
              Profile (empty: none)
              <input name="profile" value={profile} onInput={(event) => setProfile(event.currentTarget.value)} />
            </label>
          </form>
          <p>
            URL:{' '}
            <code>
              <Text value={url} />
            </code>
          </p>
          <pre class="json" tabIndex={0} role="region" aria-label="Line to copy">
            <Text value={line} max={2000} />
          </pre>
          <p class="actions">
            <span role="status">{copied}</span>
            <button type="button" class="primary" onClick={() => void copy()}>
              Copy the line
            </button>
          </p>
        </section>
      )}
      <h2>Who used tools last</h2>
      <Async
        of={recent}
        isEmpty={({ items }) => items.length === 0}
        empty="Nobody yet. A client appears with its first list, search or call."
      >
        {({ items }) => (
          <Table caption="Callers" columns={['Who', 'Last seen', 'Last action']}>
            {callersOf(items).map((each) => (
              <tr key={each.id}>
                <td>
                  <Text value={callerName(each)} max={100} />
                  {each.agentIds.length > 0 && (
                    <span class="muted">
                      {' '}
                      as <Text value={each.agentIds.join(' for ')} max={100} />
                    </span>
                  )}
                </td>
                <td>
                  <Time at={each.at} />
                </td>
                <td>
                  <Text value={deedName(each.kind)} max={60} />{' '}
                  {each.tool === '' ? counted(each.toolCount, 'tool') : <Text value={each.tool} max={120} />}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Async>
    </Screen>
  );
}

/** The newest record of each caller. */
function callersOf(records: readonly CallAnswer[]): readonly CallAnswer[] {
  const callers = new Map<string, CallAnswer>();
  for (const record of records) {
    const key = JSON.stringify([record.tenantId, record.userId, record.agentIds]);
    if (!callers.has(key)) callers.set(key, record);
  }
  return [...callers.values()];
}
