import { api } from '../api/client.js';
import type { CatalogTool, KillSwitch, Page } from '../api/types.js';
import { linkTo } from '../state/route.js';
import { tenant } from '../state/operator.js';
import { useData } from '../state/use-data.js';
import { Text } from './text.js';
import { Time } from './time.js';
import { effectName, targetName } from './words.js';

const MOST = 200;

interface SwitchOfProps {
  /** Its id. */
  readonly id: string;
  /** The words before the switch. */
  readonly words: 'A kill switch turns it off' | 'A kill switch turns it off as well';
}

/** The kill switch that keeps a tool off, with a link to it. */
export function SwitchOf({ id, words }: SwitchOfProps) {
  const { data: found } = useData(`switch ${id}`, async (signal) => {
    const query = { state: 'live', limit: MOST };
    const { items } = await api<Page<KillSwitch>>('kill-switches', { query, signal });
    // One that is not among the newest is found on its screen.
    return items.find((each) => each.id === id);
  });
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

interface SwitchOfToolProps extends Pick<SwitchOfProps, 'words'> {
  readonly tool: Pick<CatalogTool, 'name'> & Partial<Pick<CatalogTool, 'owner' | 'kind'>>;
  /** Whose switches hold too. */
  readonly tenantId: string;
}

/** The kill switch that keeps a tool off now; nothing where none does. */
export function SwitchOfTool({ tool: { name, owner, kind }, tenantId, words }: SwitchOfToolProps) {
  const { data: id } = useData(JSON.stringify(['switch of', name, owner, kind, tenantId]), async (signal) => {
    const query = { q: name, tenantId, limit: MOST };
    const { items } = await api<Page<CatalogTool>>('catalog', { query, signal });
    const found = items.filter((each) => each.name === name && each.kind === kind);
    return found.find((each) => each.killedBy !== undefined && each.owner === (owner ?? each.owner))?.killedBy;
  });
  return id === undefined ? null : <SwitchOf id={id} words={words} />;
}
