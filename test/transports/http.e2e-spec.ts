import { Controller, Get, type INestApplication, Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { RequestToolbox, RequiresTool, Toolbox } from '@tool-search/core';
import request from 'supertest';
import { guardedRequests, orderApp } from './orders.js';

interface HttpRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A request-scoped service with the toolbox of its request. */
@Injectable()
class Injected {
  constructor(@Inject(Toolbox) readonly toolbox: Toolbox) {}
}

@Controller()
class Routes {
  constructor(@Inject(Injected) private readonly injected: Injected) {}

  @Get('call')
  async call(@RequestToolbox() toolbox: Toolbox) {
    const { content } = (await toolbox.call('order.refund', { id: '7' })) as { content?: unknown };
    return { content, isShared: toolbox === this.injected.toolbox };
  }

  @Get('required')
  @RequiresTool({ tag: 'refund' })
  @RequiresTool({ namespace: 'order' })
  @RequiresTool('order.*')
  @RequiresTool('order.refund')
  required() {
    return 'let in';
  }
}

const App = orderApp(
  ({ headers }: HttpRequest) => {
    const tenantId = headers['x-tenant'];
    if (tenantId === undefined) throw new UnauthorizedException();
    return { tenantId };
  },
  { controllers: [Routes], providers: [Injected] },
);

const ADAPTERS: readonly (readonly [name: string, create: () => Promise<INestApplication>])[] = [
  ['Express', async () => (await compiled()).createNestApplication()],
  ['Fastify', async () => (await compiled()).createNestApplication<NestFastifyApplication>(new FastifyAdapter())],
];

const compiled = () =>
  Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();

describe.each(ADAPTERS)('HTTP with %s', (_, create) => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await create();
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());
  const get = (path: string, headers: Record<string, string>) => request(url).get(path).set(headers);

  it('gives injection and @RequestToolbox() one toolbox, and guards of tools the request', async () => {
    const { body } = await get('/call', { 'x-tenant': 'acme' });
    expect(body).toEqual({ content: [{ type: 'text', text: '7 for acme' }], isShared: true });
    expect((guardedRequests.at(-1) as HttpRequest).headers['x-tenant']).toBe('acme');
  });

  it('lets those in by @RequiresTool() who may call the tool, and answers others with a code', async () => {
    expect((await get('/required', { 'x-tenant': 'acme' })).text).toBe('let in');
    const refused = await get('/required', { 'x-tenant': 'free' });
    expect([refused.status, refused.body.code]).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    const nobody = await get('/required', {});
    expect([nobody.status, nobody.body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});
