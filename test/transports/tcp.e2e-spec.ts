import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Controller, Inject, type INestMicroservice, Injectable, Scope } from '@nestjs/common';
import { ClientProxyFactory, MessagePattern, Payload, type ClientProxy, Transport } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { type IncomingMessage, RequestToolbox, RequiresTool, Toolbox, type ToolContext } from '@tool-search/core';
import { lastValueFrom } from 'rxjs';
import { guardedRequests, orderApp } from './orders.js';

// #region context
interface Order {
  readonly tenant?: string;
  readonly id?: string;
}

function contextOf(source: IncomingMessage | { user?: ToolContext }): ToolContext | undefined {
  // An HTTP request or a socket: a guard has put the caller there. Undefined: not authenticated.
  if (!('pattern' in source)) return source.user;
  const { tenant } = source.data as Order;
  return tenant === undefined ? undefined : { tenantId: tenant };
}
// #endregion context

@Controller()
class OrderHandlers {
  @MessagePattern('refund')
  refund(@RequestToolbox() toolbox: Toolbox, @Payload() { id }: Order) {
    return toolbox.call('order.refund', { id });
  }

  @MessagePattern('required')
  @RequiresTool({ tag: 'refund' })
  @RequiresTool('order.refund')
  required() {
    return 'let in';
  }

  @MessagePattern('failing')
  failing(@RequestToolbox() toolbox: Toolbox) {
    return toolbox.get(['order.no_such']);
  }
}

@Injectable({ scope: Scope.REQUEST })
class Injected {
  constructor(@Inject(Toolbox) readonly toolbox: Toolbox) {}
}

@Controller()
class InjectedHandlers {
  constructor(@Inject(Injected) private readonly injected: Injected) {}

  @MessagePattern('injects')
  async injects(@RequestToolbox() toolbox: Toolbox) {
    const { content } = (await this.injected.toolbox.call('order.refund', { id: '8' })) as { content?: unknown };
    return { content, isShared: toolbox === this.injected.toolbox };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a microservice over TCP', () => {
  let app: INestMicroservice;
  let client: ClientProxy;
  beforeAll(async () => {
    const App = orderApp(contextOf, { controllers: [OrderHandlers, InjectedHandlers], providers: [Injected] });
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    const options = { host: '127.0.0.1', port: await freePort() };
    app = module.createNestMicroservice({ transport: Transport.TCP, options });
    await app.listen();
    client = ClientProxyFactory.create({ transport: Transport.TCP, options });
  });
  afterAll(async () => {
    await client.close();
    await app.close();
  });

  const send = (pattern: string, data: Order): Promise<unknown> => lastValueFrom(client.send(pattern, data));

  it('gives each message its toolbox, and guards of tools the message', async () => {
    for (const tenant of ['acme', 'globex']) {
      expect(await send('refund', { tenant, id: '7' })).toMatchObject({
        ok: true,
        content: [{ text: `7 for ${tenant}` }],
      });
    }
    expect(guardedRequests.at(-1)).toMatchObject({ pattern: 'refund', data: { tenant: 'globex', id: '7' } });
    expect(await send('injects', { tenant: 'acme' })).toEqual({
      content: [{ type: 'text', text: '8 for acme' }],
      isShared: true,
    });
  });

  it('answers what @RequiresTool() and handlers refuse with an error that has the code', async () => {
    expect(await send('required', { tenant: 'acme' })).toBe('let in');
    await expect(send('required', { tenant: 'free' })).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await expect(send('required', {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(send('failing', { tenant: 'acme' })).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('counts calls by a limit, for any message, and refuses a guarded one with its code', async () => {
    expect(await send('refund', { tenant: 'frugal', id: '7' })).toMatchObject({ ok: true });
    expect(await send('refund', { tenant: 'frugal', id: '7' })).toMatchObject({
      code: 'LIMIT_REACHED',
      limit: 'frugal',
    });
    await expect(send('required', { tenant: 'frugal' })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});
