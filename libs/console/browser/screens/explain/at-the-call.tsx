import { api } from '../../api/client.js';
import { Async } from '../../parts/async.js';
import type { Caller } from '../../parts/caller/caller.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { checkName } from '../../parts/words.js';
import { useData } from '../../state/use-data.js';

interface AtTheCallProps {
  readonly tool: string;
  readonly caller: Caller;
  /** When the call began, in epoch milliseconds. */
  readonly at: number;
}

/** How a recorded call was decided, before what would be decided now. */
export function AtTheCall({ tool, caller, at }: AtTheCallProps) {
  const loaded = useData(JSON.stringify([tool, caller, at]), (signal) =>
    api('POST explain/past', { body: { tool, context: caller, at }, signal }),
  );
  return (
    <section class="note" aria-label="At the call">
      {loaded.error?.code === 'NOT_FOUND' ? (
        <p>How this call was decided is not known: its record is gone. Below is what is decided now.</p>
      ) : (
        <Async of={loaded}>
          {({ layers, narrowed }) => {
            const decisive = layers.find(({ verdict }) => verdict === 'deny' || verdict === 'approve');
            return (
              <p>
                At the call, <Time at={at} />,{' '}
                {decisive ? (
                  <>
                    the check{' '}
                    <strong>
                      <Text value={checkName(decisive.layer)} max={60} />
                    </strong>{' '}
                    decided: <Text value={decisive.reason} />.
                  </>
                ) : (
                  'it was allowed.'
                )}{' '}
                Below is what is decided now{narrowed && ', without what a profile or an agent left out'}.
              </p>
            );
          }}
        </Async>
      )}
      <p class="muted">Roles and other fields are not recorded: add them if your policies read them.</p>
    </section>
  );
}
