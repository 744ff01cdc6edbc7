// A real authorization server as a child process: oidc-provider is an ES module that Jest cannot load. It tells its
// parent { url } by IPC, and answers each command { id, name, … } by { id, … }.
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// oidc-provider needs Node 22, of which Node 20 lacks this.
if (!('parse' in URL)) {
  Object.assign(URL, { parse: (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null) });
}

const SCOPES = 'mcp mcp:all ci';
const [redirectUri] = process.argv.slice(2);
const keys = [newKey()];
let serve;
const server = createServer((request, response) => serve(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://localhost:${server.address().port}`;
restart();

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'ES256' };
}

/** The same issuer with the keys of now. */
function restart() {
  const provider = new Provider(issuer, {
    jwks: { keys },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['of a test'] },
    clients: [
      {
        client_id: 'desktop',
        redirect_uris: [redirectUri],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: 'robot',
        client_secret: 'secret-of-the-robot',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    ttl: { AccessToken: 600, ClientCredentials: 600, Session: 600, Grant: 600, Interaction: 600 },
    scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: SCOPES,
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // A user signs in as tenant.name.
    extraTokenClaims: (_context, token) => ({ tenant: (token.accountId ?? 'acme.robot').split('.')[0] }),
  });
  serve = provider.callback();
}

const commands = {
  /** Signs from now on with a new key. @param keep whether tokens of earlier keys still count */
  rotate({ keep }) {
    keys.splice(0, keep ? 0 : keys.length);
    keys.unshift(newKey());
    restart();
    return {};
  },
  /** A token of this server's key that it would not issue itself. */
  sign({ claims, header }) {
    const [key] = keys;
    const parts = [
      { alg: 'ES256', kid: key.kid, typ: 'at+jwt', ...header },
      { iss: issuer, ...claims },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const secret = { key: createPrivateKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
    const signature = sign('sha256', Buffer.from(parts.join('.')), secret).toString('base64url');
    return { token: [...parts, signature].join('.') };
  },
};

process.on('message', ({ id, name, ...input }) => process.send({ id, ...commands[name](input) }));
process.on('disconnect', () => process.exit());
process.send({ url: issuer });
