import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { type AccountsApp, CONNECT_URL, REDIRECT_URI, startAccountsApp } from './support/accounts-app.js';
import { HostileProvider } from './support/hostile-provider.js';
import { MailServer } from './support/mail-server.js';

const VERIFIER = 'known-to-the-hostile-provider'.repeat(2);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** RFC 9700, section 4.4: a user begins at a hostile source, whose provider sends the browser to an honest one. */
describe('a code of one provider is not sent to another', () => {
  let honest: AuthorizationServer;
  let hostile: HostileProvider;
  const servers: MailServer[] = [];
  let app: AccountsApp;
  const locationOf = async (path: string, user = 'acme.ann') =>
    new URL((await app.visit(path, user)).headers.get('location')!);
  /** Opens the page of the hostile provider, and returns where that sends the browser. */
  const forwarded = async () => {
    const page = await locationOf('/connect/to/evil');
    expect(page.origin).toBe(hostile.url);
    expect(page.searchParams.get('redirect_uri')).toBe(`${CONNECT_URL}/callback/to/evil`);
    return new URL((await fetch(page, { redirect: 'manual' })).headers.get('location')!);
  };

  beforeAll(async () => {
    honest = await AuthorizationServer.start(join(__dirname, 'support/accounts-provider-child.mjs'), REDIRECT_URI);
    await honest.command('silent', { silent: true });
    hostile = await new HostileProvider().start();
  });
  afterEach(async () => {
    await app.app.close();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  afterAll(async () => {
    hostile.stop();
    await honest.stop();
  });

  it.each([
    ['registers', undefined],
    ['is configured with', { clientId: 'shop:app', clientSecret: 'secret/of the+shop' }],
  ])('as the client that the application %s', async (_, oauth) => {
    const [mail, evil] = [new MailServer(honest.url, 'modern'), new MailServer(hostile.url, 'modern')];
    for (const server of [mail, evil]) servers.push(await server.start());
    const egress = { allow: ['127.0.0.1', 'localhost'] };
    const source = new McpSource({ name: 'evil', url: evil.url, auth: 'user', changes: 'trust', egress });
    app = await startAccountsApp(
      { url: mail.url, ...(oauth && { oauth: { issuer: honest.url, ...oauth } }) } as Partial<McpSourceOptions>,
      { sources: [source] },
    );
    // Everybody who connects an account sees how the application is known at the honest provider.
    const seen = (await locationOf('/connect/to/mail', 'acme.eve')).searchParams;
    hostile.forward = (asked) => {
      const request = { ...Object.fromEntries(seen), state: asked.get('state')!, code_challenge: CHALLENGE };
      return `${honest.url}/auth?${new URLSearchParams(request).toString()}`;
    };

    const back = await signIn(await forwarded(), 'ann-at-mail');
    expect(back.searchParams.get('code')).toMatch(/\w/);
    expect(back.searchParams.has('iss')).toBe(false);
    const answer = await app.visit(back.pathname + back.search, 'acme.ann');
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'INVALID_REQUEST' }]);
    // Nor at the address of the hostile source: the state was used up.
    expect((await app.visit(`/connect/callback/to/evil${back.search}`, 'acme.ann')).status).toBe(400);
    expect(hostile.stolen).toEqual([]);

    // The honest provider does not know the address of the hostile source.
    const redirected = await forwarded();
    redirected.searchParams.set('redirect_uri', `${CONNECT_URL}/callback/to/evil`);
    await expect(signIn(redirected, 'ann-at-mail')).rejects.toThrow('redirect_uri');
    expect(hostile.stolen).toEqual([]);

    const good = await signIn(await locationOf('/connect/to/mail'), 'ann-at-mail');
    expect((await app.visit(good.pathname + good.search, 'acme.ann')).status).toBe(200);
    expect((await app.inbox()).text).toContain('mailbox of ann-at-mail');
  });
});
