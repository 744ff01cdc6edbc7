// A real authorization server as a child process: oidc-provider is an ES module, and its warnings are about its use in
// production. It tells its parent { url } by IPC. Clients register themselves, and whoever signs in as TENANT.NAME is
// that user.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// oidc-provider needs Node 22, of which Node 20 lacks this.
if (!('parse' in URL)) {
  Object.assign(URL, { parse: (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null) });
}

const SCOPE = 'mcp';
const server = createServer((request, response) => serve(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://localhost:${server.address().port}`;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const provider = new Provider(issuer, {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'only', use: 'sig', alg: 'ES256' }] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  cookies: { keys: ['of a check'] },
  responseTypes: ['code'],
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  pkce: { required: () => true },
  ttl: { AccessToken: 3600, RefreshToken: 3600, Session: 3600, Grant: 3600, Interaction: 600 },
  scopes: ['openid', 'offline_access', SCOPE],
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // A client that names no resource gets a token that the gateway does not accept.
      defaultResource: () => [],
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: SCOPE,
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (_context, { accountId = '' }) => ({ tenant: accountId.split('.')[0] }),
});

let codes = 0;
provider.on('grant.success', ({ oidc }) => (codes += oidc.params?.grant_type === 'authorization_code' ? 1 : 0));
const serve = provider.callback();

process.on('message', () => process.send({ codes }));
process.on('disconnect', () => process.exit());
process.send({ url: issuer });
