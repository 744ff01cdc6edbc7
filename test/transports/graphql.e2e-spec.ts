import { Inject, Injectable, Scope, UnauthorizedException } from '@nestjs/common';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { RequestToolbox, RequiresTool, Toolbox } from '@tool-search/core';
import request from 'supertest';
import { guardedRequests, orderApp } from './orders.js';

interface HttpRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const refund = async (toolbox: Toolbox, id: string) => JSON.stringify(await toolbox.call('order.refund', { id }));

@Resolver()
class OrderResolver {
  @Query(() => String)
  parameter(@RequestToolbox() toolbox: Toolbox) {
    return refund(toolbox, '7');
  }

  @Query(() => String)
  @RequiresTool('order.*')
  @RequiresTool('order.refund')
  required() {
    return 'let in';
  }

  @Query(() => String)
  async failing(@RequestToolbox() toolbox: Toolbox) {
    await toolbox.get(['order.no_such']);
    return 'never';
  }
}

@Injectable({ scope: Scope.REQUEST })
class Injected {
  constructor(@Inject(Toolbox) readonly toolbox: Toolbox) {}
}

@Resolver()
class InjectedResolver {
  constructor(@Inject(Injected) private readonly injected: Injected) {}

  @Query(() => String)
  injects(@RequestToolbox() toolbox: Toolbox) {
    return toolbox === this.injected.toolbox ? refund(toolbox, '8') : 'another toolbox';
  }
}

describe('GraphQL with mercurius', () => {
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    const App = orderApp(
      ({ headers }: HttpRequest) => {
        const tenantId = headers['x-tenant'];
        if (tenantId === undefined) throw new UnauthorizedException();
        return { tenantId };
      },
      {
        imports: [GraphQLModule.forRoot<MercuriusDriverConfig>({ driver: MercuriusDriver, autoSchemaFile: true })],
        providers: [OrderResolver, InjectedResolver, Injected],
      },
    );
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const ask = async (query: string, tenant = 'acme') =>
    (
      await request(url)
        .post('/graphql')
        .set(tenant === '' ? {} : { 'x-tenant': tenant })
        .send({ query })
    ).body;

  it('gives each operation its toolbox, and guards of tools the HTTP request behind it', async () => {
    const { data } = await ask('{ parameter injects }');
    expect(JSON.parse(data.parameter)).toMatchObject({ ok: true, content: [{ text: '7 for acme' }] });
    expect(JSON.parse(data.injects)).toMatchObject({ ok: true, content: [{ text: '8 for acme' }] });
    expect((guardedRequests.at(-1) as HttpRequest).headers['x-tenant']).toBe('acme');
    expect(JSON.parse((await ask('{ parameter }', 'globex')).data.parameter)).toMatchObject({
      content: [{ text: '7 for globex' }],
    });
  });

  it('answers what @RequiresTool() and handlers refuse with the code as extensions', async () => {
    expect(await ask('{ required }')).toEqual({ data: { required: 'let in' } });
    for (const [query, tenant, code] of [
      ['{ required }', 'free', 'TOOL_NOT_AVAILABLE'],
      ['{ required }', '', 'UNAUTHENTICATED'],
      ['{ failing }', 'acme', 'TOOL_NOT_AVAILABLE'],
    ] as const) {
      const { errors } = await ask(query, tenant);
      expect(errors).toEqual([expect.objectContaining({ extensions: expect.objectContaining({ code }) })]);
    }
  });

  it('counts the calls of all operations by one limit, and refuses a guarded one with its code', async () => {
    const { data } = await ask('{ parameter again: parameter }', 'frugal');
    const answers = [JSON.parse(data.parameter), JSON.parse(data.again)] as { ok: boolean }[];
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      code: 'LIMIT_REACHED',
      retryAfterSeconds: expect.any(Number),
    });
    const { errors } = await ask('{ required }', 'frugal');
    expect(errors).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'LIMIT_REACHED' }) }),
    ]);
  });
});
