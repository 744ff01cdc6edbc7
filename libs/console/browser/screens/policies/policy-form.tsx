import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { Policy, PolicyPreview } from '../../api/decision-types.js';
import { Async } from '../../parts/async.js';
import { Bar, count } from '../../parts/bar.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useDebounced } from '../../parts/use-debounced.js';
import { tenant } from '../../state/operator.js';
import { useData } from '../../state/use-data.js';
import { policyPath } from './policy-path.js';

interface PolicyFormProps {
  /** The policy that is edited, as it was seen; undefined for a new one. */
  readonly of: Policy | undefined;
  readonly onDone: () => void;
}

/** Edits a policy, and says what it would have refused of the recorded calls. */
export function PolicyForm({ of, onDone }: PolicyFormProps) {
  const [tenantId, setTenant] = useState(of?.tenantId ?? tenant.value ?? '');
  const [agentId, setAgent] = useState(of?.agentId ?? '');
  const [text, setText] = useState(JSON.stringify(of?.policy ?? { deny: [] }, undefined, 2));
  const [isAsking, setAsking] = useState(false);
  const policy = parsed(text);
  const owner = { tenantId: tenantId.trim(), agentId: agentId.trim() };
  const draft = useDebounced(JSON.stringify([owner, policy]));
  const isComplete = policy !== undefined && (owner.tenantId !== '' || owner.agentId !== '');
  const preview = useData(
    draft,
    isComplete && draft === JSON.stringify([owner, policy])
      ? (signal) => api<PolicyPreview>('policies/preview', { body: { ...named(owner), policy }, signal })
      : undefined,
  );
  return (
    <section class="card" aria-label={of ? 'Edit an access policy' : 'Set an access policy'}>
      <form
        class="filters wide"
        onSubmit={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      >
        <label>
          {tenant.value === undefined ? 'Tenant (empty: all)' : 'Tenant'}
          <input
            name="tenant"
            value={tenantId}
            disabled={!!of || tenant.value !== undefined}
            onInput={(event) => setTenant(event.currentTarget.value)}
          />
        </label>
        <label>
          Agent (empty: all)
          <input
            name="agent"
            value={agentId}
            disabled={!!of}
            onInput={(event) => setAgent(event.currentTarget.value)}
          />
        </label>
        <label>
          Access policy
          <textarea
            name="policy"
            class="code"
            rows={5}
            spellcheck={false}
            value={text}
            aria-invalid={policy === undefined}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <span class="muted">JSON with allow, deny, requireTags, approval</span>
          {policy === undefined && <span class="wrong">Type a JSON object.</span>}
        </label>
        <DecideButton isSubmit class="primary" disabled={!isComplete || preview.data === undefined}>
          {of ? 'Change…' : 'Set…'}
        </DecideButton>
        {of && (
          <button type="button" onClick={onDone}>
            Leave it as it is
          </button>
        )}
      </form>
      {isComplete && <Async of={preview}>{(data) => <DryRun preview={data} />}</Async>}
      {isAsking && policy && (
        <DecisionDialog
          title="Set this access policy?"
          action="Set"
          onClose={() => {
            setAsking(false);
            onDone();
          }}
          decide={(reason) =>
            api(policyPath(owner), {
              method: 'PUT',
              body: { policy, reason, expectedRevision: of?.revision ?? 0 },
            })
          }
        >
          {preview.data && <DryRun preview={preview.data} />}
        </DecisionDialog>
      )}
    </section>
  );
}

function DryRun({ preview: { calls, refused, isCut, since, tools } }: { readonly preview: PolicyPreview }) {
  return (
    <div class="radius" aria-live="polite">
      <p>
        <strong>
          Would have refused {count(refused)} of {count(calls)}
        </strong>{' '}
        recorded calls since <Time at={since} />
        {isCut && ' (the newest ones)'}.{' '}
        <Bar share={calls === 0 ? 0 : refused / calls} label={`${refused} of ${calls} calls`} tone="bad" />
      </p>
      <ul>
        {tools.map(({ name, calls: times, reason }) => (
          <li key={name}>
            <Text value={name} max={120} />: {count(times)} {times === 1 ? 'call' : 'calls'},{' '}
            <Text value={reason} max={160} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function named({ tenantId, agentId }: Pick<Policy, 'tenantId' | 'agentId'>): object {
  return { ...(tenantId !== '' && { tenantId }), ...(agentId !== '' && { agentId }) };
}
