import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { ExplanationAnswer } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { type Caller, readCaller, useCaller } from '../parts/caller/caller.js';
import { CallerForm } from '../parts/caller/caller-form.js';
import { RecentCallers } from '../parts/caller/recent-callers.js';
import { askAsTenant } from '../parts/caller/recorded-callers.js';
import { readObject } from '../parts/read-object.js';
import { type PlainText, plainText } from '../parts/safe-text.js';
import { Screen } from '../parts/screen.js';
import { SwitchOf, SwitchOfTool } from '../parts/switch-of.js';
import { Text } from '../parts/text.js';
import { ToolField } from '../parts/tool-field.js';
import { useDebounced } from '../parts/use-debounced.js';
import { checkName, isTelling } from '../parts/words.js';
import { linkTo, route, setParameters, useParameter } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { AtTheCall } from './explain/at-the-call.js';
import { Checks } from './explain/checks.js';
import { HiddenByPolicy } from './explain/hidden-by-policy.js';
import { LastCall } from './explain/last-call.js';
import { NoSuchTool } from './explain/no-such-tool.js';

const OUTCOME = { allow: 'It may be used.', approve: 'It needs an approval.', deny: 'It is refused.' } as const;
const DECIDED = { allow: 'Allowed', approve: 'Decided', deny: 'Refused' } as const;

/** Tool and caller in, checks out. */
export function Explain() {
  const [link] = useState(() => route.peek().query);
  const [tool] = useParameter('tool');
  const setTool = (name: string) => setParameters({ tool: name, at: '' });
  const asked = useDebounced(tool.trim());
  const [given, setGiven] = useParameter('arguments');
  const at = callTime(route.value.query.get('at'));
  const call = useDebounced(given.trim());
  const input = call === '' ? undefined : readObject(call);
  const context = readCaller(useDebounced(useCaller('left')));
  const loaded = useData(
    JSON.stringify([asked, context, input]),
    asked !== '' && context && (call === '' || input)
      ? (signal) => api('POST explain', { body: { tool: asked, context, ...(input && { arguments: input }) }, signal })
      : undefined,
  );
  useEffect(() => {
    // The list of tools, filtered by a tenant, names it; where no call can be read, the tenant alone is asked as.
    if (!link.has('caller')) askAsTenant(link.get('tenant') ?? '').catch(() => undefined);
    setParameters({ tenant: '' });
  }, [link]);
  return (
    <Screen title="Why not?" lead="Why a caller may or may not use a tool.">
      <form class="filters wide" onSubmit={(event) => event.preventDefault()}>
        <ToolField value={tool} onInput={setTool} />
        <CallerForm which="left" label="Who is asking" />
        <label>
          Arguments of a call (optional)
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
      <RecentCallers which="left" />
      {at !== undefined && asked !== '' && context && <AtTheCall tool={asked} caller={context} at={at} />}
      {asked === '' ? (
        <p class="empty">Name a tool to see why this caller may or may not use it.</p>
      ) : (
        <Async of={loaded}>
          {(explanation) => <Answer explanation={explanation} caller={context} at={at} onChoose={setTool} />}
        </Async>
      )}
    </Screen>
  );
}

interface AnswerProps {
  readonly explanation: ExplanationAnswer;
  readonly caller: Caller | undefined;
  /** When the recorded call began that the question is about, in epoch milliseconds. */
  readonly at: number | undefined;
  readonly onChoose: (tool: string) => void;
}

function Answer({ explanation: { tool, outcome, layers }, caller, at, onChoose }: AnswerProps) {
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
                {isTelling(decisive.rule) && (
                  <>
                    {' '}
                    <code class="muted">
                      <Text value={decisive.rule} max={160} />
                    </code>
                  </>
                )}
              </>
            )}
          </p>
          <p class="muted">
            {DECIDED[outcome]} for exactly this caller{caller && missingFields(caller)}.
          </p>
          {outcome === 'deny' && at === undefined && (
            <LastCall tool={tool} tenantId={tenantId} userId={userOf(caller)} />
          )}
          {outcome === 'deny' && decisive?.layer !== 'kill_switch' && (
            <SwitchOfTool tool={tool} tenantId={tenantId} words="A kill switch turns it off as well" />
          )}
          {decisive?.layer === 'visibility' && caller && <HiddenByPolicy of={decisive} tool={tool} caller={caller} />}
          {decisive?.layer === 'kill_switch' && (
            <SwitchOf id={decisive.rule} tenantId={tenantId} words="A kill switch turns it off" />
          )}
          {decisive?.layer === 'quarantine' && <a href={linkTo('quarantine')}>See the quarantine</a>}
          {decisive?.rule.startsWith('stored-') && (
            <a href={linkTo('policies', decisive.rule.startsWith('stored-tenant') ? { tenant: tenantId } : {})}>
              See the access policy, who set it and why
            </a>
          )}
          <Checks layers={layers} decisive={decisive} />
        </>
      )}
      <p class="muted">
        Asked for <Text value={tool} max={120} />, as tenant <Text value={tenantId} max={80} />.
      </p>
    </section>
  );
}

function userOf(caller: Caller | undefined): string {
  const userId = caller?.['userId'];
  return typeof userId === 'string' ? userId : '';
}

function callTime(text: string | null): number | undefined {
  const at = Number(text ?? NaN);
  return Number.isSafeInteger(at) ? at : undefined;
}

/** Examples of fields that policies read often and that a caller does not have, as one of a recorded call. */
function missingFields(caller: Caller): PlainText {
  const missing = ['roles', 'plan'].filter((field) => !(field in caller));
  return plainText(
    missing.length === 0 ? '' : `, who has no ${missing.join(' and no ')}: if your policies read them, add them above`,
  );
}
