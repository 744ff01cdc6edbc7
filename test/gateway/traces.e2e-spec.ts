import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { Global, Module } from '@nestjs/common';
import { context, type Span, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type CounterChange, LimitStore } from '@tool-search/core/stores';
import { MemoryLimitStore } from '@tool-search/core/internal';
import { StdioGateway } from '@tool-search/gateway';
import { McpSource } from '@tool-search/mcp';
import { OpenApiSource } from '@tool-search/openapi';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { ADAPTERS, type GatewayApp, type GatewayAppSetup, startGatewayApp } from './support/gateway-app.js';
import { clientOf, Pipes } from './support/stream-client.js';
import { ERAS, send, WireCaller } from './support/wire.js';

/** Counters that are kept elsewhere: each call waits for them. */
class RemoteLimitStore extends MemoryLimitStore {
  override update<T>(keys: readonly string[], change: CounterChange<T>, tenantId?: string): T {
    return Promise.resolve(super.update(keys, change, tenantId)) as T;
  }
}

@Global()
@Module({ providers: [{ provide: LimitStore, useClass: RemoteLimitStore }], exports: [LimitStore] })
class RemoteLimits {}

/** An HTTP API that keeps the headers of its requests. The path `/slow` is answered when a test says so. */
class Api {
  readonly seen: IncomingHttpHeaders[] = [];
  readonly held: ServerResponse[] = [];
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      this.seen.push(request.headers);
      response.setHeader('content-type', 'application/json');
      if (request.url === '/slow') this.held.push(response);
      else response.end('{"ok":true}');
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: { '/fast': { get: { operationId: 'fast' } }, '/slow': { get: { operationId: 'slow' } } },
};
const RULES = [{ id: 'many', match: { tool: '*' }, rate: { calls: 1000, windowMs: 60_000 } }];
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

describe.each(ADAPTERS)('the trace of a client on %s', (adapter) => {
  const spans = new InMemorySpanExporter();
  const api = new Api();
  let upstream: GatewayApp;
  let gateway: GatewayApp;
  let apiUrl: string;

  /** A gateway in front of another gateway and of an API. */
  const front = (imports: GatewayAppSetup['imports'] = []) =>
    startGatewayApp(adapter, {
      imports: [RemoteLimits, ...imports],
      options: {
        limits: { rules: RULES },
        calls: { perSource: { parcels: 1 } },
        sources: [
          new McpSource({
            name: 'store',
            url: `${upstream.url}/mcp/all`,
            headers: { authorization: 'Bearer acme.robot' },
            changes: 'trust',
          }),
          new OpenApiSource({ name: 'parcels', document: DOCUMENT, baseUrl: apiUrl }),
        ],
      },
    });

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    apiUrl = await api.start();
    upstream = await startGatewayApp(adapter, { imports: [ToolSearchTelemetryModule] });
    gateway = await front([ToolSearchTelemetryModule.forRoot({ baggage: ['tier'] })]);
  });
  afterAll(async () => {
    await gateway.app.close();
    await upstream.app.close();
    api.stop();
    trace.disable();
    context.disable();
  });
  beforeEach(() => {
    spans.reset();
    api.seen.splice(0);
  });

  const parentOf = (span: Span) => {
    const { traceId, spanId } = span.spanContext();
    return { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'client=1', baggage: 'tier=gold,user=ada' };
  };
  const idOf = (span: Pick<Span, 'spanContext'> | undefined) => span?.spanContext().spanId;
  /** What a client does in a span of its own. */
  const asClient = async <T>(
    work: (meta: Readonly<Record<string, string>>, span: Span) => Promise<T>,
  ): Promise<Span> => {
    const span = trace.getTracer('client').startSpan('client');
    await work(parentOf(span), span);
    span.end();
    return span;
  };
  /** Names of the spans of a trace, each with the name of its parent. */
  const treeOf = (span: Span) => {
    const own = spans.getFinishedSpans().filter((each) => each.spanContext().traceId === span.spanContext().traceId);
    const names = new Map(own.map((each) => [each.spanContext().spanId, each.name]));
    const pairs = own.map((each) => [each.name, names.get(each.parentSpanContext?.spanId ?? '')]);
    return pairs.filter(([, parent]) => parent !== undefined).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  };

  describe.each(ERAS)('of the %s era', (era) => {
    it('goes through search, decision and limits to the server behind, in one piece', async () => {
      const caller = await WireCaller.of(gateway.url, era);
      const span = await asClient(async (_meta) => {
        await caller.ask('tools/call', { name: 'tool_search', arguments: { query: 'refund an order' }, _meta });
        const refund = { name: 'store.shop__refund', arguments: {} };
        const { result } = await caller.ask('tools/call', { name: 'tool_call', arguments: refund, _meta });
        expect(JSON.stringify(result)).toContain('refunded');
        await caller.ask('tools/call', { name: 'store.none', arguments: {}, _meta });
      });
      expect(treeOf(span)).toEqual([
        ['execute_tool (unknown tool)', 'client'],
        ['execute_tool shop.refund', 'execute_tool store.shop__refund'],
        ['execute_tool store.shop__refund', 'client'],
        ['execute_tool tool_search', 'client'],
        ['retrieval tool_search.catalog', 'execute_tool tool_search'],
        ['wait tool_search.limits', 'execute_tool store.shop__refund'],
      ]);
      const denied = spans.getFinishedSpans().find(({ name }) => name === 'execute_tool (unknown tool)');
      expect(denied?.attributes).toMatchObject({ 'tool_search.decision': 'deny', 'tool_search.layer': 'source' });
    });

    it('reaches an API in its headers, with the baggage that the application names and no other', async () => {
      const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
      const span = await asClient((_meta) => caller.ask('tools/call', { name: 'parcels__fast', arguments: {}, _meta }));
      const call = spans.getFinishedSpans().find(({ name }) => name === 'execute_tool parcels.fast');
      const traceparent = `00-${span.spanContext().traceId}-${idOf(call)}-01`;
      expect(api.seen).toMatchObject([{ traceparent, tracestate: 'client=1', baggage: 'tier=gold' }]);
    });

    it('has the wait for a place at its source', async () => {
      const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
      const slow = { name: 'parcels__slow', arguments: {} };
      const first = caller.ask('tools/call', slow);
      await until(() => api.held.length === 1);
      const span = await asClient(async (_meta) => {
        const second = caller.ask('tools/call', { ...slow, _meta });
        // It has taken its limits, so it waits for the place.
        await until(
          () => spans.getFinishedSpans().filter(({ name }) => name === 'wait tool_search.limits').length === 2,
        );
        await new Promise((resolve) => setImmediate(resolve));
        api.held.shift()?.end('{}');
        await first;
        await until(() => api.held.length === 1);
        api.held.shift()?.end('{}');
        await second;
      });
      expect(treeOf(span)).toContainEqual(['wait tool_search.source', 'execute_tool parcels.slow']);
      expect(treeOf(span)).toContainEqual(['execute_tool parcels.slow', 'client']);
    });

    it('is read from headers where the message has none, and what is malformed or too large is dropped', async () => {
      const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
      const span = await asClient(async (meta) => {
        const bad = { traceparent: meta['traceparent']!.toUpperCase() + 'x', baggage: `tier=${'a'.repeat(9000)}` };
        const request = caller.request('tools/call', { name: 'parcels__fast', arguments: {}, _meta: bad });
        await send(gateway.url, { ...request, headers: { ...request.headers, traceparent: meta['traceparent']! } });
      });
      expect(treeOf(span)).toContainEqual(['execute_tool parcels.fast', 'client']);
      expect(api.seen[0]).toMatchObject({ traceparent: expect.stringContaining(span.spanContext().traceId) });
      expect(api.seen[0]).not.toHaveProperty('baggage');
    });

    it('goes on over standard input and output', async () => {
      const pipes = new Pipes(new PassThrough(), new PassThrough());
      const streams = { route: 'all', input: pipes.toServer, output: pipes.fromServer };
      const connection = gateway.app.get(StdioGateway).serve({ tenantId: 'acme', userId: 'ann' }, streams);
      const client = clientOf(era);
      await client.connect(pipes);
      const span = await asClient((_meta) => client.callTool({ name: 'parcels__fast', arguments: {}, _meta }));
      expect(treeOf(span)).toContainEqual(['execute_tool parcels.fast', 'client']);
      await client.close();
      await connection.close();
    });
  });

  it('ends at a gateway without a telemetry module', async () => {
    const plain = await front();
    for (const era of ERAS) {
      const caller = await WireCaller.of(plain.url, era, { path: '/mcp/all' });
      await asClient(async (_meta) => {
        for (const name of ['parcels__fast', 'store__shop__refund']) {
          const request = caller.request('tools/call', { name, arguments: {}, _meta });
          await send(plain.url, { ...request, headers: { ...request.headers, ..._meta } });
        }
      });
    }
    expect(api.seen).toHaveLength(2);
    for (const name of ['traceparent', 'tracestate', 'baggage']) expect(api.seen[0]).not.toHaveProperty(name);
    const roots = spans.getFinishedSpans().filter(({ name }) => name === 'execute_tool shop.refund');
    expect(roots.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
    await plain.app.close();
  });
});
