import type { Client } from '@modelcontextprotocol/client';
import type { ToolContext } from '@tool-search/core';
import { StdioGateway } from '@tool-search/gateway';
import { PassThrough } from 'node:stream';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { clientOf, Pipes } from './support/stream-client.js';
import { ERAS, WireCaller } from './support/wire.js';

const META = ['tool_call', 'tool_get', 'tool_search'];
const ANN = { tenantId: 'acme', userId: 'ann' };

describe('StdioGateway', () => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    gateway = await startGatewayApp('express', {
      gateway: {
        profiles: { short: { exposure: 'all', allow: ['shop.p*'] }, growing: { exposure: 'deferred' } },
        confirm: { tools: ['shop.refund'] },
        instructions: 'Tools of the shop.',
      },
    });
  });
  afterAll(() => gateway.app.close());

  function serve(
    context: ToolContext = ANN,
    route = '',
  ): { pipes: Pipes; connection: ReturnType<StdioGateway['serve']> } {
    const pipes = new Pipes(new PassThrough(), new PassThrough());
    const connection = gateway.app
      .get(StdioGateway)
      .serve(context, { route, input: pipes.toServer, output: pipes.fromServer });
    return { pipes, connection };
  }

  describe.each(ERAS)('for a %s client', (era) => {
    async function connected(context?: ToolContext, route?: string, client: Client = clientOf(era)): Promise<Client> {
      await client.connect(serve(context, route).pipes);
      return client;
    }
    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

    it('lists what the route says, with the instructions of the gateway', async () => {
      const client = await connected();
      expect(await names(client)).toEqual(['shop__ping', ...META]);
      expect(client.getInstructions()).toMatch(/^Tools of the shop\..*It finds \d+ tools/s);
      expect(await names(await connected(ANN, 'p/short'))).toEqual(['shop__picture', 'shop__ping', 'tool_result']);
      const all = await connected(ANN, 'all');
      expect(await names(all)).toContain('shop__vault_acme');
      expect(await names(all)).not.toContain('shop__vault_globex');
    });

    it('answers like an endpoint over HTTP', async () => {
      const http = await WireCaller.of(gateway.url, era);
      const { result } = await http.ask('tools/list');
      const { tools } = await (await connected()).listTools();
      expect(tools).toEqual(result.tools);
      const client = await connected();
      const called = { name: 'tool_call', arguments: { name: 'shop.vault_acme', arguments: {} } };
      expect(await client.callTool(called)).toMatchObject({ content: [{ text: 'gold' }] });
      const hidden = { name: 'tool_call', arguments: { name: 'shop.vault_globex', arguments: {} } };
      expect(JSON.stringify(await client.callTool(hidden))).toContain('TOOL_NOT_AVAILABLE');
    });

    it('takes a large number as it was written, and refuses one that was rounded', async () => {
      const { pipes } = serve(ANN, 'all');
      const client = clientOf(era);
      await client.connect(pipes);
      const called = async (number: string) => {
        // The client writes numbers as JSON does: the text is exchanged on its way.
        const write = pipes.toServer.write.bind(pipes.toServer);
        pipes.toServer.write = ((text: string) => write(text.replace('"NUMBER"', number))) as typeof write;
        return JSON.stringify(await client.callTool({ name: 'shop__echo', arguments: { number: 'NUMBER' } }));
      };
      expect(await called('6.02e23')).toContain('6.02e+23');
      expect(await called('9007199254740993')).toContain('INVALID_ARGUMENTS');
    });

    it('notifies of changes of the list', async () => {
      const client = clientOf(era);
      const changed = new Promise<void>((resolve) =>
        client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
      );
      await connected(ANN, 'all', client);
      expect(await names(client)).toContain('shop__stock');
      if (era === 'modern') await client.listen({ toolsListChanged: true });
      const turnOn = await gateway.turnOff('shop.stock');
      await changed;
      expect(await names(client)).not.toContain('shop__stock');
      await turnOn();
    });

    it('asks the user by a form, and calls after a yes', async () => {
      const client = clientOf(era, { elicitation: { form: {} } });
      const questions: string[] = [];
      client.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: { confirm: true } };
      });
      await connected(ANN, '', client);
      const result = await client.callTool({ name: 'tool_call', arguments: { name: 'shop.refund', arguments: {} } });
      expect(questions).toEqual([expect.stringContaining('shop.refund')]);
      expect(result).toMatchObject({ structuredContent: { refunded: true } });
    });

    it('cancels running calls when the client leaves, and ends', async () => {
      const { pipes, connection } = serve();
      const client = clientOf(era);
      await client.connect(pipes);
      const answer = client.callTool({ name: 'shop.slow', arguments: {} }).catch(() => 'gone');
      const held = await gateway.held.next();
      await client.close();
      await held.cancelled;
      await connection.closed;
      expect(await answer).toBe('gone');
    });
  });

  it('grows the list of a legacy client by what it has called', async () => {
    const client = clientOf('legacy');
    await client.connect(serve({ tenantId: 'acme', userId: 'grace' }, 'p/growing').pipes);
    const before = (await client.listTools()).tools.map(({ name }) => name);
    await client.callTool({ name: 'shop.stock', arguments: {} });
    const after = (await client.listTools()).tools.map(({ name }) => name);
    expect(after.filter((name) => !before.includes(name))).toEqual(['shop__stock']);
  });

  it('shows in advance what a client is shown first', async () => {
    const listed = await gateway.app.get(StdioGateway).listed(ANN);
    expect(listed.map(({ name }) => name)).toEqual(['shop__ping', ...META]);
  });

  it.each([
    ['p/unknown', ANN, 'NOT_FOUND'],
    ['', { tenantId: '' }, 'INVALID_CONTEXT'],
  ])('refuses the route %j for %j before the first message: %s', (route, context, code) => {
    expect(() => serve(context, route)).toThrow(expect.objectContaining({ code }));
  });

  it('ends the connections of an application that shuts down', async () => {
    const other = await startGatewayApp('express');
    const pipes = new Pipes(new PassThrough(), new PassThrough());
    const { closed } = other.app.get(StdioGateway).serve(ANN, { input: pipes.toServer, output: pipes.fromServer });
    await clientOf('modern').connect(pipes);
    await other.app.close();
    await closed;
  });
});
