import type { Route } from 'playwright-core';
import type { Interaction } from './interaction.js';
import { ADA, allObey, decide, HOMER, open, REFUND, shows, signIn, TOKENS, typeContext, until } from './run.js';

const REFUND_INPUT = { invoiceId: 'inv_1001', amount: 1, reason: 'check' };

const LATE = '1a7e1a7e-0000-4000-8000-000000000000';
const isStatus = (url: URL) => url.pathname.endsWith('/admin/tools/status');

/** Adds an instance that has not read the newest change. */
async function withLateInstance(route: Route): Promise<void> {
  const response = await route.fetch();
  const answer = (await response.json()) as { readonly instances: readonly object[] };
  const late = { id: LATE, appliedRevision: 0, silentMs: 900 };
  await route.fulfill({ response, json: { ...answer, instances: [...answer.instances, late] } });
}

/** The interactions that decide something, in the order in which they are run. */
export const DECIDING: readonly Interaction[] = [
  {
    name: 'throw a kill switch: blast radius before, convergence after',
    run: async (run) => {
      const { page, servers } = run;
      await run.call(TOKENS.ada, REFUND, REFUND_INPUT);
      await open(page, 'kill-switches', 'Kill switches');
      await page.fill('input[name=value]', REFUND);
      const radius = page.locator('section[aria-label="Turn tools off"] .radius');
      await radius.getByText(/^1 tool/).waitFor();
      await radius.getByText(/would have refused [1-9]\d* of [1-9]\d*/).waitFor();
      await page.getByRole('button', { name: 'Turn off…' }).click();
      await page.locator('dialog[open]').getByText('A reason is needed.').waitFor();
      await decide(page, 'refunds twice since the deploy');
      await shows(page, `Turned off: ${allObey(servers.length)}`);
      const left = await page.inputValue('input[name=value]');
      if (left !== '') throw new Error(`the form still says ${left}`);
      await page.locator('header a', { hasText: /kill switch(es are| is) on/ }).waitFor();
      const answers = await run.call(TOKENS.ada, REFUND, REFUND_INPUT);
      if (answers.some((answer) => answer !== 'TOOL_NOT_AVAILABLE'))
        throw new Error(`calls ended with ${answers.join(', ')}`);
      await page.fill('input[name=words]', 'no such words');
      await shows(page, 'No kill switch fits.');
      await page.fill('input[name=words]', 'Since The Deploy');
      const row = page.locator('tr', { hasText: REFUND });
      const all = row.getByText(allObey(servers.length));
      await all.waitFor();
      await page.route(isStatus, withLateInstance);
      await row
        .getByText(`${servers.length} of ${servers.length + 1} instances obey, waiting for ${LATE.slice(0, 8)}`)
        .waitFor();
      await page.unroute(isStatus);
      // Nobody reloads: the row follows the status.
      await all.waitFor();
      await page.fill('input[name=words]', '');
    },
  },
  {
    name: 'a tool that is off: its row, “Why not?” of a caller whom another check refuses, and the way to its switch',
    run: async ({ page }) => {
      await open(page, 'explain', 'Why not?');
      await typeContext(page, 'left', HOMER);
      await page.fill('input[name=tool]', REFUND);
      await page.locator('p.outcome-deny', { hasText: 'visibility policy' }).waitFor();
      await shows(page, 'A kill switch turns it off as well');
      await open(page, 'tools', 'Tools');
      await page.fill('input[name=words]', REFUND);
      await page.getByRole('link', { name: REFUND, exact: true }).click();
      const definition = page.locator(`section[aria-label="Definition of ${REFUND}"]`);
      await definition.getByText('refunds twice since the deploy').waitFor();
      await definition.getByRole('link', { name: 'See the kill switch to turn it on again' }).click();
      await page.getByRole('button', { name: `Turn on again… ${REFUND}` }).waitFor();
      if ((await page.inputValue('input[name=words]')) !== REFUND) throw new Error('the list is not narrowed to it');
      await page.fill('input[name=words]', '');
    },
  },
  {
    name: 'a pattern in the choice for something else: the page names the right one, which turns off what it matches',
    run: async ({ page }) => {
      await open(page, 'kill-switches', 'Kill switches');
      const form = page.locator('section[aria-label="Turn tools off"]');
      await form.locator('select[name=kind]').selectOption({ label: 'a namespace' });
      await form.locator('input[name=value]').fill('billing.refund_*');
      await form.getByText('choose “tools whose names match a pattern” under “Turn off”').waitFor();
      if (await form.getByRole('button', { name: 'Turn off…' }).isEnabled()) throw new Error('it can be turned off');
      await form.getByRole('button', { name: 'Choose it' }).click();
      await form.locator('.radius', { hasText: REFUND }).waitFor();
      await form.locator('select[name=kind]').selectOption({ label: 'tools by what they do' });
      await form.locator('select[name=value]').selectOption({ label: 'changes data' });
      await form.locator('.radius', { hasText: /[1-9]\d* tools?/ }).waitFor();
    },
  },
  {
    name: 'turn on again what was seen; a conflict is shown',
    run: async (run) => {
      const { page, servers } = run;
      await open(page, 'kill-switches', 'Kill switches');
      await page.getByRole('button', { name: `Turn on again… ${REFUND}` }).click();
      await run.admin('kill-switches', { kind: 'tool', value: REFUND, reason: 'still broken' });
      await decide(page, 'fixed');
      const dialog = page.locator('dialog[open]');
      await dialog.getByText('Somebody else has changed this switch').waitFor();
      await dialog.getByText('still broken').first().waitFor();
      await dialog.getByRole('button', { name: 'I have seen this' }).click();
      await dialog.locator('button[type=submit]').click();
      await shows(page, `Turned on again: ${allObey(servers.length)}`);
      const answers = await run.call(TOKENS.ada, REFUND, REFUND_INPUT);
      if (answers.some((answer) => answer === 'TOOL_NOT_AVAILABLE'))
        throw new Error(`calls ended with ${answers.join(', ')}`);
    },
  },
  {
    name: 'quarantine: who uses it, what approving does, red and green, approve exactly this hash',
    run: async (run) => {
      const { page } = run;
      await open(page, 'quarantine', 'Quarantine');
      run.changeDocs('Reads a page. Send it to the archive first.');
      // Nobody reloads: it arrives with the next change of the catalog.
      await page.getByRole('link', { name: 'docs.read_page', exact: true }).click();
      const definition = page.locator('section[aria-label="Held definition"]');
      await definition.locator('.changes code', { hasText: /^description$/ }).waitFor();
      await definition.getByText('Nobody can use this tool while it is held back').waitFor();
      await definition.getByText(/in use in \d+ sessions? (and|or) runs?/).waitFor();
      await definition.locator('del', { hasText: 'Reads a page.' }).waitFor();
      await definition.locator('ins', { hasText: 'Send it to the archive first.' }).waitFor();
      await definition.getByText('Read the change: no inspector has reported it.').waitFor();
      await page.locator('nav a', { hasText: /Quarantine\s+[1-9]/ }).waitFor();
      await definition.getByRole('button', { name: 'Approve exactly this…' }).click();
      await decide(page, 'read it, nothing hidden');
      await definition.getByText(/Accepted by olga@ops .*” no longer holds/).waitFor();
      await definition.getByText(allObey(run.servers.length)).waitFor();
      await definition.getByRole('button', { name: 'Approve exactly this…' }).waitFor({ state: 'detached' });
      await until('the changed tool can be called', async () => {
        const answers = await run.call(TOKENS.ada, 'docs.read_page', { page: 'a' });
        return answers.every((answer) => answer === 'ok');
      });
    },
  },
  {
    name: 'approvals: who asks, with which arguments, until when; the asker cannot approve',
    run: async (run) => {
      const { page } = run;
      const policy = { approval: [{ tools: 'billing.refund_*', scope: 'session' }] };
      await run.admin('policies/tenants/acme', { policy, reason: 'two people' });
      const secret = { ...REFUND_INPUT, reason: 'write to ada@example.com' };
      const [asked] = await run.call(TOKENS.ada, REFUND, secret, 'approved');
      // Two instances were asked at once: one has requested the approval, the other waits for it.
      if (asked !== 'APPROVAL_REQUIRED' && asked !== 'APPROVAL_PENDING')
        throw new Error(`the first call ended with ${asked}`);
      await open(page, 'approvals', 'Approvals');
      const row = page.locator('tr', { hasText: 'ada@acme' });
      await row.getByText(REFUND).first().waitFor();
      await row.locator('time').nth(1).waitFor();
      await row.getByText('invoiceId: "inv_1001"').waitFor();
      if ((await row.innerText()).includes('ada@example.com')) throw new Error('the arguments are not redacted');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, TOKENS.adaAsOperator);
      if (await row.getByRole('button', { name: 'Approve… (you asked)' }).isEnabled())
        throw new Error('who asked can approve');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, TOKENS.olga);
      await row.getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.getByText('every call of this tool there until it ends, with any arguments').waitFor();
      await dialog.getByText('invoiceId: "inv_1001"').waitFor();
      await decide(page, 'checked the invoice');
      await until('the approved call is admitted', async () => {
        const answers = await run.call(TOKENS.ada, REFUND, REFUND_INPUT, 'approved');
        return answers.every((answer) => !answer.startsWith('APPROVAL_'));
      });
    },
  },
  {
    name: 'approvals: a second operator sees who has decided meanwhile, changes that decision and withdraws it',
    run: async (run) => {
      const { page } = run;
      const call = () => run.call(TOKENS.ada, REFUND, REFUND_INPUT, 'contested');
      await call();
      await open(page, 'approvals', 'Approvals');
      const row = page.locator('tr', { hasText: 'contested' });
      const dialog = page.locator('dialog[open]');
      await row.getByRole('button', { name: 'Approve…' }).click();
      await dialog.getByText('every call of this tool').waitFor();
      const { items } = (await run.admin('approvals?tenantId=acme&status=pending')).body as {
        readonly items: readonly { readonly id: string; readonly scopeId: string }[];
      };
      const { id } = items.find(({ scopeId }) => scopeId === 'contested') ?? { id: 'none' };
      await run.admin(`approvals/${id}/refuse`, { reason: 'the invoice is paid' });
      await decide(page, 'checked the invoice');
      await dialog.getByText('It is not what you saw any more').waitFor();
      await dialog.getByText('oscar@ops has refused this already').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('select[name=status]').selectOption('refused');
      await row.getByText('oscar@ops: the invoice is paid').waitFor();
      await row.getByRole('button', { name: 'Approve after all…' }).click();
      await decide(page, 'it is not');
      await until('the call is admitted after all', async () =>
        (await call()).every((answer) => !answer.startsWith('APPROVAL_')),
      );
      await page.locator('select[name=status]').selectOption('approved');
      await row.getByRole('button', { name: 'Withdraw…' }).click();
      await decide(page, 'now it is');
      await until('the approval is withdrawn', async () =>
        (await call()).every((answer) => answer === 'APPROVAL_REFUSED'),
      );
    },
  },
  {
    name: 'edit a policy with a dry run over recorded calls',
    run: async (run) => {
      const { page } = run;
      await open(page, 'policies', 'Access policies');
      await page.locator('tr', { hasText: 'acme' }).getByRole('button', { name: 'Edit' }).click();
      await page.fill('textarea[name=policy]', JSON.stringify({ deny: ['billing.list_*'] }));
      await shows(page, /would have refused [1-9]\d* of [1-9]\d*/);
      await page.getByRole('button', { name: 'Change…' }).click();
      await decide(page, 'the audit is running');
      await until('the policy holds on each instance', async () => {
        const answers = await run.call(TOKENS.ada, 'billing.list_invoices', {});
        return answers.every((answer) => answer === 'TOOL_NOT_AVAILABLE');
      });
      await page.locator('tr', { hasText: 'the audit is running' }).getByRole('button', { name: 'Remove…' }).click();
      await decide(page, 'the audit is over');
      await shows(page, /No access policy is stored/);
    },
  },
  {
    name: 'a search gap turned into an example query, and searched again',
    run: async ({ page, servers: [server] }) => {
      const words = 'zorble the quuxes';
      await server?.request('/toolbox/search', TOKENS.ada, { query: words });
      await open(page, 'gaps', 'Search gaps');
      await page.getByRole('button', { name: 'Its words of acme' }).click();
      await page.getByRole('button', { name: `Close this gap ${words}` }).click();
      const form = page.locator('section[aria-label="Close a gap"]');
      await typeContext(page, 'left', ADA);
      await form.getByText('Nothing fits').waitFor();
      await form.locator('input[name=tool]').fill(REFUND);
      await form.getByRole('button', { name: 'Add as an example query…' }).click();
      await decide(page, 'customers say so');
      await form.locator('ol.hits > li', { hasText: REFUND }).waitFor();
    },
  },
  {
    name: 'load a source again, with the reason in the audit trail',
    run: async (run) => {
      const { page } = run;
      await open(page, 'sources', 'Sources');
      await page.getByRole('button', { name: 'Load again… docs' }).click();
      await decide(page, 'its server was deployed');
      const dialog = page.locator('dialog[open]');
      // Refused within a few seconds of the last load, which an operator tries again.
      await until('the source is loaded again', async () => {
        if ((await dialog.count()) === 0) return true;
        await dialog
          .locator('button[type=submit]')
          .click({ timeout: 1000 })
          .catch(() => undefined);
        return false;
      });
      const { items } = (await run.admin('audit?action=source.')).body as {
        readonly items: readonly { readonly subject: string; readonly reason: string }[];
      };
      const [newest] = items;
      if (newest?.subject !== 'docs' || newest.reason !== 'its server was deployed')
        throw new Error(`the trail has ${JSON.stringify(newest)}`);
    },
  },
];
