import { byTurns } from '../support/tier.cjs';
import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import {
  auth,
  Client,
  ClientCredentialsProvider,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type ToolContext, ToolSearchService } from '@tool-search/core';
import type { AccessTokenClaims, ToolGatewayOptions } from '@tool-search/gateway';
import { McpSource } from '@tool-search/mcp';
import { OpenApiSource } from '@tool-search/openapi';
import { MisbehavingHttpApi } from '../support/misbehaving-http-api.js';
import { ECHO, MisbehavingMcpServer } from '../support/misbehaving-mcp-server.js';
import { signIn } from '../../bench/gateway/authorization/sign-in.js';
import { AuthorizationServer, REDIRECT_URI, ROBOT } from './support/authorization-server.js';
import { Front } from './support/front.js';
import { type Adapter, ADAPTERS, startGatewayApp } from './support/gateway-app.js';
import { type Era, ERAS, initialize, MODERN_VERSION, modern, send, WireCaller } from './support/wire.js';

const seconds = () => Math.floor(Date.now() / 1000);
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** People sign in as `tenant.name`. */
const user = ({ sub = '', tenant }: AccessTokenClaims): ToolContext => ({
  tenantId: String(tenant),
  userId: sub.split('.').at(-1)!,
});

/** An application that trusts the authorization server, behind the address that its tokens are for. */
async function startOAuthApp(
  adapter: Adapter,
  issuer: string,
  { oauth, ...setup }: Parameters<typeof startGatewayApp>[1] & { oauth?: Partial<ToolGatewayOptions['oauth']> } = {},
) {
  const front = await new Front().start();
  const resource = `${front.url}/mcp`;
  const gateway = await startGatewayApp(adapter, {
    ...setup,
    gateway: {
      guards: undefined,
      profiles: { ci: { allow: ['shop.ping'], scopes: ['ci'] } },
      ...setup.gateway,
      oauth: {
        resource,
        issuers: [issuer],
        user,
        scopes: ['mcp'],
        allScopes: ['mcp:all'],
        clockToleranceMs: 0,
        jwks: { cooldownMs: 0 },
        ...oauth,
      },
    },
  });
  front.to(gateway.url);
  const stop = async () => {
    await gateway.app.close();
    front.stop();
  };
  return { gateway, resource, url: front.url, stop };
}

const fail = (): never => {
  throw new Error('no');
};

/** The first request of a client. */
const first = (era: Era) => (era === 'modern' ? modern('tools/list') : initialize());

/** A client that keeps its tokens in memory and has no browser. */
class Desktop implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { redirect_uris: [REDIRECT_URI], client_name: 'Desktop' };
  authorizationUrl: URL | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  clientInformation() {
    return { client_id: 'desktop' };
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  discoveryState() {
    return this.#discovered;
  }
}

const clientOf = (era: Era) =>
  new Client(
    { name: 'desktop', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: MODERN_VERSION } } },
  );

describe.each(ADAPTERS)('OAuth on %s', (adapter) => {
  let server: AuthorizationServer;
  let app: Awaited<ReturnType<typeof startOAuthApp>>;
  beforeAll(async () => {
    server = await AuthorizationServer.start();
    app = await startOAuthApp(adapter, server.url);
  });
  afterAll(async () => {
    await app?.stop();
    await server?.stop();
  });
  const claims = (change: object = {}) => ({
    aud: app.resource,
    sub: 'ann',
    tenant: 'acme',
    scope: 'mcp',
    exp: seconds() + 600,
    ...change,
  });

  describe('the metadata', () => {
    it.each([
      ['/mcp', ['mcp']],
      ['/mcp/all', ['mcp', 'mcp:all']],
      ['/mcp/p/ci', ['mcp', 'ci']],
    ])('of %s are where its challenge says, for every page to read', async (path, scopes) => {
      const refused = await send(app.url, { ...modern('tools/list'), path, token: '' });
      const url = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '')?.[1] ?? '';
      expect(url).toBe(`${app.url}${WELL_KNOWN}${path}`);
      const response = await fetch(url, { headers: { origin: 'https://pages.example' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource: `${app.url}${path}`,
        authorization_servers: [server.url],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'tool-search',
      });
    });

    it.each([
      ['GET', WELL_KNOWN],
      ['GET', `${WELL_KNOWN}/mcp/p/nothing`],
      ['GET', `${WELL_KNOWN}/other`],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/oauth-authorization-server/mcp'],
      ['GET', '/mcp/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/openid-configuration/mcp'],
      ['POST', `${WELL_KNOWN}/mcp`],
    ])('are not at %s %s: a plain 404', async (method, path) => {
      const { status, message } = await send(app.url, { method, path, token: '' });
      expect(status).toBe(404);
      expect(message).toBeInstanceOf(Object);
    });
  });

  type Row = [what: string, tokenOf: () => Promise<string>, status: number, error?: string, words?: string];
  const TOKENS: Row[] = [
    ['good', () => server.issue(app.resource), 200],
    ['good, with more scopes', () => server.issue(app.resource, 'ci mcp'), 200],
    ['none', () => Promise.resolve(''), 401],
    ['no JWT', () => Promise.resolve('acme.ann'), 401, 'invalid_token', 'The token is not valid.'],
    ['of another resource', () => server.issue('https://other.example/mcp'), 401, 'invalid_token', 'another resource'],
    ['of a part of it', () => server.issue(`${app.resource}/all`), 401, 'invalid_token', 'another resource'],
    ['of another issuer', () => server.sign(claims({ iss: 'https://evil.example' })), 401, 'invalid_token', 'issuer'],
    ['expired', () => server.sign(claims({ exp: seconds() - 1 })), 401, 'invalid_token', 'has expired'],
    ['not valid yet', () => server.sign(claims({ nbf: seconds() + 600 })), 401, 'invalid_token', 'not valid yet'],
    ['of an unknown key', () => server.sign(claims(), { kid: 'other' }), 401, 'invalid_token', 'not valid'],
    ['for signing in', () => server.sign(claims(), { typ: 'id+jwt' }), 401, 'invalid_token', 'no access token'],
    ['without the scope', () => server.issue(app.resource, 'ci'), 403, 'insufficient_scope', 'lacks a scope'],
  ];

  describe.each(byTurns(ERAS, ADAPTERS.indexOf(adapter)))('a token of a %s client', (era) => {
    // By rest parameters: for Jest, a parameter without a value is a callback.
    it.each<Row>(TOKENS)('that is %s', async (...[, tokenOf, status, error, words]) => {
      const token = await tokenOf();
      const answer = await send(app.url, { ...first(era), token });
      expect(answer.status).toBe(status);
      const challenge = answer.headers['www-authenticate'];
      if (status === 200) {
        expect(answer.message.result).toBeDefined();
        expect(challenge).toBeUndefined();
        return;
      }
      expect(answer.message.error).toMatchObject({
        code: -32600,
        data: { code: status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN', hint: expect.stringMatching(/\w/) },
      });
      expect(challenge).toContain(`scope="mcp", resource_metadata="${app.url}${WELL_KNOWN}/mcp"`);
      expect(/error="(\w+)"/.exec(challenge ?? '')?.[1]).toBe(error);
      expect(challenge).toContain(words ?? 'Bearer scope=');
      if (token !== '') expect(answer.text + challenge).not.toContain(token);
    });

    it.each<[path: string, scope: string, status: number, needed: string]>([
      ['/mcp/all', 'mcp', 403, 'mcp mcp:all'],
      ['/mcp/all', 'mcp mcp:all', 200, ''],
      ['/mcp/p/ci', 'mcp mcp:all', 403, 'mcp ci'],
      ['/mcp/p/ci', 'mcp ci', 200, ''],
    ])('at %s with the scopes %s', async (path, scope, status, needed) => {
      for (const resource of [app.resource, `${app.url}${path}`]) {
        const answer = await send(app.url, { ...first(era), path, token: await server.issue(resource, scope) });
        expect(answer.status).toBe(status);
        expect(answer.headers['www-authenticate'] ?? '').toContain(needed === '' ? '' : `scope="${needed}"`);
      }
    });
  });

  describe.each(byTurns(ERAS, ADAPTERS.indexOf(adapter) + 1))('a %s client of the SDK', (era) => {
    it('finds the authorization server, lets its user sign in, and calls', async () => {
      const provider = new Desktop();
      const endpoint = new URL(app.resource);
      const transport = new StreamableHTTPClientTransport(endpoint, { authProvider: provider });
      await expect(clientOf(era).connect(transport)).rejects.toThrow(UnauthorizedError);
      const asked = provider.authorizationUrl!;
      expect(asked.origin).toBe(server.url);
      expect(Object.fromEntries(asked.searchParams)).toMatchObject({
        code_challenge_method: 'S256',
        resource: app.resource,
        scope: 'mcp',
      });
      const back = await signIn(asked, 'globex.bob');
      await transport.finishAuth(back.searchParams);
      const client = clientOf(era);
      await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: provider }));
      // The claims have become the caller: each tenant sees its own vault only.
      const open = (name: string) => client.callTool({ name: 'tool_call', arguments: { name, arguments: {} } });
      expect(await open('shop.vault_globex')).toMatchObject({ content: [{ type: 'text', text: 'silver' }] });
      expect(await open('shop.vault_acme')).toMatchObject({ isError: true });
      await client.close();
    });

    it('that is a program gets a token for the scopes of its endpoint', async () => {
      const provider = () => new ClientCredentialsProvider({ ...ROBOT, expectedIssuer: server.url });
      const client = clientOf(era);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${app.resource}/p/ci`), { authProvider: provider() }),
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shop__ping');
      await client.close();
      expect(await auth(provider(), { serverUrl: `${app.resource}/all`, scope: 'mcp mcp:all' })).toBe('AUTHORIZED');
    });

    it('loses its stream when its token expires', async () => {
      const strict = await startOAuthApp(adapter, server.url, { gateway: { streams: { recheckMs: 100 } } });
      const token = await server.sign(claims({ aud: strict.resource, exp: seconds() + 3 }));
      const caller = await WireCaller.of(strict.url, era, { token });
      const stream = await caller.listen();
      expect(stream.status).toBe(200);
      await stream.ended;
      expect((await send(strict.url, caller.request('tools/list'))).status).toBe(401);
      await strict.stop();
    });
  });

  it('lets in with a new key at once, and not with one that was withdrawn', async () => {
    const ask = async (token: string) => (await send(app.url, { ...modern('tools/list'), token })).status;
    const before = await server.issue(app.resource);
    expect(await ask(before)).toBe(200);
    await server.rotate(true);
    const after = await server.issue(app.resource);
    expect(await ask(after)).toBe(200);
    expect(await ask(before)).toBe(200);
    await server.rotate(false);
    expect(await ask(await server.issue(app.resource))).toBe(200);
    expect(await ask(before)).toBe(401);
    expect(await ask(after)).toBe(401);
  });
});

describe('a token', () => {
  it.each(ERAS)('of a %s client reaches no server behind the gateway, no log, event or answer', async (era) => {
    const server = await AuthorizationServer.start();
    const mcp = new MisbehavingMcpServer(MODERN_VERSION);
    await mcp.start();
    mcp.tools = [ECHO, { listed: { ...ECHO.listed, name: 'fail' }, answer: fail }];
    const api = await MisbehavingHttpApi.start();
    const logged: unknown[] = [];
    const log = (...words: unknown[]) => void logged.push(words);
    const logger: LoggerService = { log, error: log, warn: log, debug: log, verbose: log, fatal: log };
    const operation = (path: string) => ({
      get: { operationId: path, summary: `Reads ${path}.`, responses: { 200: { description: 'ok' } } },
    });
    const app = await startOAuthApp('express', server.url, {
      logger,
      options: {
        sources: [
          new McpSource({
            name: 'remote',
            url: mcp.url,
            headers: () => ({ authorization: 'Bearer own-token-of-app' }),
          }),
          new OpenApiSource({
            name: 'api',
            baseUrl: api.url,
            egress: { allow: ['127.0.0.1'] },
            document: {
              openapi: '3.1.0',
              info: { title: 'Odd', version: '1' },
              paths: { '/fine': operation('fine'), '/broken': operation('broken') },
            },
          }),
        ],
      },
      oauth: { scopes: [], allScopes: [] },
    });
    const token = await server.issue(app.resource);
    const caller = await WireCaller.of(app.url, era, { token, path: '/mcp/all' });
    const answers = [];
    for (const name of ['remote__echo', 'remote__fail', 'api__fine', 'api__broken', 'shop__broken', 'shop__none']) {
      answers.push(await caller.call(name, name === 'remote__echo' ? { words: 'hello' } : {}));
    }
    expect(answers[0].result.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(answers[2].result).toMatchObject({ structuredContent: { fine: true } });
    // Refused as well: of another resource, and with a broken signature.
    const foreign = await server.issue('https://other.example');
    for (const bad of [foreign, `${token}x`]) answers.push(await send(app.url, { ...first(era), token: bad }));
    const toolbox = app.gateway.app.get(ToolSearchService).open({ tenantId: 'acme', userId: 'robot' });
    const explained = await Promise.all(['remote.echo', 'api.fine', 'shop.none'].map((name) => toolbox.explain(name)));

    const upstream = [...mcp.requests, ...api.seen];
    expect(mcp.requests.some(({ method }) => method === 'tools/call')).toBe(true);
    expect(api.seen).toHaveLength(2);
    const all = inspect([upstream, logged, app.gateway.events, explained, answers], {
      depth: Infinity,
      maxArrayLength: Infinity,
      maxStringLength: Infinity,
    });
    expect(app.gateway.events.map(({ type }) => type)).toContain('tool.called');
    expect(all).toContain('own-token-of-app');
    for (const own of [token, foreign]) {
      for (const part of [own, ...own.split('.')]) expect(all).not.toContain(part);
    }
    await app.stop();
    await mcp.stop();
    await api.stop();
    await server.stop();
  });
});
