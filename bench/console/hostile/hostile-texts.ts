import type { Page } from 'playwright-core';
import { HOSTILE_PROBLEM, HOSTILE_SCREENS, MARKUP, NASTY } from './hostile-answers.js';
import { settled } from '../page-faults.js';
import { open, until } from '../run.js';

const MEGABYTE = 1_000_000;
const LONG = NASTY.padEnd(MEGABYTE, 'a long text ');
const ROUTES = '/admin/tools/';
/** What a screen may show of a megabyte before somebody asks for all. */
const MOST_SHOWN = 20_000;

/** A screen to which routes answer with hostile texts. */
export interface HostileScreen {
  /** The hash that opens it. */
  readonly screen: string;
  readonly title: string;
  /** Answers by the path of the route; one that ends with a slash is for everything below it. */
  readonly answers: Readonly<Record<string, object>>;
  /** Does what makes the screen show everything. */
  readonly act?: (page: Page) => Promise<void>;
}

/**
 * Answers with texts that no server of ours would send: markup, marks of direction, controls, a megabyte. Once in every
 * field of every screen, once as the problem of every screen, and once as a text that somebody wants to see as a whole.
 *
 * @throws Error if they are not shown as text, not cut, or cannot be seen as a whole
 */
export async function showHostileTexts(page: Page): Promise<void> {
  await showRealDefinition(page);
  await showMegabyte(page);
  for (const hostile of HOSTILE_SCREENS) {
    await showAnswered(page, hostile, () => checkShown(page, hostile.title));
    const paths = Object.keys(hostile.answers);
    const answers = Object.fromEntries(paths.map((path) => [path, HOSTILE_PROBLEM]));
    const where = `The problem of ${hostile.title}`;
    await showAnswered(page, { ...hostile, answers }, () => checkShown(page, where), 500);
  }
}

/** A tool of a real source whose texts are markup. */
async function showRealDefinition(page: Page): Promise<void> {
  await open(page, 'tools', 'Tools');
  await page.fill('input[name=words]', 'docs.markup');
  await page.getByRole('link', { name: 'docs.markup' }).first().click();
  const definition = page.locator('section[aria-label="Definition of docs.markup"]');
  await definition.getByText('<img src=x onerror=').first().waitFor();
  await definition
    .getByRole('button', { name: /^Show all/ })
    .first()
    .click();
  await definition.locator('pre.whole').first().waitFor();
  await checkShown(page, 'The definition of docs.markup');
}

async function showMegabyte(page: Page): Promise<void> {
  const decided = { id: 'hostile', kind: 'tool', value: 'x', tenantId: '', reason: LONG, actor: 'x', revision: 1 };
  const item = { ...decided, engagedAt: 1, expiresAt: 0, abortRunning: false, matched: 1, live: true };
  const megabyte = { screen: 'kill-switches', title: 'Kill switches', answers: { 'kill-switches': { items: [item] } } };
  await showAnswered(page, megabyte, async () => {
    const button = page.getByRole('button', { name: `Show all ${LONG.length.toLocaleString('en')} characters` });
    await button.waitFor();
    const shown = Number(await page.evaluate('document.querySelector("main").textContent.length'));
    if (shown > MOST_SHOWN) throw new Error(`${shown} characters are shown before anybody asks for all`);
    await button.click();
    const whole = (await page.locator('pre.whole').textContent()) ?? '';
    if (whole.length < MEGABYTE) throw new Error(`${whole.length} characters are shown as the whole text`);
    for (const seen of [MARKUP, '\\u{202e}gnp.exe', '\\u{200f}', '\\u{0}\\u{1b}[31m\\u{7}']) {
      if (!whole.includes(seen)) throw new Error(`the whole text does not show ${seen}`);
    }
    await checkShown(page, 'The whole text', Infinity);
  });
}

/** Looks at everything that a page shows or tells a screen reader. */
const LOOK = `[...document.querySelectorAll('body *')].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
]).concat(document.title)`;
/** A control within a control could not be used. */
const NOT_THERE = '#console :is(img, script, iframe, :is(button, a, summary) :is(button, a))';
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;
/** Of JSON, and its escapes. */
const MOST_IN_ONE_PIECE = 4200;

/** @throws Error if a text of others is markup, hides characters, is not cut, or is not there at all */
async function checkShown(page: Page, where: string, most = MOST_IN_ONE_PIECE): Promise<void> {
  await settled(page);
  await page
    .locator('#console bdi', { hasText: MARKUP.slice(0, 20) })
    .first()
    .waitFor({ state: 'attached' });
  if (await page.evaluate(`'hacked' in window || document.querySelector('${NOT_THERE}') !== null`)) {
    throw new Error(`${where}: a text of others was taken for markup, or is a control within a control`);
  }
  for (const text of (await page.evaluate(LOOK)) as string[]) {
    if (UNSEEN.test(text)) throw new Error(`${where} hides characters: ${JSON.stringify(text.slice(0, 200))}`);
    if (text.length > most) throw new Error(`${where} shows ${text.length} characters in one piece`);
  }
}

/** Opens a screen to whose routes this is answered, waits until it has asked them, and looks at it. */
async function showAnswered(
  page: Page,
  { screen, title, answers, act }: HostileScreen,
  look: () => Promise<void>,
  status = 200,
): Promise<void> {
  const paths = Object.keys(answers);
  const pathOf = ({ pathname }: URL) =>
    paths.find((path) => pathname === `${ROUTES}${path}` || (path.endsWith('/') && pathname.startsWith(ROUTES + path)));
  const isIt = (url: URL) => pathOf(url) !== undefined;
  const asked = new Set<string | undefined>();
  await open(page, screen === '' ? 'audit' : '', screen === '' ? 'Audit' : 'Overview');
  await page.route(isIt, (route) => {
    const path = pathOf(new URL(route.request().url()));
    asked.add(path);
    return route.fulfill({ status, json: answers[path ?? ''] });
  });
  try {
    await open(page, screen, title);
    await until(`${title} asked something`, async () => asked.size > 0);
    // What is below a list cannot be opened if the list fails.
    if (status === 200) {
      await act?.(page);
      for (const path of paths) await until(`${title} asked ${path}`, async () => asked.has(path));
    }
    await look();
  } finally {
    await page.unroute(isIt);
  }
}
