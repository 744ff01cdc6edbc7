import { join } from 'node:path';
import type { McpSourceOptions } from '@tool-search/mcp';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { modern, send } from '../gateway/support/wire.js';
import { type AccountsApp, CONNECT_URL, REDIRECT_URI, startAccountsApp } from './support/accounts-app.js';
import { MailServer } from './support/mail-server.js';

const URLS = { elicitation: { url: {} } };
const FORMS = { elicitation: { form: {} } };

describe('a source with accounts of users, through the gateway', () => {
  let provider: AuthorizationServer;
  let server: MailServer;
  let app: AccountsApp;
  const call = async (capabilities: object, more: object = {}, token = 'acme.ann') => {
    const request = modern('tools/call', { name: 'mail__inbox', arguments: {}, ...more }, capabilities);
    return (await send(app.url, { ...request, path: '/mcp/all', token })).message.result;
  };

  beforeEach(async () => {
    provider = await AuthorizationServer.start(join(__dirname, 'support/accounts-provider-child.mjs'), REDIRECT_URI);
    server = await new MailServer(provider.url, 'modern').start();
    app = await startAccountsApp({ url: server.url } as Partial<McpSourceOptions>);
  });
  afterEach(async () => {
    await app?.app.close();
    await server?.stop();
    await provider?.stop();
  });

  it.each([
    ['opens no addresses', {}],
    ['shows forms only', FORMS],
  ])('names the address of the connection to a client that %s', async (_, capabilities) => {
    const result = await call(capabilities);
    expect(result).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'CREDENTIALS_REQUIRED' } });
    expect(result.content[0].text).toContain(`${CONNECT_URL}/to/mail`);
  });

  it('asks a client that opens addresses, and runs the call once the user has connected', async () => {
    const first = await call(URLS);
    expect(first.resultType).toBe('input_required');
    const [[key, question]] = Object.entries<any>(first.inputRequests) as [[string, any]];
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'url', url: `${CONNECT_URL}/to/mail`, message: 'mail: connect your account to go on.' },
    });
    const accepted = { requestState: first.requestState, inputResponses: { [key]: { action: 'accept' } } };
    const running = call(URLS, accepted);
    const sent = await app.visit('/connect/to/mail', 'acme.ann');
    const back = await signIn(new URL(sent.headers.get('location')!), 'ann-at-mail');
    expect((await app.visit(back.pathname + back.search, 'acme.ann')).status).toBe(200);
    expect((await running).content[0].text).toBe('mailbox of ann-at-mail, opened with [removed]');
    // The token with which the client calls the gateway reached nobody.
    expect(server.tokens).not.toContain('acme.ann');
  });

  it.each(['decline', 'cancel'])('ends the call where the user answers with %s', async (action) => {
    const first = await call(URLS);
    const [key] = Object.keys(first.inputRequests);
    const ended = await call(URLS, { requestState: first.requestState, inputResponses: { [key!]: { action } } });
    expect(ended).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'CREDENTIALS_REQUIRED' } });
  });
});
