import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { QuarantinedDetail } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Panel } from '../../parts/panel.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { status } from '../../state/live.js';
import { useData } from '../../state/use-data.js';
import { plainText } from '../../parts/safe-text.js';
import { Obeyed } from '../kill-switches/obeyed.js';
import { Changes } from './changes.js';
import { NoLongerHolds } from './no-longer-holds.js';
import { WhatApprovingDoes, WhoUses } from './what-approving-does.js';

/** One held definition: what was accepted in red, what the source says now in green, and the verdict. */
export function HeldDefinition({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [deciding, setDeciding] = useState<Deciding>();
  const loaded = useData(id, (signal) => api('GET quarantine/{id}', { path: { id }, signal }));
  const { data } = loaded;
  return (
    <Panel
      label="Held definition"
      onClose={onClose}
      actions={
        <>
          {data && data.verdict?.verdict !== 'rejected' && (
            <DecideButton class="danger" onClick={() => setDeciding({ verdict: 'reject', seen: data })}>
              Reject…
            </DecideButton>
          )}
          {data && data.verdict?.verdict !== 'approved' && (
            <DecideButton onClick={() => setDeciding({ verdict: 'approve', seen: data })}>
              Approve exactly this…
            </DecideButton>
          )}
        </>
      }
    >
      <Async of={loaded}>{(held) => <Definition held={held} />}</Async>
      {deciding && <VerdictDialog of={deciding} onClose={() => setDeciding(undefined)} />}
    </Panel>
  );
}

/** A verdict, and the definition as it was seen: one that somebody else has decided on meanwhile is a conflict. */
interface Deciding {
  readonly verdict: 'approve' | 'reject';
  readonly seen: QuarantinedDetail;
}

function VerdictDialog({ of: { verdict, seen }, onClose }: { readonly of: Deciding; readonly onClose: () => void }) {
  return (
    <DecisionDialog
      title={verdict === 'approve' ? 'Approve exactly this definition?' : 'Hold exactly this definition back?'}
      action={verdict === 'approve' ? 'Approve' : 'Reject'}
      isDangerous={verdict === 'reject'}
      onClose={onClose}
      decide={(reason) =>
        api(`POST quarantine/{id}/${verdict}`, {
          path: { id: seen.id },
          body: { reason, expectedRevision: seen.verdict?.revision ?? 0 },
        })
      }
    >
      <p>
        <Text value={seen.name} max={120} />, hash <code>{plainText(seen.hash.slice(0, 16))}</code>. You decide about no
        other definition of it.
      </p>
      <Finding of={seen} />
      <WhatApprovingDoes held={seen} />
      <WhoUses tool={seen.name} />
      <Changes of={seen} />
    </DecisionDialog>
  );
}

/** What an inspector suspects, beside the reason why the definition is held. */
function Finding({ of: { finding } }: { readonly of: Pick<QuarantinedDetail, 'finding'> }) {
  return finding ? (
    <p class="bad">
      <strong>Suspicious:</strong> <Text value={finding.reason} max={500} />
    </p>
  ) : null;
}

function Definition({ held }: { readonly held: QuarantinedDetail }) {
  const { name, hash, suspicion, verdict, description, changes } = held;
  return (
    <>
      <h2>
        <Text value={name} max={120} />
      </h2>
      <p>
        {verdict?.verdict !== 'approved' && suspicion !== undefined && <Text value={suspicion} max={500} />}{' '}
        <span class="muted">Hash</span> <code>{plainText(hash.slice(0, 16))}</code>
      </p>
      <Finding of={held} />
      {verdict && (
        <p class={verdict.verdict === 'approved' ? 'good' : 'bad'}>
          {verdict.verdict === 'approved' ? 'Accepted' : 'Rejected'} by <Text value={verdict.actor} max={80} />{' '}
          <Time at={verdict.decidedAt} />: <Text value={verdict.reason} max={200} />
          {verdict.verdict === 'approved' && <NoLongerHolds of={held} />}
          {status.value?.instances && (
            <>
              {'. '}
              <Obeyed of={{ revision: verdict.revision, live: true }} />
            </>
          )}
        </p>
      )}
      <WhatApprovingDoes held={held} />
      <WhoUses tool={name} />
      {changes.length === 0 ? (
        <p>
          Nothing differs from what was accepted. Its description: <Text value={description} max={800} />
        </p>
      ) : (
        <Changes of={held} />
      )}
    </>
  );
}
