import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Inject, Injectable, Scope, UseFilters } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { WsAdapter } from '@nestjs/platform-ws';
import { Test } from '@nestjs/testing';
import { ConnectedSocket, MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { RequestToolbox, RequiresTool, Tool, Toolbox, ToolSearchErrorFilter } from '@tool-search/core';
import { WebSocket } from 'ws';
import { guardedRequests, orderApp } from './orders.js';

interface Client {
  tenant?: string;
}

@WebSocketGateway()
class OrderGateway {
  @SubscribeMessage('login')
  login(@ConnectedSocket() client: Client, @MessageBody() tenant: string) {
    client.tenant = tenant;
    return { event: 'login', data: tenant };
  }

  @SubscribeMessage('refund')
  async refund(@RequestToolbox() toolbox: Toolbox, @MessageBody() id: string) {
    return { event: 'refund', data: await toolbox.call('order.refund', { id }) };
  }

  @RequiresTool('order.refund')
  @RequiresTool('order.*')
  @SubscribeMessage('required')
  required() {
    return { event: 'required', data: 'let in' };
  }

  @UseFilters(ToolSearchErrorFilter)
  @SubscribeMessage('failing')
  failing(@RequestToolbox() toolbox: Toolbox) {
    return toolbox.get(['order.no_such']);
  }
}

/** Nest creates it once per client, but the client's user may change. */
@UseFilters(ToolSearchErrorFilter)
@WebSocketGateway()
class InjectedGateway {
  constructor(@Inject(Toolbox) private readonly toolbox: Toolbox) {}

  @SubscribeMessage('injected')
  injected() {
    return this.toolbox.visible();
  }
}

/** Also created once per client, so all messages share it; the tools that they call must not be shared. */
@WebSocketGateway()
class ScopedGateway {
  constructor(@Inject(REQUEST) readonly client: Client) {}

  @SubscribeMessage('whoever')
  async whoever(@RequestToolbox() toolbox: Toolbox) {
    return { event: 'whoever', data: await toolbox.call('scoped.who', {}) };
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedTools {
  readonly tenant: string | undefined;

  constructor(@Inject(REQUEST) client: Client) {
    this.tenant = client.tenant;
  }

  @Tool({ description: 'Say who it was built for.' })
  who() {
    return this.tenant;
  }
}

describe('WebSockets with platform-ws', () => {
  let app: INestApplication;
  let client: WebSocket;
  beforeAll(async () => {
    const App = orderApp(({ tenant }: Client) => (tenant === undefined ? undefined : { tenantId: tenant }), {
      providers: [OrderGateway, InjectedGateway, ScopedGateway, ScopedTools],
    });
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    app = module.createNestApplication();
    app.useWebSocketAdapter(new WsAdapter(app));
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
    client = new WebSocket(`ws://127.0.0.1:${port}`);
    await once(client, 'open');
  });
  afterEach(() => client.terminate());

  const say = async (event: string, data?: unknown): Promise<{ event: string; data: never }> => {
    client.send(JSON.stringify({ event, data }));
    const [answer] = (await once(client, 'message')) as [Buffer];
    return JSON.parse(String(answer));
  };

  it('makes a toolbox for each message, with the identity that the client has by then', async () => {
    for (const tenant of ['acme', 'globex']) {
      await say('login', tenant);
      const { data } = await say('refund', '7');
      expect(data).toMatchObject({ ok: true, content: [{ text: `7 for ${tenant}` }] });
      expect((guardedRequests.at(-1) as Client).tenant).toBe(tenant);
    }
    await say('login', 'free');
    expect((await say('refund', '7')).data).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
  });

  it('builds request-scoped tools for each message, also where the gateway is built once for its client', async () => {
    for (const tenant of ['acme', 'globex']) {
      await say('login', tenant);
      expect((await say('whoever')).data).toMatchObject({ ok: true, content: [{ text: tenant }] });
    }
  });

  it('refuses an injected toolbox, which would keep the identity of the first message', async () => {
    expect(await say('injected')).toMatchObject({
      event: 'exception',
      data: { code: 'INVALID_CONFIGURATION', hint: expect.stringContaining('@RequestToolbox()') },
    });
  });

  it('answers what @RequiresTool() and handlers refuse with an exception event that has the code', async () => {
    expect(await say('required')).toMatchObject({ event: 'exception', data: { code: 'UNAUTHENTICATED' } });
    await say('login', 'free');
    expect(await say('required')).toMatchObject({ event: 'exception', data: { code: 'TOOL_NOT_AVAILABLE' } });
    await say('login', 'acme');
    expect(await say('required')).toEqual({ event: 'required', data: 'let in' });
    expect(await say('failing')).toMatchObject({ event: 'exception', data: { code: 'TOOL_NOT_AVAILABLE' } });
  });

  it('counts calls by a limit, for any message, and refuses a guarded one with its code', async () => {
    await say('login', 'frugal');
    expect((await say('refund', '7')).data).toMatchObject({ ok: true });
    expect((await say('refund', '7')).data).toMatchObject({ code: 'LIMIT_REACHED', limit: 'frugal' });
    expect(await say('required')).toMatchObject({ event: 'exception', data: { code: 'LIMIT_REACHED' } });
  });
});
