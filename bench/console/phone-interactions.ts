import type { Locator, Page } from 'playwright-core';
import type { Interaction } from './interaction.js';
import { SCREENS, settled } from './page-faults.js';
import { type ConsoleRun, decide, open, REFUND, TOKENS, until } from './run.js';

const PHONE = { width: 390, height: 844 };
const INPUT = { invoiceId: 'inv_1001', amount: 1, reason: 'check' };
/** The least size of what a thumb presses, in pixels. */
const THUMB = 40;

/** Runs work on the screen of a phone. */
async function onPhone(page: Page, work: () => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  try {
    await work();
  } finally {
    if (size) await page.setViewportSize(size);
  }
}

/** Presses a button as a thumb would: it is on screen once one has scrolled down, as a whole, and large enough. */
async function press(button: Locator): Promise<void> {
  await button.waitFor();
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error(`${await button.innerText()} is not on screen`);
  const { x, width, height } = box;
  if (x < 0 || x + width > PHONE.width)
    throw new Error(`${await button.innerText()} reaches from ${x} to ${x + width}`);
  if (height < THUMB || width < THUMB) throw new Error(`${await button.innerText()} is ${width} x ${height} pixels`);
  await button.click();
}

/** Opens a screen by the list of the menu. */
async function choose(page: Page, title: string): Promise<void> {
  await press(page.locator('.menu-button'));
  await press(page.locator('#screens').getByRole('link', { name: title }));
  await page.locator('h1', { hasText: title }).waitFor();
  if (await page.locator('#screens').isVisible()) throw new Error('the menu stays open');
}

async function askedApproval({ admin, call }: ConsoleRun, session: string): Promise<void> {
  const policy = { approval: [{ tools: 'billing.refund_*', scope: 'session' }] };
  await admin('policies/tenants/acme', { policy, reason: 'two people' });
  await until(`an approval of the session ${session} is asked for`, async () =>
    (await call(TOKENS.ada, REFUND, INPUT, session)).every((code) => code.startsWith('APPROVAL_')),
  );
}

/** What an operator on call does at night, at 390 pixels. They begin and end without a policy of acme. */
export const ON_PHONE: readonly Interaction[] = [
  {
    name: 'at 390 pixels: approve and refuse by thumb, reached by the list of the menu',
    run: async (run) => {
      const { page } = run;
      await askedApproval(run, 'phone-approved');
      await askedApproval(run, 'phone-refused');
      await onPhone(page, async () => {
        await open(page, '', 'Overview');
        await choose(page, 'Approvals');
        const card = (session: string) => page.locator('tr', { hasText: session });
        await press(card('phone-approved').getByRole('button', { name: 'Approve…' }));
        await decide(page, 'checked on the phone');
        await card('phone-approved').waitFor({ state: 'detached' });
        await press(card('phone-refused').getByRole('button', { name: 'Refuse…' }));
        await decide(page, 'not this one');
        await card('phone-refused').waitFor({ state: 'detached' });
      });
      await until('the decisions hold', async () => {
        const approved = await run.call(TOKENS.ada, REFUND, INPUT, 'phone-approved');
        const refused = await run.call(TOKENS.ada, REFUND, INPUT, 'phone-refused');
        return approved.every((code) => code === 'ok') && refused.every((code) => code === 'APPROVAL_REFUSED');
      });
      const { body } = await run.admin('policies?tenantId=acme');
      const [{ revision } = { revision: 0 }] = body['items'] as readonly { readonly revision: number }[];
      const reason = 'the test is over';
      await run.servers[0]?.request(
        `/admin/tools/policies/tenants/acme?${new URLSearchParams({ reason, expectedRevision: String(revision) }).toString()}`,
        TOKENS.oscar,
        undefined,
        {},
        'DELETE',
      );
    },
  },
  {
    name: 'at 390 pixels: see what is wrong, throw a switch and turn the tool on again by thumb',
    run: async (run) => {
      const { page } = run;
      await onPhone(page, async () => {
        await open(page, '', 'Overview');
        await choose(page, 'Tools');
        await page.fill('input[name=words]', REFUND);
        await press(page.getByRole('link', { name: REFUND, exact: true }));
        const panel = page.locator(`section[aria-label="Definition of ${REFUND}"]`);
        await press(panel.getByRole('link', { name: 'Turn off…' }));
        await page.locator('.radius', { hasText: '1 tool' }).waitFor();
        await press(page.getByRole('button', { name: 'Turn off…' }));
        const dialog = page.locator('dialog[open]');
        await dialog.locator('textarea[name=reason]').fill('wrong at night');
        const submit = dialog.locator('button[type=submit]');
        const box = await submit.boundingBox();
        if (!box || box.y + box.height > PHONE.height) throw new Error('the button of the dialog is below the screen');
        await press(submit);
        const card = page.locator('tr', { hasText: 'wrong at night' });
        await press(card.getByRole('button', { name: /^Turn on again…/ }));
        await decide(page, 'right again');
        await card.waitFor({ state: 'detached' });
      });
    },
  },
  {
    name: 'at 390 pixels: no screen is wider than the phone, and what can be pressed is on it',
    run: async ({ page }) => {
      await onPhone(page, async () => {
        for (const [screen, title] of SCREENS) {
          await open(page, screen, title);
          await settled(page);
          const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
          if (width > PHONE.width) throw new Error(`${title} is ${width} pixels wide`);
          for (const button of await page.locator('main :is(button, a.button)').all()) {
            const box = await button.boundingBox();
            if (box && box.x + box.width > PHONE.width + 1) {
              throw new Error(`${title}: ${await button.innerText()} ends at ${box.x + box.width}`);
            }
          }
        }
      });
    },
  },
];
