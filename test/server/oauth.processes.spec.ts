import { AuthorizationServer } from '../gateway/support/authorization-server.js';
import { modern, send } from '../gateway/support/wire.js';
import { ACME, type ReferenceServer, startReferenceServer } from '../support/reference-server.js';

const RESOURCE = 'https://tools.example.com/mcp';

describe('the reference server with OAuth', () => {
  let issuer: AuthorizationServer;
  let server: ReferenceServer;
  beforeAll(async () => {
    issuer = await AuthorizationServer.start();
    server = await startReferenceServer({
      TOOL_SEARCH_GATEWAY_OAUTH_RESOURCE: RESOURCE,
      TOOL_SEARCH_GATEWAY_OAUTH_ISSUERS: issuer.url,
      TOOL_SEARCH_GATEWAY_OAUTH_SCOPES: 'mcp',
    });
  });
  afterAll(async () => {
    await server?.close();
    await issuer?.stop();
  });
  const exp = () => Math.floor(Date.now() / 1000) + 600;
  const found = async (claims: object) => {
    const token = await issuer.sign({ aud: RESOURCE, exp: exp(), scope: 'mcp', ...claims });
    const call = modern('tools/call', { name: 'tool_search', arguments: { query: 'refund an invoice' } });
    return send(server.url, { ...call, token });
  };

  it('lets in by an access token, as the user of its claims', async () => {
    const ada = await found({ sub: 'ada', tenant: 'acme', plan: 'business', roles: ['finance'] });
    expect(ada.text).toContain('billing.');
    expect((await found({ sub: 'ada' })).message.error.data.code).toBe('FORBIDDEN');
  });

  it('says where to get one, and takes demo tokens at its other routes only', async () => {
    for (const token of ['', ACME]) {
      const refused = await send(server.url, { ...modern('tools/list'), token });
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toContain(
        'resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp"',
      );
    }
    const metadata = await server.request('/.well-known/oauth-protected-resource/mcp');
    expect(metadata.body).toMatchObject({ resource: RESOURCE, authorization_servers: [issuer.url] });
    expect((await server.request('/toolbox/search?query=invoice', { token: ACME })).status).not.toBe(401);
  });
});
