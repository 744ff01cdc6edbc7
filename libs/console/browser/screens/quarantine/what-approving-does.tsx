import { api } from '../../api/client.js';
import type { QuarantinedDetail } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { SwitchedOff } from '../../parts/dry-run.js';
import { Uses } from '../../parts/uses.js';
import { useData } from '../../state/use-data.js';

/** Who uses a tool that waits for a decision. */
export function WhoUses({ tool }: { readonly tool: string }) {
  const loaded = useData(
    `uses ${tool}`,
    (signal) => api('POST kill-switches/preview', { body: { kind: 'tool', value: tool }, signal }),
    true,
  );
  return (
    <section aria-label="Who uses it">
      <Async of={loaded}>
        {(uses) => (
          <p>
            This tool: <Uses of={uses} />.
          </p>
        )}
      </Async>
      <SwitchedOff change="Held back, it" target={{ kind: 'tool', value: tool }} />
    </section>
  );
}

type Held = Pick<QuarantinedDetail, 'suspicion' | 'verdict'>;

/** Whether a definition is held back, so that nobody can use the tool. */
const isHeldBack = ({ suspicion, verdict }: Held): boolean =>
  verdict ? verdict.verdict === 'rejected' : suspicion !== undefined;

/** What approving does, and what rejecting does. */
export function WhatApprovingDoes({ held }: { readonly held: Held }) {
  if (held.verdict?.verdict === 'approved') {
    return (
      <p>This tool is usable, with exactly this definition. Reject: it is held back, so that nobody can use it.</p>
    );
  }
  return isHeldBack(held) ? (
    <p>
      Nobody can use this tool while it is held back. Approve: every caller who may use it gets exactly this definition,
      on every instance, and the next change is compared with it. Reject: it stays held back.
    </p>
  ) : (
    <p>
      This tool is usable. Approve: it stays so and is suspicious no more. Reject: it is held back, so that nobody can
      use it.
    </p>
  );
}
