import { api } from '../../api/client.js';
import type { CatalogTool } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { Owner } from '../../parts/owner.js';
import { Panel } from '../../parts/panel.js';
import { plainText } from '../../parts/safe-text.js';
import { SwitchOfTool } from '../../parts/switch-of.js';
import { Json, Text } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';
import { effectName } from '../../parts/words.js';
import { useData } from '../../state/use-data.js';

type Kind = NonNullable<CatalogTool['kind']>;

const KINDS: readonly Kind[] = ['resource', 'resource_template', 'prompt'];

/** A tool or context item of the catalog, as the address of the screen names it. */
export interface NamedTool {
  readonly name: string;
  /** The tenant whose own it is; `''`: shared. */
  readonly owner: string;
  /** Undefined for a tool. */
  readonly kind: Kind | undefined;
}

/** The tool that the address names; undefined where it names none. */
export function namedTool(query: URLSearchParams): NamedTool | undefined {
  const name = query.get('open') ?? '';
  const kind = KINDS.find((each) => each === query.get('kind'));
  return name === '' ? undefined : { name, owner: query.get('owner') ?? '', kind };
}

/** The parameters of the address that name a tool. */
export const parametersOf = ({ name, owner, kind }: Pick<CatalogTool, keyof NamedTool>) => ({
  open: name,
  owner,
  kind: kind ?? '',
});

interface ToolPanelProps {
  readonly of: NamedTool;
  /** The tenant by which the list is filtered, or `''`. */
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** A tool as a model receives it, and what keeps it off. */
export function ToolPanel({ of: { name, owner, kind }, tenantId, onClose }: ToolPanelProps) {
  const loaded = useData(JSON.stringify([owner, kind, name]), (signal) =>
    api('GET catalog/{name}', { path: { name }, query: { owner, kind }, signal }),
  );
  return (
    <Panel
      label={`Definition of ${name}`}
      onClose={onClose}
      actions={
        <>
          <a class="button" href={linkTo('explain', { tool: name, tenant: tenantId })}>
            Why not?
          </a>
          <a class="button" href={linkTo('kill-switches', { kind: 'tool', value: name })}>
            Turn off…
          </a>
        </>
      }
    >
      <h2>
        <Text value={name} max={120} /> <Owner of={owner} />
      </h2>
      <SwitchOfTool tool={{ name, owner, kind }} tenantId={tenantId || owner} words="A kill switch turns it off" />
      <Async of={loaded}>
        {({ description, inputSchema, exampleQueries, hash, tags, sideEffects }) => (
          <>
            <p>
              <Text value={description} max={800} />
            </p>
            <Json value={inputSchema} label={`Schema of the arguments of ${name}`} />
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
              <Text value={effectName(sideEffects)} max={60} />.{' '}
              {tags.length > 0 && (
                <>
                  Tags: <Text value={tags.join(', ')} />.{' '}
                </>
              )}
              Hash <code>{plainText(hash.slice(0, 16))}</code>
            </p>
          </>
        )}
      </Async>
    </Panel>
  );
}
