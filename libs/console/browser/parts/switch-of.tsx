import { api } from '../api/client.js';
import type { CatalogTool } from '../api/routes.js';
import { linkTo } from '../state/route.js';
import { tenant } from '../state/operator.js';
import { useData } from '../state/use-data.js';
import { Text } from './text.js';
import { Time } from './time.js';
import { effectName, targetName } from './words.js';

const MOST = 200;

interface SwitchOfProps {
  readonly id: string;
  /** Whose switches hold too. */
  readonly tenantId: string;
  /** The words before the switch. */
  readonly words: 'A kill switch turns it off' | 'A kill switch turns it off as well';
}

/** The kill switch that keeps a tool off, with a link to it. */
export function SwitchOf({ id, tenantId, words }: SwitchOfProps) {
  const { data } = useData(JSON.stringify(['switch', id, tenantId]), async (signal) => {
    const query = { tenantId, state: 'live', limit: MOST } as const;
    const { items } = await api('GET kill-switches', { query, signal });
    // One that is not among the newest is found on its screen.
    return { found: items.find((each) => each.id === id) };
  });
  if (!data) return null;
  const { found } = data;
  return (
    <p>
      <strong>{words}</strong>
      {found && (
        <>
          : <Text value={targetName(found.kind)} max={60} />{' '}
          <code>
            <Text value={found.kind === 'side_effects' ? effectName(found.value) : found.value} max={120} />
          </code>
          , for {found.tenantId === '' ? 'everybody' : <Text value={found.tenantId} max={80} />}, by{' '}
          <Text value={found.actor} max={80} /> <Time at={found.engagedAt} />: <Text value={found.reason} max={160} />
        </>
      )}
      .{' '}
      {found || tenant.value === undefined ? (
        <a href={linkTo('kill-switches', found ? { contains: found.value } : {})}>
          See the kill switch to turn it on again
        </a>
      ) : (
        'Only operators of all tenants can turn it on again.'
      )}
    </p>
  );
}

interface SwitchOfToolProps extends Omit<SwitchOfProps, 'id'> {
  /** A tool of the catalog, or a name. */
  readonly tool: { readonly name: string; readonly owner: string; readonly kind: CatalogTool['kind'] } | string;
}

/** The kill switch that keeps a tool off now; nothing where none does. */
export function SwitchOfTool({ tool, ...more }: SwitchOfToolProps) {
  const { tenantId } = more;
  const wanted = typeof tool === 'string' ? [tool] : [tool.name, tool.owner, tool.kind];
  const { data: id } = useData(JSON.stringify(['switch of', wanted, tenantId]), async (signal) => {
    const query = { q: wanted[0], tenantId, limit: MOST };
    const { items } = await api('GET catalog', { query, signal });
    const isWanted = ({ name, owner, kind }: CatalogTool) =>
      wanted.every((value, at) => value === [name, owner, kind][at]);
    return items.find((each) => each.killedBy !== undefined && isWanted(each))?.killedBy;
  });
  return id === undefined ? null : <SwitchOf id={id} {...more} />;
}
