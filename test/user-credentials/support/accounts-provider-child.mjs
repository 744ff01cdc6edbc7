// A real authorization server as a child process, for accounts at a server: with dynamic registration, rotating refresh
// tokens, revocation and token exchange. It tells its parent { url } by IPC, and answers each command { id, name, … } by
// { id, … }.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// oidc-provider needs Node 22, of which Node 20 lacks this.
if (!('parse' in URL)) {
  Object.assign(URL, { parse: (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null) });
}

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const [redirectUri] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const server = createServer((request, response) => serve(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://localhost:${server.address().port}`;
const resourceServer = (resource) => ({
  scope: 'mail',
  audience: resource,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
});

let seconds = 600;
let isDown = false;
let isSilent = false;
const granted = {};
const refused = {};
const exchanges = [];

const provider = new Provider(issuer, {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'only', use: 'sig', alg: 'ES256' }] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  cookies: { keys: ['of a test'] },
  clients: [
    {
      client_id: 'shop:app',
      client_secret: 'secret/of the+shop',
      redirect_uris: [redirectUri],
      application_type: 'native',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token', EXCHANGE],
    },
  ],
  responseTypes: ['code'],
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  ttl: { AccessToken: () => seconds, RefreshToken: 3600, Session: 600, Grant: 3600, Interaction: 600 },
  scopes: ['openid', 'offline_access', 'mail'],
  issueRefreshToken: () => true,
  // A rotated token that is used again ends the whole grant.
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => [],
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => resourceServer(resource),
    },
  },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
});

// RFC 8693: the subject token of the user ann is "signed-in-as-ann".
provider.registerGrantType(
  EXCHANGE,
  async (ctx) => {
    const { params, client } = ctx.oidc;
    exchanges.push({ ...params, authorization: ctx.headers.authorization?.split(' ')[0] });
    const user = /^signed-in-as-(\w+)$/.exec(params.subject_token)?.[1];
    if (!user) {
      ctx.status = 400;
      ctx.body = { error: 'invalid_grant', error_description: `${params.subject_token} is nobody` };
      return;
    }
    const token = new provider.AccessToken({ accountId: user, client, gty: EXCHANGE, grantId: `of-${user}` });
    token.resourceServer = new provider.ResourceServer(params.resource, resourceServer(params.resource));
    token.scope = 'mail';
    ctx.body = {
      access_token: await token.save(),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: token.expiration,
    };
  },
  ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'scope', 'resource'],
);

provider.on('authorization.success', (_ctx, answer) => {
  if (isSilent) delete answer.iss;
});
provider.use(async (ctx, next) => {
  await next();
  if (isSilent) delete ctx.body?.authorization_response_iss_parameter_supported;
});

const count = (counts) => (ctx) => {
  const type = ctx.oidc.params?.grant_type;
  counts[type] = (counts[type] ?? 0) + 1;
};
provider.on('grant.success', count(granted));
provider.on('grant.error', count(refused));
let revoked = 0;
provider.on('grant.revoked', () => (revoked += 1));
const handle = provider.callback();
function serve(request, response) {
  if (isDown && request.url.startsWith('/token')) return response.writeHead(503).end('down: refresh_token=secret');
  return handle(request, response);
}

const commands = {
  /** How long tokens are valid from now on. */
  lifetime(input) {
    ({ seconds } = input);
    return {};
  },
  /** Whether the token endpoint fails. */
  down(input) {
    isDown = input.down;
    return {};
  },
  /** Whether its answers do not name it (without RFC 9207). */
  silent(input) {
    isSilent = input.silent;
    return {};
  },
  counts: () => ({ granted, refused, revoked, exchanges }),
};

process.on('message', ({ id, name, ...input }) => process.send({ id, ...commands[name](input) }));
process.on('disconnect', () => process.exit());
process.send({ url: issuer });
