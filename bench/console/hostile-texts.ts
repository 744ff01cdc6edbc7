import type { Page } from 'playwright-core';
import { open } from './run.js';

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> & "quotes"';
const MEGABYTE = 1_000_000;
/** Markup, marks that turn the direction, controls and an unseen character; then a megabyte of words. */
const HOSTILE = `${MARKUP} \u202egnp.exe\u202c \u2066\u200fabc \u0000\u001b[31m\u0007 `.padEnd(
  MEGABYTE,
  'a long text ',
);
/** What a screen may show of such texts before somebody asks for all. */
const MOST_SHOWN = 20_000;

/** A screen whose list has one entry with hostile texts, and where the rest of the long one opens. */
interface HostileScreen {
  readonly screen: string;
  readonly title: string;
  readonly path: string;
  readonly item: object;
}

const SCREENS: readonly HostileScreen[] = [
  {
    screen: 'kill-switches',
    title: 'Kill switches',
    path: 'kill-switches',
    item: {
      id: 'hostile',
      kind: 'tool',
      value: MARKUP,
      tenantId: MARKUP,
      reason: HOSTILE,
      actor: MARKUP,
      engagedAt: 1,
      expiresAt: 0,
      abortRunning: false,
      matched: 1,
      revision: 1,
      live: true,
    },
  },
  {
    screen: 'audit',
    title: 'Audit',
    path: 'audit',
    item: {
      seq: 1,
      revision: 1,
      at: 1,
      actor: MARKUP,
      action: MARKUP,
      subject: MARKUP,
      tenantId: MARKUP,
      reason: HOSTILE,
      before: { text: MARKUP },
      after: null,
    },
  },
];

/**
 * Shows a real definition whose texts are markup, and answers with texts that no server of ours would send: a megabyte
 * with markup, marks of direction and controls.
 *
 * @throws Error if they are not shown as text, not cut, or cannot be seen as a whole
 */
export async function showHostileTexts(page: Page): Promise<void> {
  await open(page, 'tools', 'Tools');
  await page.fill('input[name=contains]', 'docs.markup');
  await page.getByRole('button', { name: 'docs.markup' }).click();
  const definition = page.locator('section[aria-label="Definition of docs.markup"]');
  await definition.getByText('<img src=x onerror=').first().waitFor();
  await showWhole(page, 'section[aria-label="Definition of docs.markup"]');
  const answer = {
    description: HOSTILE,
    inputSchema: { description: HOSTILE },
    exampleQueries: [HOSTILE],
    hash: 'f00d',
  };
  await answered(page, 'catalog/docs.markup', answer, async () => {
    await open(page, 'overview', 'Overview');
    await open(page, 'tools', 'Tools');
    await page.fill('input[name=contains]', 'docs.markup');
    await page.getByRole('button', { name: 'docs.markup' }).click();
    await checkMegabyte(page, 'Tools');
  });
  for (const { screen, title, path, item } of SCREENS) {
    await answered(page, path, { items: [item] }, async () => {
      await open(page, 'overview', 'Overview');
      await open(page, screen, title);
      await checkMegabyte(page, title);
    });
  }
}

async function checkMegabyte(page: Page, title: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Show all 1,000,0\d\d characters|^Show all 1,000,000 characters/ })
    .first()
    .waitFor();
  const shown = Number(await page.evaluate('document.querySelector("main").textContent.length'));
  if (shown > MOST_SHOWN) throw new Error(`${title} shows ${shown} characters before anybody asks for all`);
  await showWhole(page, 'main');
  const whole = String(await page.evaluate('document.querySelector("pre.whole").textContent'));
  if (whole.length < MEGABYTE) throw new Error(`${title} shows ${whole.length} characters as the whole text`);
  for (const seen of [MARKUP, '\\u{202e}gnp.exe', '\\u{200f}', '\\u{0}\\u{1b}[31m\\u{7}']) {
    if (!whole.includes(seen)) throw new Error(`${title} does not show ${seen}`);
  }
  const text = String(await page.evaluate('document.querySelector("main").textContent'));
  // eslint-disable-next-line no-control-regex
  if (/[\u0000\u0007\u001b\u200f\u202c\u202e\u2066]/.test(text)) {
    throw new Error(`${title} shows characters that a reader does not see`);
  }
}

/** Opens the first cut text, and makes sure that nothing of the screen is markup of others. */
async function showWhole(page: Page, within: string): Promise<void> {
  const part = page.locator(within).first();
  await part
    .getByRole('button', { name: /^Show all/ })
    .first()
    .click();
  await part.locator('pre.whole').first().waitFor();
  if (await page.evaluate('"hacked" in window || document.querySelector("main :is(img, script, iframe)") !== null')) {
    throw new Error('a text of others was taken for markup');
  }
}

/** Answers a route for operators with this while `work` runs. */
async function answered(page: Page, path: string, answer: object, work: () => Promise<void>): Promise<void> {
  const isIt = (url: URL) => url.pathname === `/admin/tools/${path}`;
  await page.route(isIt, (route) => route.fulfill({ json: answer }));
  try {
    await work();
  } finally {
    await page.unroute(isIt);
  }
}
