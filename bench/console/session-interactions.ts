import type { Page } from 'playwright-core';
import type { Interaction } from './interaction.js';
import { watchFaults } from './page-faults.js';
import { allObey, decide, open, shows, signIn, TOKENS } from './run.js';

const REASON = 'typed before the token expired';
const WAIT_MS = 20_000;
const isCookieDecision = (url: URL) => url.pathname === '/cookie/tools/kill-switches';
const isOfCookie = (url: URL) => url.pathname.startsWith('/cookie/tools/');
const isDecision = (url: URL) => url.pathname.endsWith('/admin/tools/kill-switches');

/** Decides with a token that has expired, signs in again, and sends what was typed. */
export async function expireWhileDeciding(page: Page, token: string, reason: string): Promise<void> {
  // The decision is sent with a token that the server does not know, and it answers with 401 itself.
  await page.route(isDecision, (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer expired-token' } }),
  );
  try {
    await decide(page, reason);
    const form = page.locator('dialog[open]', { hasText: 'Sign in again' });
    await form.getByText('what you typed stay as they are').waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor();
  } finally {
    await page.unroute(isDecision);
  }
  await signIn(page, token);
  await sendTyped(page, reason);
}

/** The interactions about the end of a session. */
export const SIGNING_IN: readonly Interaction[] = [
  {
    name: 'a token that expires in mid-use: sign in again, and what was typed stays',
    run: async ({ page, servers }) => {
      await typeSwitch(page, 'nobody');
      await expireWhileDeciding(page, TOKENS.olga, REASON);
      await shows(page, `Turned off: ${allObey(servers.length)}`);
      await page.locator('tr', { hasText: REASON }).waitFor();
    },
  },
  {
    name: "the application's own cookie signs in, its header goes with writes, and its end keeps what was typed",
    run: async ({ page: other, servers }) => {
      const origin = servers[0]?.url ?? '';
      const page = await other.context().newPage();
      page.setDefaultTimeout(WAIT_MS);
      const faults = watchFaults(page, origin);
      try {
        await useCookie(page, origin, servers.length);
      } finally {
        await page.close();
      }
      const found = [...faults.cspViolations, ...faults.externalRequests, ...faults.errors];
      if (found.length > 0) throw new Error(found.join('; '));
    },
  },
];

async function useCookie(page: Page, origin: string, instances: number): Promise<void> {
  // What an earlier attempt left behind.
  await fetch(`${origin}/cookie/end`);
  await page.goto(`${origin}/cookie/console`);
  const form = page.locator('form.sign-in');
  await form.getByRole('link', { name: 'Sign in' }).waitFor();
  if ((await form.locator('input').count()) > 0) throw new Error('it asks for a token');
  await form.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('h1', { hasText: 'You are signed in' }).waitFor();
  await page.goto(`${origin}/cookie/console`);
  await page.locator('h1', { hasText: 'Overview' }).waitFor();
  if ((await page.evaluate('document.cookie')) !== '') throw new Error('a script of the page can read the cookie');
  await open(page, 'tools', 'Tools');
  await page.getByRole('link', { name: 'docs.read_page', exact: true }).waitFor();

  await typeSwitch(page, 'by-cookie');
  const written = page.waitForRequest(
    (request) => request.method() === 'POST' && isCookieDecision(new URL(request.url())),
  );
  await decide(page, 'by a cookie');
  const headers = await (await written).allHeaders();
  if (headers['x-tool-search-console'] === undefined) throw new Error('the write has no header against forgery');
  if (headers['authorization'] !== undefined) throw new Error('the write carries a token');
  await shows(page, `Turned off: ${allObey(instances)}`);
  const row = page.locator('tr', { hasText: 'by a cookie' });
  await row.getByText('carla@ops').waitFor();

  const forged = await page.evaluate(FORGED);
  if (JSON.stringify(forged) !== '[403,"FORBIDDEN"]')
    throw new Error(`a write without the header: ${JSON.stringify(forged)}`);
  if ((await page.locator('tr', { hasText: 'forged' }).count()) > 0) throw new Error('the forged write was done');

  await typeSwitch(page, 'by-cookie-again');
  // The decision is what finds that the session has ended: not the status, a preview or a list that is read meanwhile.
  await page.route(isOfCookie, (route) => {
    const isDecided = route.request().method() === 'POST' && isCookieDecision(new URL(route.request().url()));
    return isDecided ? route.continue() : route.abort();
  });
  await fetch(`${origin}/cookie/end`);
  await decide(page, REASON);
  const again = page.locator('dialog[open]', { hasText: 'Sign in again' });
  await again.getByText('what you typed stay as they are').waitFor();
  await page.unroute(isOfCookie);
  await again.getByRole('button', { name: 'I have signed in' }).click();
  await again.getByText('Your session has ended. Sign in to the application.').waitFor();
  const opened = page.context().waitForEvent('page');
  await again.getByRole('link', { name: 'Sign in (in another tab)' }).click();
  const application = await opened;
  await application.locator('h1', { hasText: 'You are signed in' }).waitFor();
  await application.close();
  await again.getByRole('button', { name: 'I have signed in' }).click();
  await again.waitFor({ state: 'hidden' });
  await sendTyped(page, REASON);
  await shows(page, `Turned off: ${allObey(instances)}`);
  await page.locator('tr', { hasText: 'by-cookie-again' }).waitFor();
}

async function typeSwitch(page: Page, tenant: string): Promise<void> {
  await open(page, 'kill-switches', 'Kill switches');
  await page.fill('input[name=value]', 'docs.read_page');
  await page.fill('input[name=tenant]', tenant);
  await page.getByRole('button', { name: 'Turn off…' }).click();
}

/** Sends the decision whose reason was typed before the session ended. */
async function sendTyped(page: Page, reason: string): Promise<void> {
  const dialog = page.locator('dialog[open]', { has: page.locator('textarea[name=reason]') });
  const typed = await dialog.locator('textarea[name=reason]').inputValue();
  if (typed !== reason) throw new Error(`the reason is now ${JSON.stringify(typed)}`);
  await dialog.locator('button[type=submit]').click();
}

/** Runs in the page: what a form of another site could send, with the cookie. */
const FORGED = `fetch('../tools/kill-switches', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'tool', value: 'docs.read_page', reason: 'forged' }),
}).then(async (response) => [response.status, (await response.json()).code])`;
