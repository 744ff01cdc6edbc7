import { hash } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { ControlPlane } from '@tool-search/core';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import type { RpcRefusal } from '../http/rpc-refusal.js';
import { gatewayOptions, gatewaySettings, type ToolGatewayOptions } from '../tool-gateway.options.js';
import { endpointsOf, startedPlane } from '../../test/endpoints-of.js';
import { BearerCallers } from './bearer-callers.js';

Logger.overrideLogger(false);

type Claims = Record<string, unknown>;

const RESOURCE = 'https://tools.example.com/mcp';
const METADATA = 'https://tools.example.com/.well-known/oauth-protected-resource/mcp';
const seconds = () => Math.floor(Date.now() / 1000);

/** An authorization server that publishes its keys, and what a test makes of its other answers. */
class Issuer {
  readonly #server: Server;
  url = '';
  answer: RequestListener | undefined;
  readonly asked: string[] = [];
  jwks: JWK[] = [];
  metadata: object = {};

  constructor(readonly path = '') {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      if (this.answer) return this.answer(request, response);
      if (request.url === '/jwks') return response.end(JSON.stringify({ keys: this.jwks }));
      if (request.url !== `${path}/.well-known/openid-configuration`) return response.writeHead(404).end('none');
      response.end(JSON.stringify({ issuer: this.url, jwks_uri: new URL('/jwks', this.url).href, ...this.metadata }));
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}${this.path}`;
    return this;
  }

  async key(kid: string, alg = 'ES256', size?: number) {
    const pair = await generateKeyPair(alg, { extractable: true, ...(size !== undefined && { modulusLength: size }) });
    this.jwks.push({ ...(await exportJWK(pair.publicKey)), kid });
    return pair;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

const user = ({ sub, tenant }: Claims) => ({ tenantId: tenant, userId: sub });
let plane: ControlPlane;
beforeAll(async () => (plane = await startedPlane()));
afterAll(() => plane.stop());
const callers: BearerCallers[] = [];
const issuers: Issuer[] = [];
const started = async (path?: string) => {
  const issuer = await new Issuer(path).start();
  issuers.push(issuer);
  return issuer;
};

function callersOf(issuer: Issuer, oauth: object = {}, more: Partial<ToolGatewayOptions> = {}): BearerCallers {
  const options = {
    profiles: { ci: { scopes: ['ci'] } },
    oauth: { resource: RESOURCE, issuers: [issuer.url], user, scopes: ['mcp'], allScopes: ['mcp:all'], ...oauth },
    ...more,
  };
  const settings = gatewaySettings(gatewayOptions.parse(options));
  const made = new BearerCallers(settings, endpointsOf(settings, plane).endpoints);
  callers.push(made);
  return made;
}

/** What a refused caller is told. */
async function refusal(asked: Promise<unknown>): Promise<RpcRefusal> {
  return asked.then(
    () => Promise.reject(new Error('was let in')),
    (error: RpcRefusal) => error,
  );
}

afterEach(async () => {
  await Promise.all(callers.splice(0).map((each) => each.onModuleDestroy()));
  await Promise.all(issuers.splice(0).map((each) => each.close()));
});

describe('an access token', () => {
  let issuer: Issuer;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  beforeEach(async () => {
    issuer = await started();
    keys = await issuer.key('one');
  });

  const claims = (change: Claims = {}): Claims => {
    const own = { iss: issuer.url, aud: RESOURCE, sub: 'ann', tenant: 'acme', scope: 'mcp', exp: seconds() + 60 };
    return { ...own, ...change };
  };
  const signed = (change: Claims = {}, header: object = {}) =>
    new SignJWT(claims(change))
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt', ...header })
      .sign(keys.privateKey, { crit: { own: true } });

  it.each<[string, Claims, object, string]>([
    ['of the usual kind', {}, {}, ''],
    ['for several audiences', { aud: ['https://other.example', RESOURCE] }, {}, ''],
    ['for the whole gateway, at a part of it', { scope: 'mcp mcp:all' }, {}, 'all'],
    ['for a part of the gateway', { aud: `${RESOURCE}/all`, scope: 'mcp mcp:all' }, {}, 'all'],
    ['for a profile', { aud: `${RESOURCE}/p/ci`, scope: 'ci mcp' }, {}, 'p/ci'],
    ['with scopes as a list in scp', { scope: undefined, scp: ['mcp', 'ci'] }, {}, 'p/ci'],
    ['with a type in full', {}, { typ: 'application/AT+JWT' }, ''],
    ['of type JWT', {}, { typ: 'JWT' }, ''],
    ['that has expired within the tolerance', { exp: seconds() - 3 }, {}, ''],
  ])('counts: one %s', async (_, change, header, route) => {
    const caller = await callersOf(issuer).callerOf(`Bearer ${await signed(change, header)}`, route);
    expect(caller).toEqual({ tenantId: 'acme', userId: 'ann' });
  });

  it.each<[string, Claims, object, string]>([
    ['for another resource', { aud: 'https://tools.example.com/other' }, {}, 'The token is for another resource.'],
    ['for a part, at the whole', { aud: `${RESOURCE}/all` }, {}, 'The token is for another resource.'],
    ['without an audience', { aud: undefined }, {}, 'The token is for another resource.'],
    ['of another issuer', { iss: 'https://evil.example' }, {}, 'The token is of an issuer that does not count here.'],
    ['without an issuer', { iss: undefined }, {}, 'The token is of an issuer that does not count here.'],
    ['that has expired', { exp: seconds() - 60 }, {}, 'The token has expired.'],
    ['that never expires', { exp: undefined }, {}, 'The token is not valid.'],
    ['that is not valid yet', { nbf: seconds() + 60 }, {}, 'The token is not valid yet.'],
    ['of another type', {}, { typ: 'logout+jwt' }, 'This is no access token.'],
    ['without a type', {}, { typ: undefined }, 'This is no access token.'],
    ['that is bound to a key', { cnf: { jkt: 'x' } }, {}, 'The token is bound to a key: send a bearer token.'],
    ['of an unknown key', {}, { kid: 'two' }, 'The token is not valid.'],
    ['with an extension that must be understood', {}, { crit: ['own'], own: 1 }, 'The token is not valid.'],
  ])('does not count: one %s', async (_, change, header, message) => {
    const token = await signed(change, header);
    const found = await refusal(callersOf(issuer).callerOf(`Bearer ${token}`, ''));
    expect(found).toMatchObject({ status: 401, code: 'UNAUTHENTICATED', message });
    expect(found.headers).toEqual({
      'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}", scope="mcp", resource_metadata="${METADATA}"`,
    });
  });

  it('does not count unsigned, forged, or signed with the public key as a secret', async () => {
    const own = callersOf(issuer);
    const good = await signed();
    const [head, , signature] = good.split('.');
    const forged = Buffer.from(JSON.stringify(claims({ sub: 'root' }))).toString('base64url');
    const rsa = await issuer.key('rsa', 'RS256');
    const secret = new TextEncoder().encode(await exportSPKI(rsa.publicKey));
    const asSecret = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'rsa', typ: 'at+jwt' }).sign(secret);
    const embedded = new SignJWT(claims())
      .setProtectedHeader({
        alg: 'ES256',
        typ: 'at+jwt',
        jwk: await exportJWK((await generateKeyPair('ES256')).publicKey),
      })
      .sign((await generateKeyPair('ES256')).privateKey);
    const tokens = [
      new UnsecuredJWT(claims()).encode(),
      `${head}.${forged}.${signature}`,
      await asSecret,
      await embedded,
      `${good}x`,
      good.slice(0, -10),
      'a.b.c',
      'x'.repeat(20_000),
      await signed({ filler: 'x'.repeat(20_000) }),
    ];
    for (const token of tokens) {
      const found = await refusal(own.callerOf(`Bearer ${token}`, ''));
      expect(found).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(JSON.stringify([found.message, found.hint, found.headers])).not.toContain(token.slice(0, 40));
    }
    expect(await own.callerOf(`Bearer ${good}`, '')).toBeDefined();
  });

  it('of one issuer does not count with the keys of another', async () => {
    const other = await started();
    other.jwks = issuer.jwks;
    issuer.jwks = [];
    const own = callersOf(issuer, { issuers: [issuer.url, other.url] });
    await refusal(own.callerOf(`Bearer ${await signed()}`, ''));
    expect(await own.callerOf(`Bearer ${await signed({ iss: other.url })}`, '')).toBeDefined();
  });

  it('counts only with an accepted algorithm', async () => {
    const own = callersOf(issuer, { algorithms: ['RS256'] });
    await refusal(own.callerOf(`Bearer ${await signed()}`, ''));
    const rsa = await issuer.key('rsa', 'RS256');
    const token = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'rsa', typ: 'JWT' });
    expect(
      await callersOf(issuer, { algorithms: ['RS256'] }).callerOf(`Bearer ${await token.sign(rsa.privateKey)}`, ''),
    ).toBeDefined();
  });

  it('counts by the configured audience in place of the URL', async () => {
    const own = callersOf(issuer, { audience: ['api://tools'] });
    await refusal(own.callerOf(`Bearer ${await signed()}`, ''));
    expect(await own.callerOf(`bearer ${await signed({ aud: 'api://tools' })}`, '')).toBeDefined();
  });

  it.each([
    ['', 'other', 'mcp', METADATA],
    ['', undefined, 'mcp', METADATA],
    ['', 'mcp:all xmcp MCP', 'mcp', METADATA],
    ['all', 'mcp', 'mcp mcp:all', `${METADATA}/all`],
    ['p/ci', 'mcp mcp:all', 'mcp ci', `${METADATA}/p/ci`],
  ])('needs the scopes of the route %j: %j is not enough', async (route, scope, needed, metadata) => {
    const found = await refusal(callersOf(issuer).callerOf(`Bearer ${await signed({ scope })}`, route));
    expect(found).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(found.headers['WWW-Authenticate']).toBe(
      'Bearer error="insufficient_scope", error_description="The token lacks a scope that is needed here.", ' +
        `scope="${needed}", resource_metadata="${metadata}"`,
    );
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer a, Bearer b'])(
    'is asked for where a request has %j',
    async (authorization) => {
      const found = await refusal(callersOf(issuer).callerOf(authorization, ''));
      expect(found.status).toBe(401);
      expect(found.headers['WWW-Authenticate']).toBe(`Bearer scope="mcp", resource_metadata="${METADATA}"`);
      expect(issuer.asked).toEqual([]);
    },
  );

  it('is asked for without repeating a route that there is not', async () => {
    const found = await refusal(callersOf(issuer).callerOf(undefined, 'p/x" realm="evil'));
    expect(found.headers['WWW-Authenticate']).toBe(`Bearer scope="mcp", resource_metadata="${METADATA}"`);
  });

  it.each([undefined, null, 'ann'])('is refused if user() returns %j for its owner', async (answer) => {
    const own = callersOf(issuer, { user: () => Promise.resolve(answer) });
    expect(await refusal(own.callerOf(`Bearer ${await signed()}`, ''))).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('counts at once with a new key, and no longer with one that was withdrawn', async () => {
    const own = callersOf(issuer, { jwks: { cooldownMs: 0, maxAgeMs: 100_000 } });
    await own.callerOf(`Bearer ${await signed()}`, '');
    const before = await signed();
    issuer.jwks = [];
    keys = await issuer.key('two');
    expect(await own.callerOf(`Bearer ${await signed({}, { kid: 'two' })}`, '')).toBeDefined();
    expect(await refusal(own.callerOf(`Bearer ${before}`, ''))).toMatchObject({ status: 401 });
  });
});

describe('the keys of an issuer', () => {
  const token = async (issuer: Issuer) => {
    const { privateKey } = await issuer.key('one');
    const jwt = new SignJWT({ scope: 'mcp', sub: 'ann', tenant: 'acme' }).setIssuer(issuer.url).setAudience(RESOURCE);
    return jwt.setExpirationTime('1m').setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'JWT' }).sign(privateKey);
  };
  const UNAVAILABLE = { status: 503, code: 'CONTEXT_UNAVAILABLE', headers: { 'Retry-After': '10' } };

  it.each(['', '/tenant', '/deep/tenant'])('are found by the metadata of the issuer %j', async (path) => {
    const issuer = await started(path);
    expect(await callersOf(issuer).callerOf(`Bearer ${await token(issuer)}`, '')).toBeDefined();
    expect(issuer.asked.at(-1)).toBe('/jwks');
    expect(issuer.asked[0]).toBe(`/.well-known/oauth-authorization-server${path}`);
  });

  it('are fetched from the configured address without metadata', async () => {
    const issuer = await started();
    const own = callersOf(issuer, { jwks: { uris: { [issuer.url]: `${issuer.url}/jwks` } } });
    await own.callerOf(`Bearer ${await token(issuer)}`, '');
    expect(issuer.asked).toEqual(['/jwks']);
  });

  it.each<[string, (issuer: Issuer) => void]>([
    ['names another issuer', (issuer) => (issuer.metadata = { issuer: 'https://evil.example' })],
    ['names no keys', (issuer) => (issuer.metadata = { jwks_uri: undefined })],
    ['names keys that travel unencrypted', (issuer) => (issuer.metadata = { jwks_uri: 'http://keys.example/jwks' })],
    ['names keys inside the network', (issuer) => (issuer.metadata = { jwks_uri: 'https://169.254.169.254/jwks' })],
    ['is no JSON', (issuer) => (issuer.answer = (_, response) => response.end('<html>'))],
    ['is a list', (issuer) => (issuer.answer = (_, response) => response.end('[]'))],
    ['is missing', (issuer) => (issuer.answer = (_, response) => response.writeHead(404).end())],
    ['redirects', (issuer) => (issuer.answer = (_, response) => response.writeHead(302, { location: '/x' }).end())],
    ['fails', (issuer) => (issuer.answer = (_, response) => response.writeHead(500).end('secret'))],
    ['is too large', (issuer) => (issuer.metadata = { filler: 'x'.repeat(300 * 1024) })],
    ['is endless', (issuer) => (issuer.answer = (_, response) => endless(response))],
    ['never comes', (issuer) => (issuer.answer = () => undefined)],
  ])('are unknown where the metadata %s', async (_, make) => {
    const issuer = await started();
    const own = callersOf(issuer, { jwks: { timeoutMs: 500 } });
    const sent = await token(issuer);
    make(issuer);
    expect(await refusal(own.callerOf(`Bearer ${sent}`, ''))).toMatchObject(UNAVAILABLE);
    const asked = issuer.asked.length;
    await refusal(own.callerOf(`Bearer ${sent}`, ''));
    expect(issuer.asked).toHaveLength(asked);
  });

  it('are unknown where there are too many', async () => {
    const issuer = await started();
    const sent = await token(issuer);
    issuer.jwks = Array.from({ length: 101 }, () => issuer.jwks[0]!);
    expect(await refusal(callersOf(issuer).callerOf(`Bearer ${sent}`, ''))).toMatchObject(UNAVAILABLE);
  });
});

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  pipeline(
    new Readable({
      read: function () {
        this.push(chunk);
      },
    }),
    response,
    () => undefined,
  );
}

describe('fixed tokens', () => {
  const fixed = 'local-token-of-ann-1';
  const only = (options: Partial<ToolGatewayOptions>) => {
    const settings = gatewaySettings(gatewayOptions.parse(options));
    const made = new BearerCallers(settings, endpointsOf(settings, plane).endpoints);
    callers.push(made);
    return made;
  };

  it.each([
    ['as they are', { token: fixed }],
    ['by their hash', { sha256: hash('sha256', fixed).toUpperCase() }],
  ])('are known %s', async (_, entry) => {
    const own = only({ tokens: [{ ...entry, user: { tenantId: 'acme' } }] });
    expect(own.areKnown).toBe(true);
    expect(await own.callerOf(`Bearer ${fixed}`, '')).toEqual({ tenantId: 'acme' });
    const wrong = await refusal(own.callerOf(`Bearer ${fixed}2`, ''));
    expect(wrong.headers).toEqual({
      'WWW-Authenticate': 'Bearer error="invalid_token", error_description="The token is not known here."',
    });
    expect((await refusal(own.callerOf(undefined, ''))).headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
    expect(JSON.stringify(wrong)).not.toContain(fixed);
  });

  it('count beside an authorization server, at every route', async () => {
    const issuer = await started();
    const own = callersOf(issuer, {}, { tokens: [{ token: fixed, user: { tenantId: 'acme' } }] });
    for (const route of ['', 'all', 'p/ci']) expect(await own.callerOf(`Bearer ${fixed}`, route)).toBeDefined();
    expect(issuer.asked).toEqual([]);
    await refusal(own.callerOf('Bearer another-token-of-ann', ''));
  });

  it('are not asked for where there are none', () => {
    expect(only({}).areKnown).toBe(false);
  });
});
