import { setTimeout as pause } from 'node:timers/promises';
import {
  Body,
  type CanActivate,
  Controller,
  Injectable,
  type INestApplication,
  Module,
  Post,
  VersioningType,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolGatewayController } from '../tool-gateway.controller.js';
import { ToolGatewayModule } from '../tool-gateway.module.js';

@Injectable()
class EveryoneGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

/** Routes of the application beside those of the gateway. */
@Controller()
class OwnController {
  @Post(['orders/mcp', 'mcp/own', 'mcp/p/a/own', 'mcpx', 'v1/orders', 'v2/mcp'])
  echo(@Body() body: unknown): unknown {
    return { own: body };
  }
}

@Controller({ path: 'agents/mcp', version: '1' })
class VersionedController extends ToolGatewayController {}

const SETTINGS: Record<
  string,
  { prepare: (app: INestApplication) => unknown; endpoints: readonly string[]; own: string }
> = {
  'as it is': { prepare: () => undefined, endpoints: ['/mcp', '/mcp/all', '/mcp/p/ci', '/agents/mcp'], own: '' },
  'with a prefix': {
    prepare: (app) => app.setGlobalPrefix('api'),
    endpoints: ['/api/mcp', '/api/mcp/all', '/api/mcp/p/ci', '/api/agents/mcp'],
    own: '/api',
  },
  'with an endpoint outside the prefix': {
    prepare: (app) => app.setGlobalPrefix('api', { exclude: ['mcp'] }),
    endpoints: ['/mcp', '/api/agents/mcp'],
    own: '/api',
  },
  'with versions in the URL': {
    prepare: (app) => app.enableVersioning({ type: VersioningType.URI }),
    endpoints: ['/mcp', '/mcp/all', '/v1/agents/mcp', '/v1/agents/mcp/all'],
    own: '',
  },
  'with a prefix and versions of another form': {
    prepare: (app) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, prefix: 'rev-' }),
    endpoints: ['/api/mcp', '/api/rev-1/agents/mcp'],
    own: '/api',
  },
};

describe.each(['express', 'fastify'])('the body reader on %s', (adapter) => {
  describe.each(Object.entries(SETTINGS))('%s', (_, { prepare, endpoints, own }) => {
    let app: INestApplication;
    let url: string;
    const post = async (path: string, body: string) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { status: response.status, body: (await response.json()) as { error?: { code?: number }; own?: unknown } };
    };

    beforeAll(async () => {
      const module = await Test.createTestingModule({
        imports: [
          ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }), sources: [] }),
          ToolGatewayModule.forRoot({ path: 'mcp', guards: [EveryoneGuard], profiles: { ci: {} } }),
        ],
        controllers: [VersionedController, OwnController],
        providers: [EveryoneGuard],
      })
        .setLogger(false as never)
        .compile();
      app = adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
      prepare(app);
      await app.listen(0, '127.0.0.1');
      url = await app.getUrl();
    });
    afterAll(() => app.close());

    it.each(endpoints)('reads bodies for %s', async (path) => {
      const { status, body } = await post(path, '{');
      expect([status, body.error?.code]).toEqual([400, -32700]);
    });

    it.each(['/orders/mcp', '/mcp/own', '/mcp/p/a/own', '/mcpx', '/v1/orders', '/v2/mcp'])(
      'leaves the bodies of %s to the application',
      async (path) => {
        expect(await post(`${own}${path}`, '{"a":1}')).toMatchObject({ status: 201, body: { own: { a: 1 } } });
      },
    );
  });

  it('refuses two endpoints with the same path at boot', async () => {
    @Controller('mcp')
    class Twin extends ToolGatewayController {}
    const module = await Test.createTestingModule({
      imports: [
        ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }), sources: [] }),
        ToolGatewayModule.forRoot({ path: 'mcp', anonymous: true }),
      ],
      controllers: [Twin],
    })
      .setLogger(false as never)
      .compile();
    const app =
      adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
    await expect(app.init()).rejects.toMatchObject({
      code: adapter === 'fastify' ? 'FST_ERR_DUPLICATED_ROUTE' : 'INVALID_CONFIGURATION',
    });
    await app.close();
  });
});

it('boots without an endpoint in an application without HTTP, such as a worker', async () => {
  @Module({
    imports: [
      ToolSearchModule.forRoot({ context: () => undefined }),
      ToolGatewayModule.forRoot({ path: 'mcp', anonymous: true }),
    ],
  })
  class WorkerModule {}
  const app = await NestFactory.createApplicationContext(WorkerModule, { logger: false, abortOnError: false });
  // RxJS throws the error of a subscriber in a timer of its own, which ends the process.
  await pause(1);
  expect(await app.get(ToolSearchService).open({ tenantId: 'acme' }).visible()).toEqual([]);
  await app.close();
});
