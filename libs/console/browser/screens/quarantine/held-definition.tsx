import { useState } from 'preact/hooks';
import { api, segment } from '../../api/client.js';
import type { QuarantinedDetail } from '../../api/decision-types.js';
import { Async } from '../../parts/async.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
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
  const [verdict, setVerdict] = useState<'approve' | 'reject'>();
  const loaded = useData(id, (signal) => api<QuarantinedDetail>(`quarantine/${segment(id)}`, { signal }));
  const { data } = loaded;
  // Nobody should be led to approve what nothing has judged, or what was rejected.
  const isMain = data?.finding !== undefined && !data.verdict;
  return (
    <section class="card" aria-label="Held definition">
      <p class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        {data && data.verdict?.verdict !== 'rejected' && (
          <DecideButton class="danger" onClick={() => setVerdict('reject')}>
            Reject…
          </DecideButton>
        )}
        {data && data.verdict?.verdict !== 'approved' && (
          <DecideButton class={isMain ? 'primary' : undefined} onClick={() => setVerdict('approve')}>
            Approve exactly this…
          </DecideButton>
        )}
      </p>
      <Async of={loaded}>{(held) => <Definition held={held} />}</Async>
      {verdict && data && (
        <DecisionDialog
          title={verdict === 'approve' ? 'Approve exactly this definition?' : 'Hold exactly this definition back?'}
          action={verdict === 'approve' ? 'Approve' : 'Reject'}
          isDangerous={verdict === 'reject'}
          onClose={() => setVerdict(undefined)}
          decide={(reason) =>
            api(`quarantine/${segment(id)}/${verdict}`, {
              method: 'POST',
              body: { reason, expectedRevision: data.verdict?.revision ?? 0 },
            })
          }
        >
          <p>
            <Text value={data.name} max={120} />, hash <code>{plainText(data.hash.slice(0, 16))}</code>. You decide
            about no other definition of it.
          </p>
          <WhatApprovingDoes held={data} />
          <WhoUses tool={data.name} />
          <Changes of={data} />
        </DecisionDialog>
      )}
    </section>
  );
}

function Definition({ held }: { readonly held: QuarantinedDetail }) {
  const { name, hash, suspicion, finding, verdict, description, changes } = held;
  return (
    <>
      <h2>
        <Text value={name} max={120} />
      </h2>
      <p>
        {verdict?.verdict !== 'approved' && <Text value={suspicion ?? finding?.reason ?? ''} max={500} />}{' '}
        <span class="muted">Hash</span> <code>{plainText(hash.slice(0, 16))}</code>
      </p>
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
