import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { Explanation, LayerVerdict } from '../api/types.js';
import { Async } from '../parts/async.js';
import { askAsTenant, ContextField, contexts, readContext } from '../parts/context-field.js';
import { Screen } from '../parts/screen.js';
import { Text } from '../parts/text.js';
import { ToolField } from '../parts/tool-field.js';
import { useDebounced } from '../parts/use-debounced.js';
import { linkTo, route } from '../state/route.js';
import { useData } from '../state/use-data.js';

const OUTCOME = { allow: 'It may be used.', approve: 'It needs an approval.', deny: 'It is refused.' } as const;
const MARK = { pass: '✓', approve: '?', deny: '✗', not_reached: '·' } as const;
const WORD = {
  pass: 'passes',
  approve: 'asks for an approval',
  deny: 'refuses',
  not_reached: 'was not asked, because a layer above refuses; it may refuse too',
} as const;

/** Tool and context in, layers out. */
export function Explain() {
  const [tool, setTool] = useState(route.value.query.get('tool') ?? '');
  const asked = useDebounced(tool.trim());
  // The tenant by which the list of tools was filtered.
  const of = route.value.query.get('tenant') ?? '';
  useEffect(() => askAsTenant(of), [of]);
  const context = readContext(useDebounced(contexts.left.value));
  const loaded = useData(
    JSON.stringify([asked, context]),
    asked !== '' && context
      ? (signal) => api<Explanation>('explain', { body: { tool: asked, context }, signal })
      : undefined,
  );
  return (
    <Screen
      title="Why not?"
      lead="Why a context may or may not use a tool, layer by layer, in the order in which they are asked."
    >
      <form class="filters wide" onSubmit={(event) => event.preventDefault()}>
        <ToolField value={tool} onInput={setTool} />
        <ContextField which="left" label="Context: who is asking" />
      </form>
      {asked === '' ? (
        <p class="empty">Name a tool to see why this context may or may not use it.</p>
      ) : (
        <Async of={loaded}>
          {(explanation) => <Answer explanation={explanation} tenantId={context?.tenantId ?? ''} />}
        </Async>
      )}
    </Screen>
  );
}

interface AnswerProps {
  readonly explanation: Explanation;
  readonly tenantId: string;
}

function Answer({ explanation: { tool, outcome, layers }, tenantId }: AnswerProps) {
  const decisive =
    layers.find(({ verdict }) => verdict === 'deny') ?? layers.find(({ verdict }) => verdict === 'approve');
  return (
    <section aria-label="Answer" aria-live="polite">
      <p class={`outcome outcome-${outcome}`}>
        <strong>{OUTCOME[outcome]}</strong>{' '}
        {decisive && (
          <>
            The layer{' '}
            <strong>
              <Text value={decisive.layer} max={60} />
            </strong>{' '}
            decides: <Text value={decisive.reason} />.
          </>
        )}
      </p>
      <Layers layers={layers} />
      {decisive?.layer === 'kill_switch' && <a href={linkTo('kill-switches')}>See the kill switches</a>}
      {decisive?.layer === 'quarantine' && <a href={linkTo('quarantine')}>See the quarantine</a>}
      {decisive?.rule.startsWith('stored-') && <a href={linkTo('policies')}>See the policy, who set it and why</a>}
      {decisive?.rule === 'unknown' && (
        <p>
          No tool has this name. <a href={linkTo('tools', { contains: tool })}>Look for it among the tools</a>
        </p>
      )}
      <p class="muted">
        Asked for <Text value={tool} max={120} />, as tenant <Text value={tenantId} max={80} />.
      </p>
    </section>
  );
}

/** The layers of a decision in their order. */
export function Layers({ layers }: { readonly layers: readonly LayerVerdict[] }) {
  return (
    <ol class="layers">
      {layers.map(({ layer, verdict, rule, reason }) => (
        <li key={layer} class={`layer layer-${verdict}`}>
          <span class="mark" aria-hidden="true">
            {MARK[verdict]}
          </span>
          <span>
            <strong>
              <Text value={layer} max={60} />
            </strong>{' '}
            {WORD[verdict]}
            {reason !== '' && (
              <>
                : <Text value={reason} />
              </>
            )}
            <br />
            <code class="muted">
              <Text value={rule} max={160} />
            </code>
          </span>
        </li>
      ))}
    </ol>
  );
}
