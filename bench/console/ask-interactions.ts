import type { Page } from 'playwright-core';
import type { Interaction } from './interaction.js';
import { ADA, HOMER, open, REFUND, shows, TOKENS, typeContext, typedContext } from './run.js';

/** The interactions that ask and change nothing. */
export const ASKING: readonly Interaction[] = [
  {
    name: 'search as a caller, with score parts and tokens',
    run: async ({ page }) => {
      await open(page, 'playground', 'Playground');
      await typeContext(page, 'left', ADA);
      await page.fill('input[name=query]', 'refund an invoice');
      const hit = page.locator('ol.hits > li', { hasText: REFUND });
      await hit.waitFor();
      await hit.getByText(/\d tokens/).waitFor();
      await hit.getByText(/Parts of the score/).waitFor();
      await shows(page, /The answer costs/);
      await shows(page, /A plain list of all/);
    },
  },
  {
    name: 'why not: the checks of a decision, and what the visibility policy that hid the tool looked at',
    run: async ({ page }) => {
      await open(page, 'explain', 'Why not?');
      await typeContext(page, 'left', HOMER);
      await page.fill('input[name=tool]', REFUND);
      await page
        .locator('p.outcome-deny', {
          hasText: 'The check visibility policy decides: visibility policy PlanPolicy left it out',
        })
        .waitFor();
      const checks = page.locator('details', { hasText: 'checks pass' });
      if (await checks.locator('li').first().isVisible()) throw new Error('the other checks are not folded');
      await checks.locator('summary').click();
      await checks.locator('li.layer-deny', { hasText: 'visibility policy' }).waitFor();
      await checks.getByText('Not looked at, because a check above refuses').waitFor();
      const looked = page.locator('section[aria-label="What the visibility policy looked at"]');
      await looked.locator('li', { hasText: /tenantId globex, userId homer, plan starter/ }).waitFor();
      await looked.getByRole('link', { name: 'with its tags and what it does' }).click();
      await page.getByRole('link', { name: REFUND, exact: true }).waitFor();
    },
  },
  {
    name: 'half a name: the tools whose names contain it; what the typed caller may lack; who called last',
    run: async ({ page, call }) => {
      await call(TOKENS.ada, 'billing.list_invoices', {}, 'recent-session');
      await open(page, 'explain?tool=refund', 'Why not?');
      await shows(page, 'No tool has this name:');
      await page.getByRole('button', { name: REFUND }).click();
      await page.locator('p.outcome').getByText('The check').waitFor();
      await shows(page, /for exactly this caller/);
      await typeContext(page, 'left', { tenantId: 'globex' });
      await page.getByRole('button', { name: 'ada@acme' }).first().click();
      const caller = await typedContext(page, 'left');
      if (caller['userId'] !== 'ada') throw new Error(`it asks as ${JSON.stringify(caller)}`);
    },
  },
  {
    name: 'the difference of two callers',
    run: async ({ page }) => {
      await open(page, 'playground', 'Playground');
      await typeContext(page, 'left', ADA);
      await typeContext(page, 'right', HOMER);
      await page
        .locator('.differences li', { hasText: new RegExp(`${REFUND}.*visibility policy hides it from the second`) })
        .waitFor();
    },
  },
  {
    name: 'ask why as the caller of a refused call, from its row and from the followed call',
    run: async ({ page, call }) => {
      const [refused] = await call(TOKENS.homer, REFUND, { invoiceId: 'inv_1001' }, 'refused-session');
      if (refused !== 'TOOL_NOT_FOUND' && refused !== 'TOOL_NOT_AVAILABLE')
        throw new Error(`the call ended with ${refused}`);
      const refusedRow = async () => {
        await open(page, 'calls', 'Calls');
        await page.fill('input[name=sessionId]', 'refused-session');
        const row = page.locator('table tr', { hasText: REFUND }).first();
        await row.locator('td', { hasText: 'visibility policy' }).waitFor();
        return row;
      };
      await (await refusedRow()).getByRole('link', { name: `Why? ${REFUND}` }).click();
      await answersWhy(page);
      await (await refusedRow()).getByRole('link', { name: `Follow ${REFUND}` }).click();
      await page.getByRole('link', { name: `Ask why as this caller ${REFUND}` }).click();
      await answersWhy(page);
    },
  },
  {
    name: 'follow one call from the search to its result',
    run: async ({ page, servers: [server] }) => {
      const own = { 'x-session-id': 'followed', 'x-run-id': 'followed-run' };
      const send = (path: string, body: object) => server?.request(`/toolbox/${path}`, TOKENS.ada, body, own);
      await send('search', { query: 'list the invoices' });
      await server?.request('/toolbox', TOKENS.ada, undefined, own);
      await send('call', { name: 'billing.list_invoices', arguments: {} });
      await open(page, 'calls', 'Calls');
      await page.fill('input[name=runId]', 'followed-run');
      await page
        .getByRole('link', { name: /Follow billing\.list_invoices/ })
        .first()
        .click();
      const followed = page.locator('section[aria-label="Followed call"]');
      await followed.getByText('Searched and found').waitFor();
      await followed.getByText('Was shown').first().waitFor();
      await followed.locator('li.layer-pass', { hasText: /Outcome ok.*bytes out/ }).waitFor();
    },
  },
  {
    name: 'tokens by tenant, and the largest definitions and results',
    run: async ({ page }) => {
      await open(page, 'tokens', 'Tokens');
      await page.fill('input[name=tenant]', 'acme');
      await shows(page, /tokens less than plain lists|tokens$/);
      await typeContext(page, 'left', ADA);
      await page.locator('ol.parts li', { hasText: 'github.' }).first().waitFor();
      await page.locator('td', { hasText: 'billing.list_invoices' }).first().waitFor();
      await page.locator('td', { hasText: 'ada@acme' }).first().waitFor();
    },
  },
  {
    name: 'connect a client, which appears when it calls',
    run: async ({ page, servers: [server] }) => {
      await open(page, 'clients', 'Clients');
      const line = await page.locator('pre[aria-label="Line to copy"]').innerText();
      const url = /claude mcp add --transport http tools (\S+)/.exec(line)?.[1];
      if (url !== `${server?.url}/mcp`) throw new Error(`the line names ${url}`);
      const request = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'check', version: '1' } },
      };
      const headers = {
        authorization: `Bearer ${TOKENS.newcomer}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request) });
      await opened.text();
      const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const send = async (body: object) =>
        (
          await fetch(url, { method: 'POST', headers: session, body: JSON.stringify({ jsonrpc: '2.0', ...body }) })
        ).text();
      await send({ method: 'notifications/initialized' });
      await send({ id: 2, method: 'tools/call', params: { name: 'tool_search', arguments: { query: 'invoices' } } });
      await page.locator('td', { hasText: 'newcomer@acme' }).waitFor();
    },
  },
];

/** "Why not?" has the tool and the caller of homer's call, how it was decided then, and how it is now. */
async function answersWhy(page: Page): Promise<void> {
  await page.locator('h1', { hasText: 'Why not?' }).waitFor();
  const tool = await page.inputValue('input[name=tool]');
  const caller = await typedContext(page, 'left');
  const { tenantId, userId, sessionId } = caller;
  if (
    JSON.stringify([tool, tenantId, userId, sessionId]) !==
    JSON.stringify([REFUND, 'globex', 'homer', 'refused-session'])
  )
    throw new Error(`it asks for ${tool} as ${JSON.stringify(caller)}`);
  await page
    .locator('section[aria-label="At the call"]', { hasText: /the check visibility policy decided: .*PlanPolicy/ })
    .waitFor();
  await page.locator('p.outcome-deny', { hasText: 'The check visibility policy decides' }).waitFor();
}
