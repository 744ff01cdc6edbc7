import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { ERAS } from '../gateway/support/wire.js';
import { type AccountsApp, REDIRECT_URI, startAccountsApp } from '../user-credentials/support/accounts-app.js';
import { ANSWERS, type CallersMethod } from './support/answers.js';
import { EchoingHttpServer, OFFERED } from './support/echoing-server.js';
import { Tour } from './support/tour.js';
import { Transcript } from './support/transcript.js';

const METADATA = '/.well-known/oauth-protected-resource/mcp';

describe.each(ERAS)("a user's access token, to an MCP server of the %s era", (era) => {
  let provider: AuthorizationServer;
  let server: EchoingHttpServer;
  let app: AccountsApp;
  const tokens = new Set<string>();

  beforeAll(async () => {
    const child = join(__dirname, '../user-credentials/support/accounts-provider-child.mjs');
    provider = await AuthorizationServer.start(child, REDIRECT_URI);
    server = new EchoingHttpServer(era);
    const url = await server.start();
    server.answerPlain = (request, response) => {
      if (request.url === METADATA) {
        const said = { resource: url, authorization_servers: [provider.url], scopes_supported: ['mail'] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
        return true;
      }
      const { authorization } = request.headers;
      if (authorization !== undefined) tokens.add(authorization.replace('Bearer ', ''));
      else
        response
          .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${new URL(METADATA, url).href}"` })
          .end();
      return authorization === undefined;
    };
    app = await startAccountsApp({ ...OFFERED, url, listAs: { tenantId: 'acme', userId: 'ann' } } as never);
    const sent = await app.visit('/connect/to/mail', 'acme.ann');
    const back = await signIn(new URL(sent.headers.get('location')!), 'ann-at-mail');
    await app.visit(back.pathname + back.search, 'acme.ann');
  });
  afterAll(async () => {
    await app.app.close();
    await server.stop();
    await provider.stop();
  });

  it('is nowhere in lists, answers, the record and the log', async () => {
    const sources = async () => (await app.visit('/admin/sources', 'ops.olga')).text();
    while (!/"source":"mail","owner":"","state":"ready"/.test(await sources())) await setTimeout(50);
    const [token = ''] = tokens;
    expect(tokens.size).toBe(1);
    const seen = new Transcript(token.slice(-40, -20));
    const tour = new Tour(app, seen);
    await tour.definitions();
    for (const method of Object.keys(ANSWERS) as CallersMethod[]) {
      await tour.answers(method, ({ place }) => place === undefined);
    }
    await tour.operators();
    await tour.openedByOperators();
    tour.written();
    expect(seen.leaks).toEqual([]);
    expect(seen.removals).toBeGreaterThan(100);
  });
});
