import { join } from 'node:path';
import { McpSource } from '@tool-search/mcp';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { ADAPTERS } from '../gateway/support/gateway-app.js';
import { type AccountsApp, CONNECT_URL, REDIRECT_URI, startAccountsApp } from './support/accounts-app.js';
import { MailServer } from './support/mail-server.js';

describe.each(ADAPTERS)('a source of a tenant with accounts of users, on %s', (adapter) => {
  let provider: AuthorizationServer;
  let server: MailServer;
  let app: AccountsApp;
  beforeAll(async () => {
    provider = await AuthorizationServer.start(join(__dirname, 'support/accounts-provider-child.mjs'), REDIRECT_URI);
    server = await new MailServer(provider.url, 'modern').start();
    const egress = { allow: ['127.0.0.1', 'localhost'] };
    // Each tenant has one of this name.
    const load = () => [new McpSource({ name: 'diary', url: server.url, auth: 'user', changes: 'trust', egress })];
    app = await startAccountsApp({ url: server.url }, { tenantSources: { load } }, [], adapter);
  });
  afterAll(async () => {
    await app?.app.close();
    await server?.stop();
    await provider?.stop();
  });

  it('has a redirect address for each tenant', async () => {
    const call = () => app.service.open({ tenantId: 'acme', userId: 'ann' }).call('diary.inbox', {});
    expect(await call()).toMatchObject({
      code: 'CREDENTIALS_REQUIRED',
      hint: expect.stringContaining(`${CONNECT_URL}/own/diary`),
    });
    const consented = async () => {
      const { headers } = await app.visit('/connect/own/diary', 'acme.ann');
      const back = await signIn(new URL(headers.get('location')!), 'ann-at-diary');
      expect(back.pathname).toBe('/connect/callback/own/acme/diary');
      return back;
    };
    const { search } = await consented();
    for (const place of ['own/globex/diary', 'to/diary', 'own/acme/diary']) {
      expect((await app.visit(`/connect/callback/${place}${search}`, 'acme.ann')).status).toBe(400);
    }
    const back = await consented();
    const done = await app.visit(back.pathname + back.search, 'acme.ann');
    expect([done.status, done.headers.get('referrer-policy'), await done.text()]).toEqual([
      200,
      'no-referrer',
      'Your account for diary is connected. You can close this page.',
    ]);
    expect(await call()).toMatchObject({ ok: true });
  });
});
