import type { Interaction } from './interaction.js';
import { decide, open, shows, signIn, TOKENS } from './run.js';

const REASON = 'typed before the token expired';
const isOperators = (url: URL) => url.pathname.startsWith('/admin/tools/');

/** The interactions about the end of a session. */
export const SIGNING_IN: readonly Interaction[] = [
  {
    name: 'a token that expires in mid-use: sign in again, and what was typed stays',
    run: async ({ page, servers }) => {
      await open(page, 'kill-switches', 'Kill switches');
      await page.fill('input[name=value]', 'docs.read_page');
      await page.fill('input[name=tenant]', 'nobody');
      await page.getByRole('button', { name: 'Turn off…' }).click();
      // From now on the server is sent a token that it does not know, and answers with 401 itself.
      await page.route(isOperators, (route) =>
        route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer expired-token' } }),
      );
      try {
        await decide(page, REASON);
        const form = page.locator('dialog[open]', { hasText: 'Sign in again' });
        await form.getByText('what you typed stay as they are').waitFor();
        await page.keyboard.press('Escape');
        await form.waitFor();
      } finally {
        await page.unroute(isOperators);
      }
      await signIn(page, TOKENS.olga);
      const dialog = page.locator('dialog[open]');
      const typed = await dialog.locator('textarea[name=reason]').inputValue();
      if (typed !== REASON) throw new Error(`the reason is now ${JSON.stringify(typed)}`);
      await dialog.locator('button[type=submit]').click();
      await shows(page, `Turned off: ${servers.length} of ${servers.length} instances obey`);
      await page.locator('tr', { hasText: REASON }).waitFor();
    },
  },
];
