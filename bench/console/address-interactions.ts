import type { Interaction } from './interaction.js';
import { ADA, HOMER, open, REFUND, shows, signIn, TOKENS, typeContext, typedContext, until } from './run.js';

/** The interactions about how it goes, what an address shows, and who is asking. */
export const BY_ADDRESS: readonly Interaction[] = [
  {
    name: 'the overview: what waits on top, calls and refusals of a period by source and tenant, values by keyboard and as a table',
    run: async ({ page, call }) => {
      await call(TOKENS.ada, 'billing.list_invoices', {}, 'overview-session');
      await call(TOKENS.homer, REFUND, { invoiceId: 'inv_1001' }, 'overview-session');
      await open(page, '', 'Overview');
      await page.locator('section[aria-label="Waits for a person"]').waitFor();
      await page.locator('select[name=period]').selectOption('hour');
      await page.locator('li', { hasText: /^[1-9][\d,]* calls$/ }).waitFor();
      const chart = page.locator('figure', { has: page.getByText('Calls', { exact: true }) }).first();
      await chart.locator('.legend li', { hasText: 'refused' }).waitFor();
      await chart.getByRole('slider').focus();
      await page.keyboard.press('End');
      await chart
        .locator('.readout', { hasText: /\d\d:\d\d: ended well [\d,]+, failed [\d,]+, refused [\d,]+/ })
        .waitFor();
      await page.keyboard.press('Home');
      if ((await chart.getByRole('slider').getAttribute('aria-valuenow')) !== '0')
        throw new Error('Home does not work');
      await chart.locator('summary').click();
      await chart
        .locator('table td', { hasText: /^\d\d:\d\d$/ })
        .first()
        .waitFor();
      await page.locator('table', { hasText: 'By source' }).getByRole('link', { name: 'app' }).waitFor();
      await page.locator('table', { hasText: 'By tenant' }).getByRole('link', { name: 'globex' }).waitFor();
      await page
        .locator('table', { hasText: 'Refused, by check' })
        .getByRole('link', { name: 'visibility policy' })
        .click();
      await page.locator('h1', { hasText: 'Calls' }).waitFor();
      await shows(page, 'those that the check visibility policy decided');
      await page.locator('td', { hasText: 'homer@globex' }).first().waitFor();
      await page.locator('select[name=period]').waitFor({ state: 'detached' });
      await open(page, '?period=week', 'Overview');
      await page.locator('li', { hasText: /^[1-9][\d,]* calls$/ }).waitFor();
    },
  },
  {
    name: 'a link that is sent: filters, the open tool and the caller are in the address, and “Back” closes what was opened',
    run: async ({ page }) => {
      await open(page, 'tools', 'Tools');
      await page.fill('input[name=words]', 'refund');
      await page.getByRole('link', { name: REFUND, exact: true }).click();
      const panel = page.locator(`section[aria-label="Definition of ${REFUND}"]`);
      await panel.waitFor();
      await until('the address has the filter and the tool', async () => {
        const query = new URLSearchParams(page.url().split('?').at(-1));
        return query.get('contains') === 'refund' && query.get('open') === REFUND;
      });
      const colleague = await page.context().newPage();
      try {
        await colleague.goto(page.url());
        await signIn(colleague, TOKENS.oscar);
        await colleague.locator(`section[aria-label="Definition of ${REFUND}"]`).waitFor();
        if ((await colleague.inputValue('input[name=words]')) !== 'refund') throw new Error('the filter is not there');
      } finally {
        await colleague.close();
      }
      await page.goBack();
      await panel.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: REFUND, exact: true }).click();
      await panel.waitFor();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'who is asking: a form with completion from the record and a saved caller, and JSON behind a switch',
    run: async ({ page, call }) => {
      await call(TOKENS.ada, 'billing.list_invoices', {}, 'completed-session');
      await open(page, `explain?tool=${REFUND}`, 'Why not?');
      await typeContext(page, 'left', { tenantId: 'acme' });
      await page.locator('input[name=json-left]').uncheck();
      const user = page.locator('input[name=caller-userId]');
      const list = await user.getAttribute('list');
      await page.locator(`datalist[id="${list}"] option[value=ada]`).waitFor({ state: 'attached' });
      await user.fill('ada');
      await page.locator('input[name=caller-roles]').fill('finance, support');
      const typed = await typedContext(page, 'left');
      if (JSON.stringify(typed) !== JSON.stringify({ tenantId: 'acme', userId: 'ada', roles: ['finance', 'support'] }))
        throw new Error(`the form asks as ${JSON.stringify(typed)}`);
      const form = page.locator('fieldset.caller');
      await form.locator('summary').click();
      await form.getByLabel('Save this one as').fill('finance of acme');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await typeContext(page, 'left', HOMER);
      await form.getByLabel('Ask as').selectOption('finance of acme');
      const saved = await typedContext(page, 'left');
      if (JSON.stringify(saved) !== JSON.stringify({ tenantId: 'acme', roles: ['finance', 'support'] }))
        throw new Error(`the saved caller is ${JSON.stringify(saved)}`);
      await form.getByRole('button', { name: 'Forget' }).click();
      await page.locator('input[name=json-left]').uncheck();
    },
  },
  {
    name: 'the state of a tool after all checks, for everybody and for a chosen caller',
    run: async ({ page, admin }) => {
      await open(page, 'tools', 'Tools');
      await page.fill('input[name=words]', REFUND);
      const row = page.locator('tr', { has: page.getByRole('link', { name: REFUND, exact: true }) });
      await row.getByText('usable').waitFor();
      await page.locator('select[name=as]').selectOption('caller');
      await typeContext(page, 'left', HOMER);
      await row.getByText('visibility policy').first().waitFor();
      await typeContext(page, 'left', ADA);
      await row.getByText('usable').waitFor();
      await admin('policies/tenants/acme', { policy: { deny: [REFUND] }, reason: 'for a moment' });
      // Nobody reloads: it follows the decisions of operators.
      await row.getByText('access policy').first().waitFor();
      await page.locator('select[name=as]').selectOption('');
      await page.fill('input[name=tenant]', 'acme');
      await row.getByText('access policy').first().waitFor();
      await page.fill('input[name=tenant]', 'globex');
      await row.getByText('usable before visibility policies').waitFor();
      await open(page, 'policies', 'Access policies');
      await page.locator('tr', { hasText: 'for a moment' }).getByRole('button', { name: 'Remove…' }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.locator('textarea[name=reason]').fill('the moment is over');
      await dialog.locator('button[type=submit]').click();
      await shows(page, /No access policy is stored/);
    },
  },
];
