import { api } from '../api/client.js';
import type { TokenTotalsAnswer } from '../api/routes.js';
import { Async } from '../parts/async.js';
import { Bar, count } from '../parts/bar.js';
import { readCaller, useCaller } from '../parts/caller/caller.js';
import { CallerForm } from '../parts/caller/caller-form.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Text } from '../parts/text.js';
import { useDebounced } from '../parts/use-debounced.js';
import { callerName, counted } from '../parts/words.js';
import { useParameter } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { Costs } from './usage/costs.js';
import { Ranked } from './usage/ranked.js';
import { TokensByHour } from './usage/tokens-by-hour.js';

/** What models were shown, against plain lists, and what is largest. */
export function Tokens() {
  const [tenantId, setTenant] = useParameter('tenant');
  const tenant = useDebounced(tenantId.trim());
  const totals = useData(
    `totals ${tenant}`,
    (signal) => api('GET tokens', { query: { tenantId: tenant }, signal }),
    true,
  );
  const hours = useData(
    `hours ${tenant}`,
    (signal) => api('GET tokens/hours', { query: { tenantId: tenant }, signal }),
    true,
  );
  const context = readCaller(useDebounced(useCaller('left')));
  const definitions = useData(
    JSON.stringify(context),
    context ? (signal) => api('POST previews/surface', { body: { context, mode: 'all' }, signal }) : undefined,
  );
  return (
    <Screen title="Tokens" lead="What models were shown, what plain lists would have cost, and what costs most.">
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Tenant (empty: all)
          <input name="tenant" value={tenantId} onInput={(event) => setTenant(event.currentTarget.value)} />
        </label>
      </form>
      <Async of={totals}>{(data) => <Totals totals={data} />}</Async>
      <h2>Hour by hour, in the last day</h2>
      <Async of={hours}>{(data) => <TokensByHour period={data} />}</Async>
      <h2>What costs most</h2>
      <Costs tenantId={tenant} />
      <h2>Sessions</h2>
      <Pages route="GET tokens/sessions" query={{ tenantId: tenant }} isCounted empty="Nothing was counted.">
        {(sessions) => (
          <Table
            caption="Tokens of sessions"
            columns={[
              'Session',
              { number: 'Steps' },
              { number: 'Shown' },
              { number: 'Plain lists' },
              { number: 'Searching' },
            ]}
          >
            {sessions.map((each) => (
              <tr key={JSON.stringify([each.tenantId, each.userId, each.sessionId, each.tokenizer])}>
                <td>
                  <Text value={`${callerName(each)} ${each.sessionId}`} max={120} />
                </td>
                <td>{count(each.steps)}</td>
                <td>{count(each.shownTokens)}</td>
                <td>{count(each.fullTokens)}</td>
                <td>{count(each.searchTokens)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Pages>
      <h2>Largest definitions</h2>
      <CallerForm which="left" label="Who is asking" />
      <Async of={definitions}>
        {({ tools }) => (
          <Ranked
            unit="tokens"
            entries={tools.map(({ name, tokens }) => ({ name, size: tokens }))}
            empty="This caller sees no tool."
          />
        )}
      </Async>
    </Screen>
  );
}

function Totals({ totals }: { readonly totals: TokenTotalsAnswer }) {
  const { steps, shownTokens, fullTokens, searchTokens, savedTokens, tokenizers } = totals;
  const most = Math.max(1, shownTokens + searchTokens, fullTokens);
  return (
    <>
      <p>
        <strong>{count(savedTokens)} tokens</strong> less than plain lists, in {counted(steps, 'step')}{' '}
        <span class="muted">
          <Text value={tokenizers.join(', ')} max={120} />
        </span>
      </p>
      <dl class="compared">
        <dt>Shown</dt>
        <dd>
          <Bar share={shownTokens / most} label={`${count(shownTokens)} tokens shown`} tone="good" />{' '}
          {count(shownTokens)}
        </dd>
        <dt>Searching</dt>
        <dd>
          <Bar share={searchTokens / most} label={`${count(searchTokens)} tokens for searching`} />{' '}
          {count(searchTokens)}
        </dd>
        <dt>Plain lists</dt>
        <dd>
          <Bar share={fullTokens / most} label={`${count(fullTokens)} tokens of plain lists`} tone="muted" />{' '}
          {count(fullTokens)}
        </dd>
      </dl>
    </>
  );
}
