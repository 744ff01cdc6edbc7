import { useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { Explanation, LayerVerdict } from '../api/types.js';
import { Async } from '../parts/async.js';
import { askAs, askAsTenant, type Caller, ContextField, contexts, readContext } from '../parts/context-field.js';
import { Screen } from '../parts/screen.js';
import { Text } from '../parts/text.js';
import { ToolField } from '../parts/tool-field.js';
import { useDebounced } from '../parts/use-debounced.js';
import { checkName } from '../parts/words.js';
import { linkTo, route } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { AtTheCall } from './explain/at-the-call.js';
import { HiddenByPolicy } from './explain/hidden-by-policy.js';

const OUTCOME = { allow: 'It may be used.', approve: 'It needs an approval.', deny: 'It is refused.' } as const;
const MARK = { pass: '✓', approve: '?', deny: '✗', not_reached: '·' } as const;
const WORD = {
  pass: 'passes',
  approve: 'asks for an approval',
  deny: 'refuses',
  not_reached: 'was not looked at, because a check above refuses; it may refuse too',
} as const;

/** Tool and caller in, checks out. */
export function Explain() {
  const [link] = useState(followedLink);
  const [tool, setTool] = useState(link.get('tool') ?? '');
  const asked = useDebounced(tool.trim());
  const typed = useDebounced(contexts.left.value);
  const context = readContext(typed);
  const loaded = useData(
    JSON.stringify([asked, context]),
    asked !== '' && context
      ? (signal) => api<Explanation>('explain', { body: { tool: asked, context }, signal })
      : undefined,
  );
  return (
    <Screen
      title="Why not?"
      lead="Why a caller may or may not use a tool, check by check, in the order in which they are made."
    >
      <form class="filters wide" onSubmit={(event) => event.preventDefault()}>
        <ToolField value={tool} onInput={setTool} />
        <ContextField which="left" label="Who is asking" />
      </form>
      {link.has('at') && asked === link.get('tool') && typed === link.get('caller') && context && (
        <AtTheCall tool={asked} caller={context} at={Number(link.get('at'))} />
      )}
      {asked === '' ? (
        <p class="empty">Name a tool to see why this caller may or may not use it.</p>
      ) : (
        <Async of={loaded}>{(explanation) => <Answer explanation={explanation} caller={context} />}</Async>
      )}
    </Screen>
  );
}

/** Asks as the tenant by which the list of tools was filtered, or as the caller of a recorded call. */
function followedLink(): URLSearchParams {
  const { query } = route.peek();
  askAsTenant(query.get('tenant') ?? '');
  askAs(query.get('caller') ?? '');
  return query;
}

interface AnswerProps {
  readonly explanation: Explanation;
  readonly caller: Caller | undefined;
}

function Answer({ explanation: { tool, outcome, layers }, caller }: AnswerProps) {
  const decisive =
    layers.find(({ verdict }) => verdict === 'deny') ?? layers.find(({ verdict }) => verdict === 'approve');
  return (
    <section aria-label="Answer" aria-live="polite">
      <p class={`outcome outcome-${outcome}`}>
        <strong>{OUTCOME[outcome]}</strong>{' '}
        {decisive && (
          <>
            The check{' '}
            <strong>
              <Text value={checkName(decisive.layer)} max={60} />
            </strong>{' '}
            decides: <Text value={decisive.reason} />.
          </>
        )}
      </p>
      {decisive?.layer === 'visibility' && caller && <HiddenByPolicy of={decisive} tool={tool} caller={caller} />}
      <Checks layers={layers} />
      {decisive?.layer === 'kill_switch' && <a href={linkTo('kill-switches')}>See the kill switches</a>}
      {decisive?.layer === 'quarantine' && <a href={linkTo('quarantine')}>See the quarantine</a>}
      {decisive?.rule.startsWith('stored-') && <a href={linkTo('policies')}>See the policy, who set it and why</a>}
      {decisive?.rule === 'unknown' && (
        <p>
          No tool has this name. <a href={linkTo('tools', { contains: tool })}>Look for it among the tools</a>
        </p>
      )}
      <p class="muted">
        Asked for <Text value={tool} max={120} />, as tenant <Text value={caller?.tenantId ?? ''} max={80} />.
      </p>
    </section>
  );
}

/** The checks of a decision in their order. */
function Checks({ layers }: { readonly layers: readonly LayerVerdict[] }) {
  return (
    <ol class="layers">
      {layers.map(({ layer, verdict, rule, reason }) => (
        <li key={layer} class={`layer layer-${verdict}`}>
          <span class="mark" aria-hidden="true">
            {MARK[verdict]}
          </span>
          <span>
            <strong>
              <Text value={checkName(layer)} max={60} />
            </strong>{' '}
            {WORD[verdict]}
            {reason !== '' && (
              <>
                : <Text value={reason} />
              </>
            )}
            {rule !== '' && rule !== 'default' && (
              <>
                <br />
                <code class="muted">
                  <Text value={rule} max={160} />
                </code>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
