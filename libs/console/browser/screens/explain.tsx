import { useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { ExplanationAnswer, LayerAnswer } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { askAs, askAsTenant, type Caller, ContextField, contexts, readContext } from '../parts/context-field.js';
import { readObject } from '../parts/read-object.js';
import { type PlainText, plainText } from '../parts/safe-text.js';
import { Screen } from '../parts/screen.js';
import { SwitchOf, SwitchOfTool } from '../parts/switch-of.js';
import { Text } from '../parts/text.js';
import { ToolField } from '../parts/tool-field.js';
import { useDebounced } from '../parts/use-debounced.js';
import { checkName, isTelling } from '../parts/words.js';
import { linkTo, route } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { AtTheCall } from './explain/at-the-call.js';
import { HiddenByPolicy } from './explain/hidden-by-policy.js';
import { NoSuchTool } from './explain/no-such-tool.js';
import { RecentCallers } from './explain/recent-callers.js';

const OUTCOME = { allow: 'It may be used.', approve: 'It needs an approval.', deny: 'It is refused.' } as const;
const DECIDED = { allow: 'Allowed', approve: 'Decided', deny: 'Refused' } as const;
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
  const [given, setGiven] = useState('');
  const call = useDebounced(given.trim());
  const input = call === '' ? undefined : readObject(call);
  const typed = useDebounced(contexts.left.value);
  const context = readContext(typed);
  const loaded = useData(
    JSON.stringify([asked, context, input]),
    asked !== '' && context && (call === '' || input)
      ? (signal) => api('POST explain', { body: { tool: asked, context, ...(input && { arguments: input }) }, signal })
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
        <label>
          Arguments of a call, for rules on arguments and call policies (may stay empty)
          <textarea
            name="arguments"
            class="code"
            rows={2}
            spellcheck={false}
            value={given}
            aria-invalid={call !== '' && input === undefined}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
          {call !== '' && input === undefined && <span class="wrong">Type a JSON object.</span>}
        </label>
      </form>
      <RecentCallers />
      {link.has('at') && asked === link.get('tool') && typed === link.get('caller') && context && (
        <AtTheCall tool={asked} caller={context} at={Number(link.get('at'))} />
      )}
      {asked === '' ? (
        <p class="empty">Name a tool to see why this caller may or may not use it.</p>
      ) : (
        <Async of={loaded}>
          {(explanation) => <Answer explanation={explanation} caller={context} onChoose={setTool} />}
        </Async>
      )}
    </Screen>
  );
}

/** Asks as the tenant by which the list of tools was filtered, or as the caller of a recorded call. */
function followedLink(): URLSearchParams {
  const { query } = route.peek();
  // Where no call can be read, the tenant alone is asked as.
  askAsTenant(query.get('tenant') ?? '').catch(() => undefined);
  askAs(query.get('caller') ?? '');
  return query;
}

interface AnswerProps {
  readonly explanation: ExplanationAnswer;
  readonly caller: Caller | undefined;
  readonly onChoose: (tool: string) => void;
}

function Answer({ explanation: { tool, outcome, layers }, caller, onChoose }: AnswerProps) {
  const decisive =
    layers.find(({ verdict }) => verdict === 'deny') ?? layers.find(({ verdict }) => verdict === 'approve');
  const isUnknown = decisive?.rule === 'unknown';
  const tenantId = caller?.tenantId ?? '';
  return (
    <section aria-label="Answer" aria-live="polite">
      {isUnknown ? (
        <NoSuchTool typed={tool} tenantId={tenantId} reason={decisive.reason} onChoose={onChoose} />
      ) : (
        <>
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
          <p class="note">
            {DECIDED[outcome]} for exactly the caller above. Policies may read fields that it lacks
            {caller && missingFields(caller)}: recorded calls do not have them, so add them if you know them.
          </p>
          {outcome === 'deny' && decisive?.layer !== 'kill_switch' && (
            <SwitchOfTool tool={tool} tenantId={tenantId} words="A kill switch turns it off as well" />
          )}
          {decisive?.layer === 'visibility' && caller && <HiddenByPolicy of={decisive} tool={tool} caller={caller} />}
          <Checks layers={layers} />
          {decisive?.layer === 'kill_switch' && (
            <SwitchOf id={decisive.rule} tenantId={tenantId} words="A kill switch turns it off" />
          )}
          {decisive?.layer === 'quarantine' && <a href={linkTo('quarantine')}>See the quarantine</a>}
          {decisive?.rule.startsWith('stored-') && (
            <a href={linkTo('policies')}>See the access policy, who set it and why</a>
          )}
        </>
      )}
      <p class="muted">
        Asked for <Text value={tool} max={120} />, as tenant <Text value={tenantId} max={80} />.
      </p>
    </section>
  );
}

/** Examples of fields that policies read often and that a caller does not have. */
function missingFields(caller: Caller): PlainText {
  const missing = ['roles', 'plan'].filter((field) => !(field in caller));
  return plainText(missing.length === 0 ? '' : `, such as ${missing.join(' or ')}`);
}

/** The checks of a decision in their order. */
function Checks({ layers }: { readonly layers: readonly LayerAnswer[] }) {
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
            {(verdict === 'deny' || verdict === 'approve') && isTelling(rule) && (
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
