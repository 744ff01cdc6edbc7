import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { AskingServer } from './support/asking-server.js';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, initialize, legacy, modern, open, send, type WireRequest } from './support/wire.js';

const FORMS = { elicitation: { form: {} } };
const city = (name: string) => ({ action: 'accept', content: { city: name } });

describe.each(ERAS)('tools of a %s MCP server that ask their caller', (upstream) => {
  let server: AskingServer;
  let world: GatewayApp;
  const boot = async (input?: McpSourceOptions['input']) => {
    server = new AskingServer(upstream);
    const source = new McpSource({ name: 'far', url: await server.start(), changes: 'trust', input });
    world = await startGatewayApp('express', { options: { sources: [source] } });
  };
  afterEach(async () => {
    await world.app.close();
    await server.stop();
  });

  describe('through the gateway, to a client of 2026-07-28', () => {
    const call = async (tool: string, more: object = {}, capabilities: object = FORMS, token = 'acme.ann') => {
      const request = modern('tools/call', { name: `far__${tool}`, arguments: { n: 1 }, ...more }, capabilities);
      return send(world.url, { ...request, path: '/mcp/all', token });
    };

    it('ask with a result, and end with the answer', async () => {
      await boot();
      const { result } = (await call('ask')).message;
      expect(result.resultType).toBe('input_required');
      const [[key, question]] = Object.entries<any>(result.inputRequests) as [[string, any]];
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: '[far] Which city?' } });
      const { requestState } = result;
      const { message } = await call('ask', { requestState, inputResponses: { [key]: city('Rome') } });
      expect(message.result.content[0].text).toContain('Rome');
    });

    it('ask as often as they need to', async () => {
      await boot();
      const first = (await call('ask_twice')).message.result;
      const [one] = Object.keys(first.inputRequests);
      const second = (
        await call('ask_twice', {
          requestState: first.requestState,
          inputResponses: { [one!]: city('Rome') },
        })
      ).message.result;
      const [[two, question]] = Object.entries<any>(second.inputRequests) as [[string, any]];
      expect(question.params.message).toBe('[far] Which other city?');
      const last = await call('ask_twice', {
        requestState: second.requestState,
        inputResponses: { [two]: city('Oslo') },
      });
      expect(last.message.result.content[0].text).toMatch(/Rome.*Oslo/);
    });

    it('ask again where the answer is missing or no answer', async () => {
      await boot();
      let { result } = (await call('ask')).message;
      for (const inputResponses of [{}, { other: city('Rome') }, { city0: 5, input: [] }]) {
        ({ result } = (await call('ask', { requestState: result.requestState, inputResponses })).message);
        expect(result.resultType).toBe('input_required');
      }
    });

    it('accept no answer of another caller, for other arguments, or twice', async () => {
      await boot();
      const { result } = (await call('ask')).message;
      const [key] = Object.keys(result.inputRequests);
      const answer = { requestState: result.requestState, inputResponses: { [key!]: city('Rome') } };
      const refused = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };
      expect((await call('ask', answer, FORMS, 'acme.bob')).message).toMatchObject(refused);
      expect((await call('ask', { ...answer, arguments: { n: 2 } })).message).toMatchObject(refused);
      expect((await call('ask', { ...answer, requestState: `${result.requestState}x` })).message).toMatchObject(
        refused,
      );
      expect((await call('ask', answer)).message.result.content[0].text).toContain('Rome');
      expect((await call('ask', answer)).message).toMatchObject(refused);
    });

    it('end with the missing capability where the client cannot be asked', async () => {
      await boot();
      const { status, message } = await call('ask', {}, {});
      expect(status).toBe(400);
      expect(message.error).toMatchObject({
        code: -32021,
        data: { code: 'INPUT_REQUIRED', requiredCapabilities: { elicitation: { form: {} } } },
      });
    });

    it('use no model of the client unless the source allows it', async () => {
      await boot();
      const { message } = await call('ask_model', {}, { sampling: {} });
      expect(message.result.isError).toBe(true);
      // A legacy server is not told why it cannot ask, and answers in its own words.
      if (upstream === 'modern') expect(message.result._meta['tool-search/code']).toBe('INPUT_REQUIRED');
      await world.app.close();
      await server.stop();
      await boot({ sampling: true });
      const allowed = (await call('ask_model', {}, { sampling: {} })).message.result;
      expect(Object.values<any>(allowed.inputRequests)[0].method).toBe('sampling/createMessage');
    });
  });

  describe('through the gateway, to a client of 2025-11-25', () => {
    const session = async (capabilities: object) => {
      const { headers } = await send(world.url, { ...initialize(undefined, capabilities), path: '/mcp/all' });
      const id = String(headers['mcp-session-id']);
      await post(legacy('notifications/initialized', {}, id));
      return id;
    };
    const post = (request: WireRequest) => send(world.url, { ...request, path: '/mcp/all' });
    const ask = (id: string) => legacy('tools/call', { name: 'far__ask', arguments: {} }, id);

    it('ask with a request on the stream of the call, and end with the answer', async () => {
      await boot();
      const id = await session(FORMS);
      const stream = await open(world.url, { ...ask(id), path: '/mcp/all' });
      const [question] = await stream.arrived(1);
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: '[far] Which city?' } });
      const { headers } = legacy('', {}, id);
      await post({ headers, body: { jsonrpc: '2.0', id: question.id, result: city('Rome') } });
      const { message } = await stream.ended;
      expect(message.result.content[0].text).toContain('Rome');
    });

    it('end with a coded answer where the client cannot be asked', async () => {
      await boot();
      const { message } = await post(ask(await session({})));
      expect(message.result.isError).toBe(true);
      expect(message.result._meta['tool-search/code']).toBe('INPUT_REQUIRED');
    });
  });
});
