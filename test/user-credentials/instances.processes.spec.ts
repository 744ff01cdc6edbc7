import { join } from 'node:path';
import { UserCredentials } from '@tool-search/core/operators';
import type { McpSourceOptions } from '@tool-search/mcp';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import type { Adapter } from '../gateway/support/gateway-app.js';
import { type AccountsApp, CONNECT_URL, KEY, REDIRECT_URI, startAccountsApp } from './support/accounts-app.js';
import { MailServer } from './support/mail-server.js';

const NEW_KEY = { id: 'k2', key: Buffer.alloc(32, 9).toString('base64') };

describeOnPostgres('accounts of users on several instances', (database) => {
  let provider: AuthorizationServer;
  let server: MailServer;
  const apps: AccountsApp[] = [];
  const start = async (
    keys: readonly { id: string; key: string | Uint8Array }[] = [KEY],
    adapter: Adapter = 'express',
  ) => {
    const oauth = { issuer: provider.url, clientId: 'shop:app', clientSecret: 'secret/of the+shop' };
    const app = await startAccountsApp(
      { url: server.url, oauth } as Partial<McpSourceOptions>,
      { userCredentials: { keys, connectUrl: CONNECT_URL }, tuning: { userCredentials: { refreshBeforeMs: 0 } } },
      [ToolSearchTypeOrmModule.forRoot({ url: database() })],
      adapter,
    );
    apps.push(app);
    return app;
  };
  const counts = () => provider.command<Record<'granted' | 'refused', Record<string, number>>>('counts');
  const stored = async (app: AccountsApp) =>
    (await app.app.get(UserCredentials).list({ userId: 'ann' }, { limit: 1 }))[0];
  /** Begins on one instance, and ends on the other. */
  const connect = async (first: AccountsApp, second: AccountsApp) => {
    const { headers } = await first.visit('/connect/to/mail', 'acme.ann');
    const back = await signIn(new URL(headers.get('location')!), 'ann-at-mail');
    expect((await second.visit(back.pathname + back.search, 'acme.ann')).status).toBe(200);
    expect((await first.visit(back.pathname + back.search, 'acme.ann')).status).toBe(400);
  };

  beforeAll(async () => {
    provider = await AuthorizationServer.start(join(__dirname, 'support/accounts-provider-child.mjs'), REDIRECT_URI);
    server = await new MailServer(provider.url, 'modern').start();
  });
  afterEach(() => Promise.all(apps.splice(0).map(({ app }) => app.close())));
  afterAll(async () => {
    await server?.stop();
    await provider?.stop();
  });

  it('are connected on any, refreshed by one for 1,000 calls on both, and revoked on all', async () => {
    const [one, two] = [await start(), await start([KEY], 'fastify')];
    await provider.command('lifetime', { seconds: 2 });
    await connect(one, two);
    expect([(await one.inbox()).ok, (await two.inbox()).ok]).toEqual([true, true]);
    await provider.command('lifetime', { seconds: 600 });
    const { expiresAt } = (await stored(one))!;
    while (Date.now() <= expiresAt) await new Promise((resolve) => setTimeout(resolve, 50));
    const before = await counts();
    const results = await Promise.all(Array.from({ length: 1000 }, (_, n) => (n % 2 ? one : two).inbox()));
    expect([...new Set(results.map(({ code }) => code))]).toEqual([undefined]);
    expect(results.filter(({ text }) => text.startsWith('mailbox of ann-at-mail'))).toHaveLength(1000);
    const after = await counts();
    expect(after.granted['refresh_token']! - (before.granted['refresh_token'] ?? 0)).toBe(1);
    expect(after.refused).toEqual(before.refused);
    const revoked = await one.app
      .get(UserCredentials)
      .revoke({ tenantId: 'acme', userId: 'ann', source: 'mail', owner: '' }, { actor: 'olga', reason: 'a test' });
    expect(revoked).toEqual({ removed: true, endedAtProvider: true });
    for (const app of [one, two]) expect(await app.inbox()).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
  });

  it('are readable with an earlier key, and move to the newest with a refresh', async () => {
    const old = await start();
    await connect(old, old);
    const blind = await start([NEW_KEY]);
    const refused = await blind.inbox();
    expect(refused).toMatchObject({ ok: false, code: 'CREDENTIALS_UNREADABLE' });
    expect(refused.hint).toContain('userCredentials.keys');
    const same = await start([{ ...NEW_KEY, id: KEY.id }]);
    expect(await same.inbox()).toMatchObject({ code: 'CREDENTIALS_UNREADABLE' });
    const both = await start([NEW_KEY, KEY]);
    expect((await both.inbox()).ok).toBe(true);
    expect((await stored(both))!.keyId).toBe('k1');
    server.refused.add(server.tokens.at(-1)!);
    expect((await both.inbox()).ok).toBe(true);
    expect((await stored(both))!.keyId).toBe('k2');
    expect((await blind.inbox()).ok).toBe(true);
    expect(await old.inbox()).toMatchObject({ code: 'CREDENTIALS_UNREADABLE' });
  });
});
