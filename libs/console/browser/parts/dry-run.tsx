import { api } from '../api/client.js';
import type { DryRunAnswer, SwitchPreviewBody } from '../api/routes.js';
import { useData } from '../state/use-data.js';
import { Async } from './async.js';
import { Bar, count } from './bar.js';
import { Text } from './text.js';
import { Time } from './time.js';

const SHOWN = 20;

/** Names a change at the start of a sentence. */
type Change = 'This' | 'This access policy' | 'Held back, it';

interface DryRunProps {
  readonly change: Change;
  readonly report: DryRunAnswer;
}

/** What a change would have changed in the newest recorded calls. */
export function DryRun({ change, report: { calls, refused, approval, unknown, since, groups } }: DryRunProps) {
  if (calls === 0) return <p>No call is recorded, so what it would have changed is not known.</p>;
  return (
    <>
      <p>
        <strong>
          {change} would have refused {count(refused)} of {count(calls)}
        </strong>{' '}
        recorded calls since <Time at={since} />
        {approval > 0 && `, and asked for an approval of ${count(approval)}`}
        {unknown > 0 && `; ${count(unknown)} are not known: tools have changed, or arguments were not recorded`}.{' '}
        <Bar share={refused / calls} label={`${refused} of ${calls} calls`} tone="bad" />
      </p>
      <ul>
        {groups.slice(0, SHOWN).map(({ tenantId, tool, becomes, evidence, calls: times }) => (
          <li key={JSON.stringify([tenantId, tool, becomes, evidence])}>
            <Text value={tool} max={120} /> of <Text value={tenantId} max={80} />: {count(times)}{' '}
            {times === 1 ? 'call' : 'calls'} {BECOMES[becomes]}
          </li>
        ))}
      </ul>
    </>
  );
}

const BECOMES = { refused: 'refused', approval: 'with an approval', unknown: 'not known' } as const;

interface SwitchedOffProps {
  readonly change: Change;
  readonly target: SwitchPreviewBody;
}

/** What a kill switch would have changed in the newest recorded calls. */
export function SwitchedOff({ change, target }: SwitchedOffProps) {
  const loaded = useData(`dry run ${JSON.stringify(target)}`, (signal) =>
    api('POST dry-run/kill-switches', { body: target, signal }),
  );
  return <Async of={loaded}>{(report) => <DryRun change={change} report={report} />}</Async>;
}
