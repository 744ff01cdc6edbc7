import { api } from '../api/client.js';
import type { CatalogTool } from '../api/routes.js';
import { Failure } from '../parts/async.js';
import { type Caller, readCaller, useCaller } from '../parts/caller/caller.js';
import { CallerForm } from '../parts/caller/caller-form.js';
import { Owner } from '../parts/owner.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Name, Text, UnseenName } from '../parts/text.js';
import { useDebounced } from '../parts/use-debounced.js';
import { effectName } from '../parts/words.js';
import { tenant } from '../state/operator.js';
import { linkTo, linkWith, route, setParameters, useParameter } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { namedTool, parametersOf, ToolPanel } from './tools/tool-panel.js';
import { CallerState, CatalogState } from './tools/tool-state.js';

/** All tools, what state each is in for whom, and each as a model receives it. */
export function Tools() {
  const [words, setWords] = useParameter('contains');
  const [source, setSource] = useParameter('source');
  const [tenantId, setTenant] = useParameter('tenant');
  const [as, setAs] = useParameter('as');
  const isForCaller = as === 'caller';
  const json = useDebounced(useCaller('left', isForCaller));
  const caller = isForCaller ? readCaller(json) : undefined;
  const debounced = useDebounced(tenantId.trim());
  // An operator of one tenant does not see that field, so a link of somebody else must not filter by it.
  const typed = tenant.value === undefined ? debounced : '';
  const asked = {
    contains: useDebounced(words.trim()),
    source: useDebounced(source.trim()),
    tenantId: isForCaller ? (caller?.tenantId ?? '') : typed,
  };
  const forTenant = asked.tenantId || (tenant.value ?? '');
  const open = namedTool(route.value.query);
  return (
    <Screen title="Tools" lead="Everything in the catalog, and who may use it.">
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
          State for
          <select name="as" value={as} onChange={(event) => setAs(event.currentTarget.value)}>
            <option value="">{tenant.value === undefined ? 'everybody, or one tenant' : 'the tenant'}</option>
            <option value="caller">one caller</option>
          </select>
        </label>
        {!isForCaller && tenant.value === undefined && (
          <label>
            Tenant (empty: everybody)
            <input name="tenant" value={tenantId} onInput={(event) => setTenant(event.currentTarget.value)} />
          </label>
        )}
      </form>
      {isForCaller && <CallerForm which="left" label="Who is asking" />}
      {!isForCaller && (
        <p class="muted">
          Visibility policies may hide more from a caller: choose “one caller” to ask them, for each tool.
        </p>
      )}
      <Pages route="GET catalog" query={asked} empty="No tool fits.">
        {(tools) => <Listed tools={tools} caller={caller} isForCaller={isForCaller} forTenant={forTenant} />}
      </Pages>
      {open && (
        <ToolPanel
          key={JSON.stringify(open)}
          of={open}
          tenantId={forTenant}
          onClose={() => setParameters({ open: '', owner: '', kind: '' })}
        />
      )}
    </Screen>
  );
}

interface ListedProps {
  readonly tools: readonly CatalogTool[];
  readonly isForCaller: boolean;
  /** Undefined while no caller is typed. */
  readonly caller: Caller | undefined;
  readonly forTenant: string;
}

function Listed({ tools, isForCaller, caller, forTenant }: ListedProps) {
  const names = [...new Set(tools.map(({ name }) => name))];
  const { data, error, reload } = useData(
    JSON.stringify(['states', names, caller]),
    caller && names.length > 0
      ? async (signal) => {
          const { items } = await api('POST explain/states', { body: { tools: names, context: caller }, signal });
          return new Map(items.map((state) => [state.tool, state]));
        }
      : undefined,
  );
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      <Table caption="Tools" columns={['Tool', 'Source', 'What it does', 'State', 'Ask']}>
        {tools.map((tool) => (
          <tr key={`${tool.owner} ${tool.kind ?? ''} ${tool.name}`}>
            <td>
              <a href={linkWith(parametersOf(tool))}>
                <Name of={tool.name} />
              </a>{' '}
              <Owner of={tool.owner} />
            </td>
            <td>
              <Text value={tool.source} max={120} />
            </td>
            <td>
              <Text value={effectName(tool.sideEffects)} max={60} />
            </td>
            <td>
              {isForCaller ? (
                <CallerState of={data?.get(tool.name)} />
              ) : (
                <CatalogState tool={tool} isForTenant={forTenant !== ''} />
              )}
            </td>
            <td>
              <a href={linkTo('explain', { tool: tool.name, ...(!isForCaller && { tenant: forTenant }) })}>
                Why not?
                <UnseenName of={tool.name} />
              </a>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
