import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { BlastRadiusAnswer, SwitchPreviewBody } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { plainText } from '../../parts/safe-text.js';
import { Text } from '../../parts/text.js';
import { useDebounced } from '../../parts/use-debounced.js';
import { EFFECT_KINDS, targetKind, TARGETS } from '../../parts/words.js';
import { tenant } from '../../state/operator.js';
import { useParameter } from '../../state/route.js';
import { useData } from '../../state/use-data.js';
import { BlastRadiusList } from './blast-radius-list.js';
import type { Thrown } from './convergence.js';
import { wrongTarget } from './wrong-target.js';

const HOUR_MS = 3_600_000;
const WAIT_MS = 5000;

/** Chooses a target, shows what it would turn off, and asks for a reason. */
export function EngageForm({ onThrown }: { readonly onThrown: (thrown: Thrown) => void }) {
  const [kindName, setKind] = useParameter('kind');
  const kind = targetKind(kindName);
  const [value, setValue] = useParameter('value');
  const [forTenant, setTenant] = useParameter('for');
  const tenantId = tenant.value ?? forTenant;
  const [asking, setAsking] = useState<Asked>();
  const typed = JSON.stringify({
    kind,
    value: value.trim(),
    ...(tenantId.trim() !== '' && { tenantId: tenantId.trim() }),
  });
  const target = useDebounced(typed);
  const wrong = value.trim() === '' ? undefined : wrongTarget(kind, value.trim());
  const settled = JSON.parse(target) as SwitchPreviewBody;
  const isAsked = value.trim() !== '' && !wrong && settled.value !== '' && !wrongTarget(settled.kind, settled.value);
  const radius = useData(
    target,
    !isAsked ? undefined : (signal) => api('POST kill-switches/preview', { body: settled, signal }),
  );
  // Nobody may decide by the blast radius of what was typed before.
  const isSeen = isAsked && target === typed && radius.data !== undefined;
  const choose = (chosen: SwitchPreviewBody['kind']) => {
    // What tools do is chosen from a list, so a typed name fits no more, and the other way round.
    if ((chosen === 'side_effects') !== (kind === 'side_effects')) setValue('');
    setKind(chosen);
  };
  return (
    <section class="card" aria-label="Turn tools off">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSeen) setAsking({ target: settled, seen: radius.data });
        }}
      >
        <label>
          Turn off
          <select name="kind" value={kind} onChange={(event) => choose(targetKind(event.currentTarget.value))}>
            {TARGETS.map(([id, words]) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {kind === 'side_effects' ? (
          <label>
            What they do
            <select name="value" required value={value} onChange={(event) => setValue(event.currentTarget.value)}>
              <option value="">choose</option>
              {EFFECT_KINDS.map(([id, words]) => (
                <option key={id} value={id}>
                  {plainText(words)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <label>
            Name or pattern
            <input
              name="value"
              required
              spellcheck={false}
              autocomplete="off"
              value={value}
              placeholder={`for example ${TARGETS.find(([id]) => id === kind)?.[2] ?? ''}`}
              aria-invalid={wrong !== undefined}
              onInput={(event) => {
                const typedValue = event.currentTarget.value;
                setValue(typedValue);
                // No tool has a star in its name.
                if (kind === 'tool' && typedValue.includes('*')) setKind('glob');
              }}
            />
          </label>
        )}
        <label>
          {tenant.value === undefined ? 'Tenant (empty: everybody)' : 'Tenant'}
          <input
            name="tenant"
            value={tenantId}
            disabled={tenant.value !== undefined}
            onInput={(event) => setTenant(event.currentTarget.value)}
          />
        </label>
        <DecideButton isSubmit class="danger" disabled={!isSeen}>
          Turn off…
        </DecideButton>
      </form>
      {wrong && (
        <p class="wrong" role="status">
          <Text value={wrong.words} />{' '}
          {wrong.instead && (
            <button type="button" onClick={() => setKind('glob')}>
              Choose it
            </button>
          )}
        </p>
      )}
      {isAsked && <Async of={radius}>{(data) => <BlastRadiusList radius={data} target={settled} />}</Async>}
      {asking && (
        <EngageDialog
          of={asking}
          onClose={() => setAsking(undefined)}
          onThrown={(thrown) => {
            setValue('');
            onThrown(thrown);
          }}
        />
      )}
    </section>
  );
}

/** A target, and what it would turn off as it was seen. */
interface Asked {
  readonly target: SwitchPreviewBody;
  readonly seen: BlastRadiusAnswer;
}

interface EngageDialogProps {
  readonly of: Asked;
  readonly onClose: () => void;
  readonly onThrown: (thrown: Thrown) => void;
}

function EngageDialog({ of: { target, seen }, onClose, onThrown }: EngageDialogProps) {
  const [hours, setHours] = useState('0');
  const [abortRunning, setAbort] = useState(false);
  const [isSure, setSure] = useState(false);
  const { tenantId } = target;
  const decide = async (reason: string) => {
    const changed = await api('POST kill-switches', {
      query: { waitMs: WAIT_MS },
      body: {
        ...target,
        reason,
        abortRunning,
        expectedRevision: seen.revision,
        ...(hours !== '0' && { expiresAt: Date.now() + Number(hours) * HOUR_MS }),
        ...(seen.everything && { confirm: 'all' }),
      },
    });
    onThrown({ words: 'Turned off', changed });
  };
  return (
    <DecisionDialog
      title={
        tenantId === undefined ? (
          seen.matched === 1 ? (
            'Turn this tool off for everybody?'
          ) : (
            'Turn these tools off for everybody?'
          )
        ) : (
          <>
            {seen.matched === 1 ? 'Turn this tool off for ' : 'Turn these tools off for '}
            <Text value={tenantId} max={80} />?
          </>
        )
      }
      action="Turn off"
      isDangerous
      decide={decide}
      onClose={onClose}
      isReady={!seen.everything || isSure}
    >
      <BlastRadiusList radius={seen} target={target} />
      <label>
        Until
        <select name="hours" value={hours} onChange={(event) => setHours(event.currentTarget.value)}>
          <option value="0">
            {seen.matched === 1 ? 'somebody turns it on again' : 'somebody turns them on again'}
          </option>
          <option value="1">in an hour</option>
          <option value="24">in a day</option>
          <option value="168">in a week</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          name="abort"
          checked={abortRunning}
          onChange={(event) => setAbort(event.currentTarget.checked)}
        />
        Also cancel the calls that run now, on every instance. How many is not known; what they have done stays done.
      </label>
      {seen.everything && (
        <label class="check">
          <input
            type="checkbox"
            name="all"
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
          This turns every tool off, and I mean that
        </label>
      )}
    </DecisionDialog>
  );
}
