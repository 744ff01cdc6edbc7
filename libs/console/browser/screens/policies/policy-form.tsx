import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { DryRunAnswer, PolicyAnswer, PolicyBody } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { DryRun } from '../../parts/dry-run.js';
import { useDebounced } from '../../parts/use-debounced.js';
import { tenant } from '../../state/operator.js';
import { useData } from '../../state/use-data.js';
import { type PolicyOwner, setPolicy } from './stored-policy.js';

interface PolicyFormProps {
  /** The policy that is edited, as it was seen; undefined for a new one. */
  readonly of: PolicyAnswer | undefined;
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
      ? (signal) => api('POST dry-run/policies', { body: { ...named(owner), policy }, signal })
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
          <span class="muted">
            JSON with allow, deny, requireTags, approval, arguments (rules that say “deny” or “approve”)
          </span>
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
      {isComplete && <Async of={preview}>{(report) => <Changed report={report} />}</Async>}
      {isAsking && policy && (
        <DecisionDialog
          title="Set this access policy?"
          action="Set"
          onClose={() => {
            setAsking(false);
            onDone();
          }}
          decide={(reason) => setPolicy(owner, { policy, reason, expectedRevision: of?.revision ?? 0 })}
        >
          {preview.data && <Changed report={preview.data} />}
        </DecisionDialog>
      )}
    </section>
  );
}

function Changed({ report }: { readonly report: DryRunAnswer }) {
  return (
    <div class="radius" aria-live="polite">
      <DryRun change="This access policy" report={report} />
    </div>
  );
}

function parsed(text: string): PolicyBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function named({ tenantId, agentId }: PolicyOwner): Partial<PolicyOwner> {
  return { ...(tenantId !== '' && { tenantId }), ...(agentId !== '' && { agentId }) };
}
