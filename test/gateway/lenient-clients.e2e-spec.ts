import { PassThrough } from 'node:stream';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolSearchModule } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import { StdioGateway, ToolGatewayModule } from '@tool-search/gateway';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, initialize, LEGACY_VERSION, send, WireCaller } from './support/wire.js';

const WORDS = { order: 7, note: 'ä "b"', none: null };

/** Texts that would be arguments, but are out of bounds or leave open what is meant. */
const REFUSED_TEXTS: [string, string, string][] = [
  ['a key twice', '{"amount":1,"amount":1000}', 'INVALID_ARGUMENTS'],
  ['a key twice, in two spellings', '{"amount":1,"\\u0061mount":1000}', 'INVALID_ARGUMENTS'],
  ['10,000 levels', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'ARGUMENTS_TOO_LARGE'],
  ['1,001 keys', `{${Array.from({ length: 1_001 }, (_, i) => `"k${i}":1`).join()}}`, 'ARGUMENTS_TOO_LARGE'],
];

describe.each(ADAPTERS)('a client that is not strict, on %s', (adapter) => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    gateway = await startGatewayApp(adapter);
  });
  afterAll(() => gateway.app.close());

  describe.each(ERAS)('of the %s era', (era) => {
    const textOf = (message: any) => message.result.content[0].text;
    let caller: WireCaller;
    beforeEach(async () => {
      caller = await WireCaller.of(gateway.url, era);
    });

    it.each([
      ['accepts anything', '*/*'],
      ['accepts anything of any application, and streams', 'application/*, text/event-stream;q=0.5'],
      ['accepts both in other letters', 'Application/JSON, Text/Event-Stream'],
      ['does not say what it accepts', ''],
    ])('is served if it %s', async (_, accept) => {
      const request = caller.request('tools/list');
      const { status, message } = await send(gateway.url, { ...request, headers: { ...request.headers, accept } });
      expect([status, message.result.tools.length]).toEqual([200, expect.any(Number)]);
    });

    it('reads in words what it does not accept', async () => {
      const request = caller.request('tools/list');
      const headers = { ...request.headers, accept: 'text/html, */*;q=0' };
      const { status, message } = await send(gateway.url, { ...request, headers });
      if (era === 'legacy')
        expect([status, message.error.message]).toEqual([406, expect.stringContaining('must accept')]);
      else expect([200, 406]).toContain(status);
    });

    it('may send null where it means nothing', async () => {
      const all = await caller.ask('tools/list', {});
      expect((await caller.ask('tools/list', { cursor: null })).result.tools).toEqual(all.result.tools);
      expect(textOf(await caller.ask('tools/call', { name: 'shop__ping', arguments: null }))).toBe('pong');
      const wrapped = { name: 'shop.ping', arguments: null };
      expect(textOf(await caller.ask('tools/call', { name: 'tool_call', arguments: wrapped }))).toBe('pong');
      expect(textOf(await caller.ask('tools/call', { name: 'shop__echo', arguments: WORDS }))).toBe(
        JSON.stringify(WORDS),
      );
    });

    it('may send arguments as JSON text, for a tool, for tool_call and within it', async () => {
      const text = JSON.stringify(WORDS);
      const wrapped = { name: 'shop.echo', arguments: text };
      for (const [name, input] of [
        ['shop__echo', text],
        ['tool_call', wrapped],
        ['tool_call', JSON.stringify(wrapped)],
      ] as const) {
        expect(textOf(await caller.ask('tools/call', { name, arguments: input }))).toBe(text);
      }
      const found = await caller.ask('tools/call', { name: 'tool_search', arguments: '{"query":"refund an order"}' });
      expect(textOf(found)).toContain('refund');
    });

    it.each(['not json', '[1]', '7', '{"a":'])(
      'is not told to leave out arguments that are the text %s',
      async (text) => {
        const answer = await caller.call('tool_call', { name: 'shop.echo', arguments: text });
        expect(answer.result._meta['tool-search/code']).toBe('INVALID_ARGUMENTS');
        expect(textOf(answer)).toContain('as an object');
        expect(textOf(answer)).not.toMatch(/\{\}|no arguments/);
      },
    );

    it.each(REFUSED_TEXTS)('is refused with arguments as JSON text that has %s', async (_, text, code) => {
      const { error } = await caller.ask('tools/call', { name: 'shop__echo', arguments: text });
      expect(error).toMatchObject({ code: -32600, data: { code, hint: expect.any(String) } });
      const wrapped = { name: 'shop.echo', arguments: text };
      const { result } = await caller.ask('tools/call', { name: 'tool_call', arguments: wrapped });
      expect(result).toMatchObject({ isError: true, _meta: { 'tool-search/code': code } });
    });

    it.each([
      ['tools/list', { cursor: 7 }, /cursor: .*expected string/],
      ['tools/call', { name: 7 }, /name: expected string/],
      ['tools/call', { name: 'shop__ping', arguments: 'none' }, /arguments: expected record/],
      ['tools/call', { name: 'shop__ping', arguments: [1] }, /arguments: expected record/],
    ])('is told in words what is wrong: %s %j', async (method, params, words) => {
      const { error } = await caller.ask(method, params);
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(words) });
      expect(error.message).not.toMatch(/[\n[{]/);
    });
  });

  it('may greet with members that are null', async () => {
    const { body, ...request } = initialize(LEGACY_VERSION);
    const greeting = body as { params: object };
    const params = { ...greeting.params, _meta: null, capabilities: { roots: null, sampling: null } };
    const { status, message } = await send(gateway.url, { ...request, body: { ...greeting, params } });
    expect([status, message.result?.protocolVersion]).toEqual([200, LEGACY_VERSION]);
  });

  it('reads in words what is wrong with its greeting', async () => {
    const { body, ...request } = initialize(LEGACY_VERSION);
    const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: { name: 7, version: '1' } };
    const { message } = await send(gateway.url, { ...request, body: { ...(body as object), params } });
    expect(message.error.message).not.toMatch(/[\n[{]/);
  });
});

describe('a client over stdio that is not strict', () => {
  let app: INestApplicationContext;
  beforeAll(async () => {
    const shop = new FakeSource('shop', [
      { name: 'echo', inputSchema: { type: 'object' }, run: (input) => JSON.stringify(input) },
    ]);
    @Module({
      imports: [
        ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }), sources: [shop] }),
        ToolGatewayModule.forRoot({ path: 'mcp', anonymous: true }),
      ],
    })
    class App {}
    app = await NestFactory.createApplicationContext(App, { logger: false });
  });
  afterAll(() => app.close());

  it('may send null and arguments as JSON text', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const connection = app.get(StdioGateway).serve({ tenantId: 'acme', userId: 'ada' }, { input, output });
    const answers = output[Symbol.asyncIterator]();
    let rest = '';
    const askLine = async (asked: string) => {
      input.write(`${asked}\n`);
      while (!rest.includes('\n')) rest += String((await answers.next()).value);
      const [line = '', ...more] = rest.split('\n');
      rest = more.join('\n');
      return JSON.parse(line) as any;
    };
    const ask = (message: object) => askLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const clientInfo = { name: 'client', version: '1', title: null };
    const greeting = { protocolVersion: LEGACY_VERSION, capabilities: { roots: null }, clientInfo, _meta: null };
    expect(await ask({ id: 1, method: 'initialize', params: greeting })).toMatchObject({ id: 1, result: {} });
    input.write('{"jsonrpc":"2.0","method":"notifications/initialized","params":null}\n');
    expect((await ask({ id: 2, method: 'tools/list', params: { cursor: null } })).result.tools.length).toBeGreaterThan(
      0,
    );
    const wrapped = { name: 'shop.echo', arguments: JSON.stringify(WORDS) };
    const { result } = await ask({
      id: 3,
      method: 'tools/call',
      params: { name: 'tool_call', arguments: JSON.stringify(wrapped) },
    });
    expect(result.content[0].text).toBe(JSON.stringify(WORDS));
    let id = 3;
    for (const [, text, code] of REFUSED_TEXTS) {
      const params = { name: 'shop__echo', arguments: text };
      expect(await ask({ id: ++id, method: 'tools/call', params })).toMatchObject({
        id,
        error: { code: -32600, data: { code } },
      });
      // Not as a text: the line itself is out of bounds.
      input.write(`{"jsonrpc":"2.0","method":"notifications/odd","params":${text}}\n`);
      const head = `{"jsonrpc":"2.0","id":${++id},"method":"tools/call"`;
      const inLine = code === 'INVALID_ARGUMENTS' ? 'INVALID_REQUEST' : code;
      expect(await askLine(`${head},"params":{"name":"shop__echo","arguments":${text}}}`)).toMatchObject({
        id,
        error: { code: -32600, data: { code: inLine } },
      });
    }
    expect(await ask({ id: 99, method: 'ping' })).toMatchObject({ id: 99, result: {} });
    input.end();
    await connection.closed;
  });
});
