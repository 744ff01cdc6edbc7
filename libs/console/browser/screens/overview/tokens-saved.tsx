import { api } from '../../api/client.js';
import { Async } from '../../parts/async.js';
import { useData } from '../../state/use-data.js';
import { TokensByHour } from '../usage/tokens-by-hour.js';

interface TokensSavedProps {
  /** Length of the period in milliseconds. */
  readonly ms: number;
}

/** What models were shown against plain lists, in a period. */
export function TokensSaved({ ms }: TokensSavedProps) {
  const loaded = useData(
    `tokens of the overview ${ms}`,
    (signal) => api('GET tokens/hours', { query: { since: Date.now() - ms }, signal }),
    true,
  );
  return (
    <Async of={loaded} isEmpty={({ items }) => items.length === 0} empty="No tokens were counted.">
      {(period) => <TokensByHour period={period} />}
    </Async>
  );
}
