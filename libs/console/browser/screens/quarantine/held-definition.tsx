import { useState } from 'preact/hooks';
import { api, segment } from '../../api/client.js';
import type { DefinitionChange, QuarantinedDetail } from '../../api/decision-types.js';
import { Async } from '../../parts/async.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { useData } from '../../state/use-data.js';
import { plainText } from '../../parts/safe-text.js';

/** One held definition: what was accepted in red, what the source says now in green, and the verdict. */
export function HeldDefinition({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [verdict, setVerdict] = useState<'approve' | 'reject'>();
  const loaded = useData(id, (signal) => api<QuarantinedDetail>(`quarantine/${segment(id)}`, { signal }));
  const { data } = loaded;
  return (
    <section class="card" aria-label="Held definition">
      <p class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <DecideButton class="danger" disabled={!data} onClick={() => setVerdict('reject')}>
          Reject…
        </DecideButton>
        <DecideButton class="primary" disabled={!data} onClick={() => setVerdict('approve')}>
          Approve exactly this…
        </DecideButton>
      </p>
      <Async of={loaded}>
        {({ name, hash, suspicion, finding, verdict: decided, description, changes }) => (
          <>
            <h2>
              <Text value={name} max={120} />
            </h2>
            <p>
              <Text value={suspicion ?? finding?.reason ?? ''} max={500} /> <span class="muted">Hash</span>{' '}
              <code>{plainText(hash.slice(0, 16))}</code>
            </p>
            {decided && (
              <p class={decided.verdict === 'approved' ? 'good' : 'bad'}>
                {decided.verdict === 'approved' ? 'Approved' : 'Rejected'} by <Text value={decided.actor} max={80} />:{' '}
                <Text value={decided.reason} max={200} />
              </p>
            )}
            {changes.length === 0 ? (
              <p>
                Nothing differs from what was accepted. Its description: <Text value={description} max={800} />
              </p>
            ) : (
              <Changes changes={changes} />
            )}
          </>
        )}
      </Async>
      {verdict && data && (
        <DecisionDialog
          title={verdict === 'approve' ? 'Approve exactly this definition?' : 'Keep this definition in quarantine?'}
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
            <Text value={data.name} max={120} />, hash <code>{plainText(data.hash.slice(0, 16))}</code>. Any other
            definition of it is held again.
          </p>
          <Changes changes={data.changes} />
        </DecisionDialog>
      )}
    </section>
  );
}

function Changes({ changes }: { readonly changes: readonly DefinitionChange[] }) {
  return (
    <ul class="changes" aria-label="What changed">
      {changes.map(({ path, before, after }) => (
        <li key={path}>
          <code>
            <Text value={path} max={200} />
          </code>
          {before !== undefined && (
            <del>
              <span class="unseen">before: </span>
              <Text value={shown(before)} max={600} />
            </del>
          )}
          {after !== undefined && (
            <ins>
              <span class="unseen">now: </span>
              <Text value={shown(after)} max={600} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 1) ?? '');
}
