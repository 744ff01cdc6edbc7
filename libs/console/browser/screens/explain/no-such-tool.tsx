import { api } from '../../api/client.js';
import type { CatalogTool, Page } from '../../api/types.js';
import { Name, Text } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';
import { useData } from '../../state/use-data.js';

const READ = 50;
const SHOWN = 5;

interface NoSuchToolProps {
  readonly typed: string;
  readonly onChoose: (name: string) => void;
}

/** Says that no tool has a name, and offers tools whose names contain it. */
export function NoSuchTool({ typed, onChoose }: NoSuchToolProps) {
  const { data } = useData(`names with ${typed}`, async (signal) => {
    const query = { contains: typed, limit: READ };
    const { items } = await api<Page<CatalogTool>>('catalog', { query, signal });
    const names = items.map(({ name }) => name).filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
    return [...new Set(names)].slice(0, SHOWN);
  });
  const names = data ?? [];
  return (
    <>
      <p class="outcome outcome-deny">
        <strong>No tool has this name:</strong> <Text value={typed} max={120} />.
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
