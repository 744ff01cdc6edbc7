import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserCredentials } from '@tool-search/core/operators';
import type { McpSourceOptions } from '@tool-search/mcp';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { type AccountsApp, CONNECT_URL, REDIRECT_URI, startAccountsApp } from './support/accounts-app.js';
import { MailServer } from './support/mail-server.js';

const PROVIDER = join(__dirname, 'support/accounts-provider-child.mjs');
const SECRET = 'secret/of the+shop';

describe('the account of a user', () => {
  const providers: AuthorizationServer[] = [];
  let [first, second] = providers;
  let server: MailServer;
  let app: AccountsApp;
  let folder: string;

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) providers.push(await AuthorizationServer.start(PROVIDER, REDIRECT_URI));
    [first, second] = providers;
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tool-search-accounts-'));
    server = await new MailServer(first!.url, 'modern').start();
  });
  afterEach(async () => {
    await app.app.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  afterAll(() => Promise.all(providers.map((provider) => provider.stop())));

  const start = async (oauth?: object) => {
    const mail = { url: server.url, ...(oauth && { oauth }) } as Partial<McpSourceOptions>;
    const imports = [ToolSearchTypeOrmModule.forRoot({ database: join(folder, 'app.sqlite') })];
    return (app = await startAccountsApp(mail, {}, imports));
  };
  const begun = async () => {
    const { headers } = await app.visit('/connect/to/mail', 'acme.ann');
    return signIn(new URL(headers.get('location')!), 'ann-at-mail');
  };
  const connect = async () => {
    const back = await begun();
    expect((await app.visit(back.pathname + back.search, 'acme.ann')).status).toBe(200);
  };
  const stored = () => app.app.get(UserCredentials).list({}, { limit: 10 });
  const asksToConnect = {
    code: 'CREDENTIALS_REQUIRED',
    hint: `Ask the user to open ${CONNECT_URL}/to/mail and to connect it; then call again.`,
  };

  it.each([
    ['is not accepted', false],
    ['has expired', true],
  ])('is asked for again if the server names another provider and its token %s', async (_, hasExpired) => {
    await start();
    const missing = await app.inbox();
    expect(missing).toMatchObject(asksToConnect);
    await first!.command('lifetime', { seconds: hasExpired ? 1 : 600 });
    await connect();
    expect((await app.inbox()).text).toContain('ann-at-mail');
    const before = await first!.command<{ granted: object }>('counts');
    await server.moveTo(second!.url);
    const [{ expiresAt } = { expiresAt: 0 }] = await stored();
    while (hasExpired && Date.now() <= expiresAt) await new Promise((resolve) => setTimeout(resolve, 50));

    expect(await app.inbox()).toEqual(missing);
    // The former provider was not asked, and the grant is kept: the server may name it again.
    expect((await first!.command<{ granted: object }>('counts')).granted).toEqual(before.granted);
    expect(await stored()).toHaveLength(1);
    await connect();
    expect((await app.inbox()).text).toContain('ann-at-mail');
  });

  it('is connected anew if the server names another provider meanwhile', async () => {
    await start();
    const back = await begun();
    await server.moveTo(second!.url);
    const answer = await app.visit(back.pathname + back.search, 'acme.ann');
    expect(await answer.json()).toMatchObject({ code: asksToConnect.code, hint: asksToConnect.hint });
    await connect();
    expect((await app.inbox()).ok).toBe(true);
  });

  it('outlives a wrong client secret', async () => {
    const oauth = { issuer: first!.url, clientId: 'shop:app', clientSecret: SECRET };
    await first!.command('lifetime', { seconds: 600 });
    await start(oauth);
    await connect();
    expect((await app.inbox()).ok).toBe(true);
    await app.app.close();
    // The next call has to refresh, which the provider refuses to this client.
    server.refused.add(server.tokens.at(-1)!);
    const { refused } = await first!.command<{ refused: Record<string, number> }>('counts');
    await start({ ...oauth, clientSecret: 'a mistake' });
    expect(await app.inbox()).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(await first!.command('counts')).toMatchObject({
      refused: { refresh_token: (refused['refresh_token'] ?? 0) + 1 },
    });
    expect(await stored()).toHaveLength(1);
    await app.app.close();
    await start(oauth);
    expect((await app.inbox()).text).toContain('ann-at-mail');
  });
});
