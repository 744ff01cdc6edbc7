import { Body, Controller, HttpException, Logger, Module, Post } from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ToolAdminModule } from '@tool-search/admin';
import { isToolSearchError, ToolSearchModule } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import { statusOf } from '@tool-search/core/internal';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { BearerGuard, USER_LOOKUP } from '../../src/auth/bearer.guard.js';
import { demoTokens } from '../../src/auth/demo-tokens.js';
import { contextOf } from '../../src/auth/tool-context.js';
import { ToolboxController } from '../../src/toolbox/toolbox.controller.js';
import { onExpress, onFastify } from '../readme/bodies.js';
import { ACME, OPERATOR, send } from '../support/reference-server.js';

const echo = new FakeSource('test', [
  { name: 'echo', inputSchema: { type: 'object' }, run: (input) => JSON.stringify(input) },
]);

@Module({
  providers: [
    BearerGuard,
    {
      provide: USER_LOOKUP,
      useValue: demoTokens(`${ACME}:acme:ada:business,${OPERATOR}:ops:olga:business:admin`),
    },
  ],
  exports: [USER_LOOKUP],
})
class Users {}

@Module({
  imports: [
    Users,
    ToolSearchModule.forRoot({ context: contextOf, sources: [echo] }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [BearerGuard], imports: [Users] }),
  ],
  controllers: [ToolboxController],
})
class Application {}

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
const called = (input: string) => `{"name":"test.echo","arguments":${input}}`;
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

describe('hostile bodies', () => {
  let app: NestExpressApplication;
  let url: string;
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const call = (input: string) => send(url, '/toolbox/call', { body: called(input) });
  const setPolicy = (policy: string) =>
    send(url, '/admin/tools/policies/tenants/acme', {
      token: OPERATOR,
      method: 'PUT',
      body: `{"policy":${policy},"reason":"a test"}`,
    });

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [Application] }).compile();
    app = configure(module.createNestApplication<NestExpressApplication>(APPLICATION_OPTIONS));
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app?.close());

  it.each([
    ['40,000 keys', 'call', called(keys(40_000)), 413, 'ARGUMENTS_TOO_LARGE'],
    ['40,000 keys beside the fields', 'search', keys(40_000), 413, 'ARGUMENTS_TOO_LARGE'],
    ['170,000 empty objects', 'call', called(`{"a":[${'{},'.repeat(170_000)}{}]}`), 413, 'ARGUMENTS_TOO_LARGE'],
    ['250,000 nested brackets', 'call', called(nested('[', ']', 250_000)), 413, 'ARGUMENTS_TOO_LARGE'],
    ['250,000 brackets that stay open', 'call', '['.repeat(250_000), 413, 'ARGUMENTS_TOO_LARGE'],
    [
      '3,000 nested objects as query',
      'search',
      `{"query":${nested('{"a":', '}', 3_000).replace('}', '1}')}}`,
      413,
      'ARGUMENTS_TOO_LARGE',
    ],
    ['3,000 braces in a query', 'search', `{"query":"${nested('{', '}', 1_500)}"}`, 200, undefined],
    ['a key twice', 'call', called('{"a":1,"\\u0061":2}'), 400, 'INVALID_REQUEST'],
    ['a list', 'call', '[]', 400, 'INVALID_ARGUMENTS'],
    ['__proto__ beside the fields', 'search', '{"query":"x","__proto__":{"limit":1}}', 400, 'INVALID_ARGUMENTS'],
    ['constructor beside the fields', 'search', '{"query":"x","constructor":1}', 400, 'INVALID_ARGUMENTS'],
  ])('%s', async (_, route, body, status, code) => {
    const answer = await send(url, `/toolbox/${route}`, { body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(logged).not.toHaveBeenCalled();
  });

  it('in another charset than UTF-8 are refused, as their keys would not be seen', async () => {
    const response = await fetch(`${url}/toolbox/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ACME}`, 'content-type': 'application/json; charset=utf-16le' },
      body: Buffer.from('{"query":"a","query":"b"}', 'utf16le'),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    ]);
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf', 'length', '__defineGetter__'])(
    'the key %s reaches a tool as it was sent, at every level',
    async (key) => {
      const input = `{"${key}":"Mercedes","list":[{"${key}":{"${key}":1}}]}`;
      expect((await call(input)).body).toMatchObject({ ok: true, content: [{ text: input }] });
    },
  );

  it.each(['__proto__', 'constructor', 'prototype'])('the key %s is refused, at every level', async (key) => {
    const refused = { ok: false, code: 'INVALID_ARGUMENTS', message: expect.stringContaining(key) };
    expect((await call(`{"${key}":"Mercedes"}`)).body).toMatchObject(refused);
    expect((await call(`{"list":[{"${key}":1}]}`)).body).toMatchObject(refused);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'the key %s is refused by an operator route, at every level',
    async (key) => {
      for (const policy of [`{"${key}":["test.*"]}`, `{"deny":[{"${key}":1}]}`]) {
        const { status, body } = await setPolicy(policy);
        expect([status, body.code, body.detail]).toEqual([400, 'INVALID_REQUEST', expect.stringContaining(key)]);
      }
    },
  );

  it('of operators are refused for too many keys', async () => {
    expect(await setPolicy(keys(501))).toMatchObject({ status: 413, body: { code: 'ARGUMENTS_TOO_LARGE' } });
  });
});

@Controller()
class EchoController {
  @Post()
  echo(@Body() body: object): object {
    return body;
  }
}

@Module({ controllers: [EchoController] })
class EchoApplication {}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const)('the body bounds of the docs on %s', (name, adapterOf) => {
  it('refuse what is over them, and let the rest pass', async () => {
    const module = await Test.createTestingModule({ imports: [EchoApplication] }).compile();
    const app = module.createNestApplication(adapterOf(), { bodyParser: false, logger: false });
    if (name === 'Express') onExpress(app as NestExpressApplication);
    else onFastify(app as unknown as NestFastifyApplication);
    const codes: unknown[] = [];
    app.useGlobalFilters({
      catch(error: unknown, host) {
        const coded = error instanceof HttpException ? error.cause : error;
        if (!isToolSearchError(coded)) throw error;
        codes.push(coded.code);
        app.getHttpAdapter().reply(host.switchToHttp().getResponse(), {}, statusOf(coded.code));
      },
    });
    await app.listen(0, '127.0.0.1');
    try {
      const url = await app.getUrl();
      const answered = async (body: string) => (await send(url, '/', { body })).status;
      expect(await answered('{"a":[{"b":1}]}')).toBe(201);
      expect(await answered(nested('[', ']', 41))).toBe(413);
      expect(await answered(keys(1_001))).toBe(413);
      expect(await answered('{"a":1,"a":2}')).toBe(400);
      expect(codes).toEqual(['ARGUMENTS_TOO_LARGE', 'ARGUMENTS_TOO_LARGE', 'INVALID_REQUEST']);
    } finally {
      await app.close();
    }
  });
});
