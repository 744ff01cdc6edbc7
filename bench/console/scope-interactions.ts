import type { Page, Response } from 'playwright-core';
import type { Interaction } from './interaction.js';
import { SCREENS, settled } from './page-faults.js';
import { expireWhileDeciding } from './session-interactions.js';
import { type ConsoleRun, decide, open, REFUND, shows, signIn, TOKENS, typeContext, until } from './run.js';

const OF_GLOBEX = /globex|homer/i;
const LISTS_OF_TENANTS = ['kill-switches', 'policies', 'approvals', 'calls', 'activations', 'audit', 'search-gaps'];
/** The decisions to which a screen leads, by its title. */
const DECISIONS: Readonly<Record<string, readonly string[]>> = {
  'Kill switches': ['Turn off…', 'Turn on again…'],
  Quarantine: ['Approve exactly this…', 'Reject…'],
  Approvals: ['Approve…', 'Refuse…'],
  'Access policies': ['Set…', 'Remove…'],
  Sources: ['Load again…'],
  'Search gaps': ['Add as an example query…'],
};

/** The interactions about operators who may not see or decide everything. */
export const SCOPED: readonly Interaction[] = [
  {
    name: 'an operator of one tenant sees and decides for it alone, and no screen and no answer tells of others',
    run: async (run) => {
      const { page, call } = run;
      await makeDataOfGlobex(run);
      await signInAgain(page, TOKENS.tina);
      await seesNothingOfGlobex(page);
      // The link of an operator of everything, whose field for a tenant this one does not have.
      await open(page, `tools?tenant=globex&contains=${REFUND}`, 'Tools');
      await page.getByRole('link', { name: REFUND, exact: true }).waitFor();
      await open(page, '', 'Overview');
      await shows(page, /kill switch/);
      if ((await page.getByRole('heading', { name: 'Instances' }).count()) > 0) throw new Error('instances are shown');
      await open(page, 'kill-switches', 'Kill switches');
      await page.fill('input[name=value]', REFUND);
      await page.getByRole('button', { name: 'Turn off…' }).click();
      // The form is that of this tenant: it must stay while nobody is signed in.
      await expireWhileDeciding(page, TOKENS.tina, 'turned off by the tenant');
      await shows(page, 'Turned off: all instances obey');
      const row = page.locator('tr', { hasText: 'turned off by the tenant' });
      await row.waitFor();
      const refusals = await call(TOKENS.ada, REFUND, { invoiceId: 'inv-1' });
      if (refusals.includes('ok')) throw new Error('the switch of the tenant does not hold');
      await row.getByRole('button', { name: 'Turn on again' }).click();
      await decide(page, 'on again');
      await row.waitFor({ state: 'detached' });
      await open(page, 'explain', 'Why not?');
      await typeContext(page, 'left', { tenantId: 'globex' });
      await page.fill('input[name=tool]', REFUND);
      await shows(page, 'must name one of them');
    },
  },
  {
    name: 'an operator who only reads sees every screen, with every decision off, and why',
    run: async (run) => {
      const { page } = run;
      run.changeDocs('Reads a page, and needs a decision.');
      await signInAgain(page, TOKENS.rita);
      try {
        for (const [screen, title] of SCREENS) {
          await open(page, screen, title);
          await findsDecisionsOff(page, title);
        }
      } finally {
        await signInAgain(page, TOKENS.olga);
      }
    },
  },
];

async function signInAgain(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, token);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Something of globex on every screen that shows what tenants do. @throws Error if there is none */
async function makeDataOfGlobex({ admin, call, servers: [server] }: ConsoleRun): Promise<void> {
  await admin('kill-switches', { kind: 'tool', value: 'docs.secret', tenantId: 'globex', reason: 'of globex' });
  // The first call loads the tool, the second one waits for an approval.
  await call(TOKENS.homer, 'docs.read_page', { page: 'globex' }, 'homers-session');
  await admin('policies/tenants/globex', { policy: { approval: ['docs.*'] }, reason: 'of globex' });
  await call(TOKENS.homer, 'docs.read_page', { page: 'globex' }, 'homers-session');
  const own = { 'x-session-id': 'homers-session', 'x-run-id': 'homers-run' };
  await server?.request('/toolbox/search', TOKENS.homer, { query: 'zorble the homerquux' }, own);
  await server?.request('/toolbox/search', TOKENS.homer, { query: 'list the invoices' }, own);
  await server?.request('/toolbox', TOKENS.homer, undefined, own);
  for (const path of LISTS_OF_TENANTS) {
    await until(`${path} has something of globex`, async () => {
      const { body } = await admin(`${path}?tenantId=globex`);
      return (body['items'] as readonly object[]).length > 0;
    });
  }
}

/** Reads every screen, and everything that the server answers meanwhile, as an operator of acme. */
async function seesNothingOfGlobex(page: Page): Promise<void> {
  const answers: Promise<string>[] = [];
  const keep = (response: Response) => {
    if (response.url().includes('/admin/tools/')) answers.push(response.text().catch(() => ''));
  };
  page.on('response', keep);
  try {
    for (const [screen, title] of SCREENS) {
      await open(page, screen, title);
      await isShown(page, title);
      if (OF_GLOBEX.test(await page.locator('body').innerText())) throw new Error(`${title} shows something of globex`);
    }
  } finally {
    page.off('response', keep);
  }
  const leak = (await Promise.all(answers)).find((answer) => OF_GLOBEX.test(answer));
  if (leak !== undefined) throw new Error(`the server tells something of globex: ${leak.slice(0, 200)}`);
  if (answers.length < SCREENS.length) throw new Error(`only ${answers.length} answers were read`);
}

/** What an operator who only reads finds on a screen: everything, and each decision off, saying so. */
async function findsDecisionsOff(page: Page, title: string): Promise<void> {
  await isShown(page, title);
  const click = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  if (title === 'Quarantine') {
    await page.locator('tr', { hasText: 'yours to make' }).first().waitFor();
    await page
      .getByRole('link', { name: /^docs\./ })
      .first()
      .click();
  }
  if (title === 'Search gaps') {
    await click('Its words of globex');
    await click(/^Close this gap/);
  }
  for (const name of DECISIONS[title] ?? []) {
    const buttons = page.locator('main').getByRole('button', { name });
    await buttons.first().waitFor();
    for (const button of await buttons.all()) {
      const text = await button.innerText();
      if (!text.includes('(read only)') || (await button.isEnabled())) throw new Error(`${text} is not off`);
    }
  }
}

/** @throws Error if a part of the screen could not be read */
async function isShown(page: Page, title: string): Promise<void> {
  await settled(page);
  const failures = await page.locator('main [role=alert]').allInnerTexts();
  if (failures.length > 0) throw new Error(`${title} is not shown: ${failures.join('; ')}`);
}
