import { useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { CatalogTool } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { SwitchOfTool } from '../parts/switch-of.js';
import { Json, Name, Text, UnseenName } from '../parts/text.js';
import { useDebounced } from '../parts/use-debounced.js';
import { effectName } from '../parts/words.js';
import { tenant } from '../state/operator.js';
import { linkTo, route } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { plainText } from '../parts/safe-text.js';
import { Owner } from '../parts/owner.js';

/** All tools, and each as a model receives it. */
export function Tools() {
  const { query } = route.value;
  const [words, setWords] = useState(query.get('contains') ?? '');
  const [source, setSource] = useState(query.get('source') ?? '');
  const [tenantId, setTenant] = useState('');
  const contains = useDebounced(words.trim());
  const asked = { contains, source: useDebounced(source.trim()), tenantId: useDebounced(tenantId.trim()) };
  const forTenant = asked.tenantId || (tenant.value ?? '');
  const [open, setOpen] = useState<CatalogTool>();
  return (
    <Screen title="Tools" lead="Everything in the catalog, hidden or not, and why something is off.">
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Name or words
          <input name="words" type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
        <label>
          Source
          <input name="source" value={source} onInput={(event) => setSource(event.currentTarget.value)} />
        </label>
        <label>
          For tenant (before visibility policies)
          <input name="tenant" value={tenantId} onInput={(event) => setTenant(event.currentTarget.value)} />
        </label>
      </form>
      {open && <Detail tool={open} tenantId={forTenant} onClose={() => setOpen(undefined)} />}
      {forTenant !== '' && (
        <p class="note">
          This list does not ask visibility policies, which may hide a tool from callers of this tenant. “Why not?” asks
          them.
        </p>
      )}
      <Pages route="GET catalog" query={asked} empty="No tool fits.">
        {(tools) => (
          <Table caption="Tools" columns={['Tool', 'Source', 'What it does', 'State', 'Ask']}>
            {tools.map((tool) => (
              <tr key={`${tool.owner} ${tool.kind ?? ''} ${tool.name}`}>
                <td>
                  <button type="button" class="link" onClick={() => setOpen(tool)}>
                    <Name of={tool.name} />
                  </button>{' '}
                  <Owner of={tool.owner} />
                </td>
                <td>
                  <Text value={tool.source} max={120} />
                </td>
                <td>
                  <Text value={effectName(tool.sideEffects)} max={60} />
                </td>
                <td>
                  <ToolState tool={tool} isForTenant={forTenant !== ''} />
                </td>
                <td>
                  <a href={linkTo('explain', { tool: tool.name, tenant: forTenant })}>
                    Why not?
                    <UnseenName of={tool.name} />
                  </a>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
    </Screen>
  );
}

interface ToolStateProps {
  readonly tool: CatalogTool;
  readonly isForTenant: boolean;
}

function ToolState({ tool, isForTenant }: ToolStateProps) {
  const { killedBy, suspicion, finding, verdict, loading, kind } = tool;
  if (killedBy !== undefined) return <span class="bad">turned off</span>;
  if (verdict === 'rejected') return <span class="bad">rejected</span>;
  if (suspicion !== undefined && verdict !== 'approved') return <span class="bad">held back</span>;
  if (finding && verdict === undefined)
    return (
      <span class="warn">
        suspicious: <Text value={finding.code} max={60} />
      </span>
    );
  return (
    <span>
      usable{isForTenant && ' before visibility policies'},{' '}
      <span class="muted">
        {kind === undefined ? (
          loading === 'always' ? (
            'models always have it'
          ) : (
            'models search for it'
          )
        ) : (
          <Text value={kind.replaceAll('_', ' ')} max={60} />
        )}
      </span>
    </span>
  );
}

interface DetailProps {
  readonly tool: CatalogTool;
  /** The tenant by which the list is filtered, or `''`. */
  readonly tenantId: string;
  readonly onClose: () => void;
}

function Detail({ tool, tenantId, onClose }: DetailProps) {
  const loaded = useData(`${tool.owner} ${tool.kind ?? ''} ${tool.name}`, (signal) =>
    api('GET catalog/{name}', { path: { name: tool.name }, query: { owner: tool.owner, kind: tool.kind }, signal }),
  );
  return (
    <section class="card" aria-label={`Definition of ${plainText(tool.name)}`}>
      <p class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <a class="button" href={linkTo('kill-switches', { kind: 'tool', value: tool.name })}>
          Turn off…
        </a>
      </p>
      <h2>
        <Text value={tool.name} max={120} />
      </h2>
      <SwitchOfTool tool={tool} tenantId={tenantId || tool.owner} words="A kill switch turns it off" />
      <Async of={loaded}>
        {({ description, inputSchema, exampleQueries, hash }) => (
          <>
            <p>
              <Text value={description} max={800} />
            </p>
            <Json value={inputSchema} label={`Schema of the arguments of ${tool.name}`} />
            {exampleQueries.length > 0 && (
              <>
                <h3>Example queries</h3>
                <ul>
                  {exampleQueries.map((query) => (
                    <li key={query}>
                      <Text value={query} />
                    </li>
                  ))}
                </ul>
              </>
            )}
            <p class="muted">
              {tool.tags.length > 0 && (
                <>
                  Tags: <Text value={tool.tags.join(', ')} />.{' '}
                </>
              )}
              Hash <code>{plainText(hash.slice(0, 16))}</code>
            </p>
          </>
        )}
      </Async>
    </section>
  );
}
