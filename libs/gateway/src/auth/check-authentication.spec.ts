import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '../tool-gateway.module.js';
import type { ToolGatewayOptions, ToolGatewayRoutes } from '../tool-gateway.options.js';

const user = () => ({});
const oauth = { resource: 'https://a.example/mcp', issuers: ['https://login.example'], user };
const tokens = [{ token: 'local-token-of-ann', user: {} }];

type Options = ToolGatewayOptions & ToolGatewayRoutes;

const RIGHT: readonly [string, Options][] = [
  ['guards', { path: 'mcp', guards: [] }],
  ['anonymous callers', { path: 'mcp', anonymous: true }],
  ['oauth', { path: 'mcp', oauth }],
  ['tokens', { path: 'mcp', tokens }],
  ['oauth for a controller of its own', { oauth }],
  [
    'oauth with guards and scopes of a profile',
    { path: 'mcp', guards: [], oauth, profiles: { ci: { scopes: ['ci'] } } },
  ],
];
const WRONG: readonly [string, Options, string][] = [
  ['nothing', { path: 'mcp' }, 'needs guards'],
  ['anonymous callers and oauth', { path: 'mcp', anonymous: true, oauth }, 'anonymous callers have no tokens'],
  ['anonymous callers and tokens', { path: 'mcp', anonymous: true, tokens }, 'anonymous callers have no tokens'],
  ['scopes without oauth', { path: 'mcp', tokens, profiles: { ci: { scopes: ['ci'] } } }, 'profiles.ci.scopes needs'],
];

const atOnce = (options: Options) => Promise.resolve().then(() => ToolGatewayModule.forRoot(options));
const later = async ({ path, guards, anonymous, ...options }: Options) => {
  const routes = { path, guards, anonymous };
  const given = Object.fromEntries(Object.entries(routes).filter(([, value]) => value !== undefined));
  const module = await Test.createTestingModule({
    imports: [
      ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }) }),
      ToolGatewayModule.forRootAsync({ ...given, useFactory: () => Promise.resolve(options) }),
    ],
  })
    .setLogger(false as never)
    .compile();
  await module.close();
};

describe.each([
  ['forRoot', atOnce],
  ['forRootAsync', later],
])('%s', (_, boot) => {
  it.each(RIGHT)('serves callers with %s', async (_, options) => {
    await boot(options);
  });

  it.each(WRONG)('refuses to serve callers with %s', async (_, options, message) => {
    await expect(boot(options)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w/),
    });
  });

  describe('in production', () => {
    const before = process.env['NODE_ENV'];
    beforeEach(() => void (process.env['NODE_ENV'] = 'production'));
    afterEach(() => void (process.env['NODE_ENV'] = before));

    it('refuses fixed tokens by default', async () => {
      const refused = { code: 'INVALID_CONFIGURATION', message: expect.stringContaining('for local use') };
      await expect(boot({ path: 'mcp', tokens })).rejects.toMatchObject(refused);
      await expect(boot({ path: 'mcp', oauth, tokens })).rejects.toMatchObject(refused);
      await boot({ path: 'mcp', tokens, tokensInProduction: true });
      await boot({ path: 'mcp', oauth });
    });
  });

  it.each([
    ['two forms of one token', { tokens: [{ ...tokens[0]!, sha256: '0'.repeat(64) }] }, 'tokens[0].token'],
    ['a token in no form', { tokens: [{ user: {} }] }, 'tokens[0].token'],
    ['a resource that is not encrypted', { oauth: { ...oauth, resource: 'http://a.example/mcp' } }, 'oauth.resource'],
    ['a resource with a query', { oauth: { ...oauth, resource: 'https://a.example/mcp?x' } }, 'oauth.resource'],
    ['an issuer with credentials', { oauth: { ...oauth, issuers: ['https://me:pw@a.example'] } }, 'oauth.issuers[0]'],
    ['no issuer', { oauth: { ...oauth, issuers: [] } }, 'oauth.issuers'],
    ['a symmetric algorithm', { oauth: { ...oauth, algorithms: ['HS256'] } }, 'oauth.algorithms[0]'],
    ['no algorithm', { oauth: { ...oauth, algorithms: ['none'] } }, 'oauth.algorithms[0]'],
    ['a scope with a quote', { oauth: { ...oauth, scopes: ['a"b'] } }, 'oauth.scopes[0]'],
    ['a scope of a profile with a quote', { oauth, profiles: { ci: { scopes: ['a"b'] } } }, 'profiles.ci.scopes[0]'],
  ])('refuses %s', async (_, options, name) => {
    await expect(boot({ path: 'mcp', ...options } as Options)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(name),
    });
  });
});
