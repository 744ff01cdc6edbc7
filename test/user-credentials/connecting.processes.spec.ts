import { join } from 'node:path';
import { UserCredentials } from '@tool-search/core/operators';
import type { McpSourceOptions } from '@tool-search/mcp';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { type AccountsApp, CONNECT_URL, KEY, REDIRECT_URI, startAccountsApp } from './support/accounts-app.js';
import { type Era, MailServer } from './support/mail-server.js';

const PROVIDER = join(__dirname, 'support/accounts-provider-child.mjs');
const jsonOf = async (response: Response) => (await response.json()) as Record<string, unknown>;
const ERAS: readonly Era[] = ['legacy', 'modern'];

describe.each(ERAS)('a source with accounts of users, %s', (era) => {
  let provider: AuthorizationServer;
  let server: MailServer;
  let started: AccountsApp | undefined;
  const start = async (mail: Partial<McpSourceOptions> = {}, options: Parameters<typeof startAccountsApp>[1] = {}) =>
    (started = await startAccountsApp({ url: server.url, ...mail } as Partial<McpSourceOptions>, options));
  const client = () => ({
    issuer: provider.url,
    clientId: 'shop:app',
    clientSecret: 'secret/of the+shop',
  });
  /** What a user does in a browser: returns the path to which the provider sends it back. */
  const consent = async (app: AccountsApp, user: string, path = '/connect/to/mail') => {
    const sent = await app.visit(path, user);
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'no-store']);
    const back = await signIn(new URL(sent.headers.get('location')!), `${user.split('.')[1]}-at-mail`);
    expect(back.href).toContain(REDIRECT_URI);
    return back.pathname + back.search;
  };
  const connect = async (app: AccountsApp, user = 'acme.ann') => {
    const done = await app.visit(await consent(app, user), user);
    expect([done.status, await done.text()]).toEqual([
      200,
      'Your account for mail is connected. You can close this page.',
    ]);
  };
  const counts = () =>
    provider.command<{
      granted: Record<string, number>;
      refused: Record<string, number>;
      revoked: number;
      exchanges: object[];
    }>('counts');
  const status = async (app: AccountsApp) =>
    (await app.app.get(UserCredentials).list({ userId: 'ann' }, { limit: 1 }))[0];
  const expired = async (app: AccountsApp) => {
    const { expiresAt } = (await status(app))!;
    while (Date.now() <= expiresAt) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  beforeAll(async () => {
    provider = await AuthorizationServer.start(PROVIDER, REDIRECT_URI);
  });
  afterAll(() => provider?.stop());
  beforeEach(async () => {
    server = await new MailServer(provider.url, era).start();
    await provider.command('lifetime', { seconds: 600 });
  });
  afterEach(async () => {
    await started?.app.close();
    started = undefined;
    await server.stop();
  });

  it.each([
    ['a client that it registers', () => undefined],
    ['a client of the options', client],
  ])('is used with the account that each user has connected, as %s', async (_, oauth) => {
    const app = await start({ oauth: oauth() });
    const before = await app.inbox();
    expect(before).toMatchObject({ ok: false, code: 'CREDENTIALS_REQUIRED' });
    expect(before.hint).toContain(`${CONNECT_URL}/to/mail`);
    await connect(app);
    await connect(app, 'acme.bob');
    const texts = [(await app.inbox('ann')).text, (await app.inbox('bob')).text, (await app.inbox('ann')).text];
    expect(texts).toEqual([
      'mailbox of ann-at-mail, opened with [removed]',
      'mailbox of bob-at-mail, opened with [removed]',
      'mailbox of ann-at-mail, opened with [removed]',
    ]);
    expect(await app.inbox('eve')).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    const other = await app.service.open({ tenantId: 'globex', userId: 'ann' }).call('mail.inbox', {});
    expect(other).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    const nobody = await app.service.open({ tenantId: 'acme' }).call('mail.inbox', {});
    expect(nobody).toMatchObject({ code: 'CREDENTIALS_REQUIRED', hint: expect.stringContaining('names none') });
  });

  it('shows no token in logs, events, explanations, errors, and what operators read', async () => {
    const app = await start({ oauth: client() });
    await connect(app);
    await app.inbox();
    const [token] = server.tokens.filter((each) => each !== '');
    server.refused.add(token!);
    await provider.command('down', { down: true });
    const down = await app.inbox();
    expect(down).toMatchObject({ ok: false, code: 'SOURCE_UNAVAILABLE' });
    await provider.command('down', { down: false });
    expect((await app.inbox()).ok).toBe(true);
    const explained = await app.service.open({ tenantId: 'acme', userId: 'ann' }).explain('mail.inbox');
    const listed = await (await app.visit('/admin/user-credentials', 'ops.olga')).text();
    expect(listed).toContain('"userId":"ann"');
    const everything = [app.written(), JSON.stringify(explained), listed, JSON.stringify(down)].join('\n');
    const secrets = [...new Set(server.tokens)].filter((each) => each !== '');
    expect(secrets).toHaveLength(2);
    for (const secret of [...secrets, 'refresh_token=secret', client().clientSecret, 'v1.k1.']) {
      expect(everything).not.toContain(secret);
    }
    expect(everything).toContain('credentials.refreshed');
  });

  it('refreshes once for 1,000 calls that come when the token has expired', async () => {
    const app = await start({ oauth: client() });
    await provider.command('lifetime', { seconds: 2 });
    await connect(app);
    const before = await counts();
    await expired(app);
    await provider.command('lifetime', { seconds: 600 });
    const results = await Promise.all(Array.from({ length: 1000 }, () => app.inbox()));
    expect([...new Set(results.map(({ code }) => code))]).toEqual([undefined]);
    expect(results.filter(({ text }) => text.startsWith('mailbox of ann-at-mail'))).toHaveLength(1000);
    const after = await counts();
    expect(after.granted['refresh_token']! - (before.granted['refresh_token'] ?? 0)).toBe(1);
    expect(after.refused).toEqual(before.refused);
  });

  it('gets another token where the server does not accept the first, and asks for a connection where it cannot', async () => {
    const app = await start({ oauth: client() });
    await connect(app);
    await app.inbox();
    server.refused.add(server.tokens.at(-1)!);
    const before = await counts();
    const results = await Promise.all(Array.from({ length: 20 }, () => app.inbox()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(20);
    expect((await counts()).granted['refresh_token']! - (before.granted['refresh_token'] ?? 0)).toBe(1);
    const operator = await app.visit(
      '/admin/user-credentials?tenantId=acme&userId=ann&source=mail&reason=left',
      'ops.olga',
      {
        method: 'DELETE',
      },
    );
    expect(await operator.json()).toEqual({ removed: true, endedAtProvider: true });
    expect(await app.inbox()).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    const audit = await jsonOf(await app.visit('/admin/audit?action=credentials.revoked', 'ops.olga'));
    expect(audit['items']).toMatchObject([{ actor: 'olga@ops', subject: 'ann at mail', reason: 'left' }]);
  });

  it('lets a user end the connection, at the provider too', async () => {
    const app = await start({ oauth: client() });
    await connect(app);
    const { revoked } = await counts();
    const ended = await app.visit('/connect/to/mail', 'acme.ann', { method: 'DELETE' });
    expect(await ended.json()).toEqual({ removed: true, endedAtProvider: true });
    expect((await counts()).revoked).toBeGreaterThan(revoked);
    expect(await app.inbox()).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    const again = await app.visit('/connect/to/mail', 'acme.ann', { method: 'DELETE' });
    expect(await again.json()).toEqual({ removed: false, endedAtProvider: false });
  });

  it('asks for a connection after the provider has ended the grant', async () => {
    const app = await start({ oauth: client() });
    await connect(app);
    await app.inbox();
    const stolen = server.tokens.at(-1)!;
    await fetch(`${provider.url}/token/revocation`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('shop%3Aapp:secret%2Fof+the%2Bshop')}` },
      body: new URLSearchParams({ token: stolen }),
    });
    const stored = (await status(app))!;
    server.refused.add(stolen);
    expect(await app.inbox()).toMatchObject({ ok: true });
    expect((await status(app))!.changedAt).toBeGreaterThanOrEqual(stored.changedAt);
  });

  it('finishes a connection once, for the user who began it, and with its own state only', async () => {
    const app = await start({ oauth: client() });
    const back = await consent(app, 'acme.ann');
    const tampered = back.replace(/state=([^&]+)/, (_, state: string) => `state=${state.slice(0, -2)}AA`);
    for (const path of [
      tampered,
      '/connect/callback/to/mail',
      '/connect/callback/to/mail?state=a.b.c&code=x',
      '/connect/callback/to/mail?state=1&state=2',
    ]) {
      expect((await app.visit(path, 'acme.ann')).status).toBe(400);
    }
    expect((await app.visit(back, 'acme.bob')).status).toBe(400);
    // The state was used up by the wrong user.
    const late = await app.visit(back, 'acme.ann');
    expect([late.status, (await jsonOf(late))['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(await app.inbox()).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    const good = await consent(app, 'acme.ann');
    expect((await app.visit(good, 'acme.ann')).status).toBe(200);
    expect((await app.visit(good, 'acme.ann')).status).toBe(400);
    expect((await app.inbox()).ok).toBe(true);
  });

  it('is refused to browsers that are not signed in, and for names that are no such source', async () => {
    const app = await start({ oauth: client() });
    expect((await app.visit('/connect/to/mail', '')).status).toBe(401);
    expect((await app.visit('/connect/callback/to/mail?state=x&code=y', '')).status).toBe(401);
    for (const path of ['/connect/to/nothing', '/connect/own/mail', '/connect/to/__proto__']) {
      const answer = await app.visit(path, 'acme.ann');
      expect([answer.status, (await jsonOf(answer))['code']]).toEqual([404, 'NOT_FOUND']);
    }
    const refused = await consent(app, 'acme.ann');
    const denied = await app.visit(`${refused.replace(/code=[^&]+/, 'error=access_denied')}`, 'acme.ann');
    expect([denied.status, (await jsonOf(denied))['detail']]).toEqual([
      400,
      'The provider did not grant access for mail.',
    ]);
  });

  it('refuses an answer of another issuer', async () => {
    const app = await start({ oauth: client() });
    const before = (await counts()).granted;
    // The provider announces that it names itself, so an answer without a name is not its own either.
    for (const iss of [`&iss=${encodeURIComponent('https://evil.example')}`, '']) {
      const back = (await consent(app, 'acme.ann')).replace(/&iss=[^&]+/, iss);
      const answer = await app.visit(back, 'acme.ann');
      expect([answer.status, (await jsonOf(answer))['code']]).toEqual([503, 'SOURCE_UNAVAILABLE']);
    }
    expect((await counts()).granted).toEqual(before);
  });

  it('lists its tools as the user of listAs, once that user has connected', async () => {
    server.listsForAll = false;
    const app = await start({ oauth: client(), listAs: { tenantId: 'acme', userId: 'ann' } });
    expect(await app.inbox()).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await connect(app);
    while ((await app.inbox()).code === 'TOOL_NOT_AVAILABLE') await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await app.inbox()).text).toContain('mailbox of ann-at-mail');
    expect(await app.inbox('bob')).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
  });

  it('exchanges the token of a user for one of the server', async () => {
    const subjectToken = ({ userId }: { userId?: string }) => (userId === 'eve' ? undefined : `signed-in-as-${userId}`);
    const app = await start({ oauth: { ...client(), exchange: { subjectToken, audience: 'the-mail' } } });
    const { exchanges } = await counts();
    const results = await Promise.all(Array.from({ length: 50 }, () => app.inbox()));
    expect(new Set(results.map(({ text }) => text))).toEqual(new Set(['mailbox of ann, opened with [removed]']));
    const made = (await counts()).exchanges.slice(exchanges.length);
    expect(made).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: 'signed-in-as-ann',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: server.url,
        audience: 'the-mail',
        authorization: 'Basic',
      },
    ]);
    server.refused.add(server.tokens.at(-1)!);
    expect((await app.inbox()).ok).toBe(true);
    expect((await counts()).exchanges).toHaveLength(exchanges.length + 2);
    expect(await app.inbox('eve')).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    expect(await app.inbox('no one')).toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    expect(app.written()).not.toContain('signed-in-as-ann');
    expect(server.tokens).not.toContain('signed-in-as-ann');
  });

  it('needs the option userCredentials', async () => {
    await expect(start({}, { userCredentials: undefined })).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    await expect(
      start({}, { userCredentials: { keys: [{ ...KEY, key: 'short' }], connectUrl: CONNECT_URL } }),
    ).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });
});
