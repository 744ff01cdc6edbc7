import { api } from '../../api/client.js';
import { Name, Text } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';
import { useData } from '../../state/use-data.js';

const READ = 50;
const SHOWN = 5;
/** The server's reason where all sources are ready. */
const NO_TOOL = 'no such tool';

interface NoSuchToolProps {
  readonly typed: string;
  /** Whose names are offered. `''`: shared tools only */
  readonly tenantId: string;
  /** Why the server knows none, which may be a source that is not ready. */
  readonly reason: string;
  readonly onChoose: (name: string) => void;
}

/** Says that no tool has a name, and offers tools whose names contain it. */
export function NoSuchTool({ typed, tenantId, reason, onChoose }: NoSuchToolProps) {
  const { data } = useData(JSON.stringify(['names with', typed, tenantId]), async (signal) => {
    const query = { contains: typed, tenantId, limit: READ };
    const { items } = await api('GET catalog', { query, signal });
    const fits = (name: string) => name !== typed && name.toLowerCase().includes(typed.toLowerCase());
    const names = items.map(({ name }) => name).filter(fits);
    return [...new Set(names)].slice(0, SHOWN);
  });
  const names = data ?? [];
  return (
    <>
      <p class="outcome outcome-deny">
        <strong>No tool has this name:</strong> <Text value={typed} max={120} />.{' '}
        {reason !== NO_TOOL && <Text value={reason} max={300} />}
      </p>
      {names.length > 0 && (
        <p class="choices">
          <span class="muted">Names that contain it:</span>
          {names.map((name) => (
            <button key={name} type="button" onClick={() => onChoose(name)}>
              <Name of={name} />
            </button>
          ))}
        </p>
      )}
      <p>
        <a href={linkTo('tools', { contains: typed })}>Look for it among the tools</a>
      </p>
    </>
  );
}
