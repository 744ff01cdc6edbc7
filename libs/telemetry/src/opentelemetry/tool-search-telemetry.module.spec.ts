import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { KillSwitches, type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import type { ToolSearchTelemetryOptions } from './tool-search-telemetry.options.js';
import { ToolSearchTelemetryModule } from './tool-search-telemetry.module.js';

const ACME: ToolContext = { tenantId: 'tenant-acme', userId: 'user-ada', sessionId: 'session-1' };

/** Starts a telemetry SDK before the application, as applications do. */
function startSdk() {
  const spans = new InMemorySpanExporter();
  const faults = { on: false };
  const faulty: SpanProcessor = {
    onStart: () => {
      if (faults.on) throw new Error('the processor is broken');
    },
    onEnd: () => undefined,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const reader = new PrometheusExporter({ preventServerStart: true });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [faulty, new SimpleSpanProcessor(spans)] }));
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const exposition = async () => {
    const { resourceMetrics, errors } = await reader.collect();
    expect(errors).toEqual([]);
    return new PrometheusSerializer(undefined, false, undefined, true, true).serialize(resourceMetrics);
  };
  return { spans, faults, exposition };
}

function sources() {
  const files = new FakeSource('files', [
    { name: 'read_file', aliases: ['files.cat'], run: () => 'the contents' },
    {
      name: 'write_file',
      run: () => trace.getTracer('application').startActiveSpan('disk', async (span) => span.end()),
    },
    {
      name: 'fail',
      run: () => {
        throw new Error('secret-cause');
      },
    },
    { name: 'delete_file' },
    { name: 'approve_file' },
    { name: 'list_files', loading: 'always' },
  ]);
  const broken = new FakeSource('broken', ['gone']);
  broken.failWith(new Error('secret-cause'));
  return [files, broken, new FakeSource('broken', ['there'], { owner: ACME.tenantId })];
}

async function start(telemetry: NonNullable<Parameters<typeof Module>[0]['imports']>[number], isGlobal = true) {
  const module = ToolSearchModule.forRoot({
    context: () => ACME,
    isGlobal,
    sources: sources(),
    exposure: 'deferred',
    policy: { deny: ['files.delete_*'], approval: ['files.approve_*'] },
    activation: { maxTools: 2 },
  });
  @Module({ imports: [module, telemetry] })
  class App {}
  const app = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  // Some tools fail on purpose.
  app.useLogger(false);
  await app.init();
  return { app, toolbox: app.get(ToolSearchService).open(ACME) };
}

describe('with an SDK', () => {
  let sdk: ReturnType<typeof startSdk>;
  let running: Awaited<ReturnType<typeof start>> | undefined;
  beforeEach(() => {
    sdk = startSdk();
  });
  afterEach(async () => {
    await running?.app.close();
    running = undefined;
    trace.disable();
    metrics.disable();
    context.disable();
  });
  const toolboxOf = async (...args: Parameters<typeof start>) => {
    running = await start(...args);
    return running.toolbox;
  };
  const spanNamed = (name: string) => sdk.spans.getFinishedSpans().find((span) => span.name === name)!;

  it('a call is a span, and what the tool does itself is below it', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule);
    await toolbox.call('files.write_file', {}, { callId: 'toolu_1' });
    const span = spanNamed('execute_tool files.write_file');
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.instrumentationScope.name).toBe('@tool-search/core');
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'files.write_file',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'toolu_1',
      'gen_ai.conversation.id': 'session-1',
      'tool_search.activated': 'session',
    });
    expect(spanNamed('disk').parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });

  it('a search by the model is a retrieval inside its call', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule);
    await toolbox.call('tool_search', { query: 'read file' });
    const [outer, inner] = [spanNamed('execute_tool tool_search'), spanNamed('retrieval tool_search.catalog')];
    expect(inner.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    expect(inner.kind).toBe(SpanKind.INTERNAL);
    expect(inner.attributes).toEqual({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.data_source.id': 'tool_search.catalog',
      'gen_ai.conversation.id': 'session-1',
      'tool_search.search_id': expect.any(String),
      'tool_search.mode': 'bm25',
      'tool_search.results': expect.any(Number),
      'tool_search.verdict': 'found',
    });
    expect(outer.attributes).not.toHaveProperty('tool_search.mode');
  });

  it.each([
    ['a tool that throws', 'files.fail', {}, { 'error.type': 'TOOL_FAILED' }],
    [
      'a tool that is denied',
      'files.delete_file',
      {},
      {
        'error.type': 'TOOL_NOT_AVAILABLE',
        'tool_search.decision': 'deny',
        'tool_search.layer': 'policy',
        'tool_search.reason': 'deny',
      },
    ],
    [
      'a tool that waits for an approval',
      'files.approve_file',
      {},
      {
        'error.type': 'APPROVAL_REQUIRED',
        'tool_search.decision': 'approve',
        'tool_search.layer': 'approval',
        'tool_search.reason': 'approval',
      },
    ],
    ['a meta tool with faulty arguments', 'tool_get', 'x', { 'error.type': 'INVALID_ARGUMENTS' }],
  ])('%s is a failed span with a code and without words', async (_, name, input, attributes) => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule);
    expect(await toolbox.call(name, input)).toMatchObject({ ok: false });
    const span = spanNamed(`execute_tool ${name}`);
    expect(span.attributes).toMatchObject(attributes);
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.events).toEqual([]);
  });

  it('a search that the application asked for in vain fails with its code', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule);
    await expect(toolbox.search({ query: '' })).rejects.toMatchObject({ code: 'INVALID_QUERY' });
    expect(spanNamed('retrieval tool_search.catalog').attributes).toMatchObject({ 'error.type': 'INVALID_QUERY' });
  });

  it('metrics come out of a Prometheus exporter under their names', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule, false);
    const started = performance.now();
    await toolbox.call('tool_search', { query: 'read file' });
    await toolbox.search({ query: 'files.read_file', type: 'exact' });
    await toolbox.search({ query: 'zebra' });
    for (const name of ['files.read_file', 'files.write_file', 'files.fail', 'files.delete_file', 'files.none']) {
      await toolbox.call(name, {});
    }
    await toolbox.surface();
    await toolbox.surface();
    const order = { reason: 'zebra', actor: 'user-ada' };
    await running!.app.get(KillSwitches).engage({ kind: 'tool', value: 'files.list_files', ...order });
    await toolbox.call('files.list_files', {});
    const text = await sdk.exposition();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        '# TYPE tool_search_queries_total counter',
        'tool_search_queries_total{mode="bm25",outcome="found"} 1',
        'tool_search_queries_total{mode="bm25",outcome="none"} 1',
        'tool_search_queries_total{mode="exact",outcome="found"} 1',
        '# TYPE tool_search_query_duration_seconds histogram',
        'tool_search_query_duration_seconds_count 3',
        '# TYPE tool_search_catalog_tools gauge',
        'tool_search_catalog_tools{state="always"} 1',
        'tool_search_catalog_tools{state="deferred"} 6',
        expect.stringMatching(/^tool_search_catalog_tokens\{state="always"\} [1-9]\d*$/),
        expect.stringMatching(/^tool_search_catalog_tokens\{state="deferred"\} [1-9]\d*$/),
        expect.stringMatching(/^tool_search_tokens_total\{use="shown"\} [1-9]\d*$/),
        expect.stringMatching(/^tool_search_tokens_total\{use="saved"\} \d+$/),
        expect.stringMatching(/^tool_search_tokens_total\{use="searching"\} [1-9]\d*$/),
        'tool_search_surfaces_total{mode="deferred",cache="first"} 1',
        'tool_search_surfaces_total{mode="deferred",cache="kept"} 1',
        'tool_search_search_gaps_total{kind="zero_hit"} 1',
        'tool_search_activations_total{scope="session",outcome="activated"} 2',
        'tool_search_activations_total{scope="session",outcome="refused"} 1',
        'tool_search_denials_total{layer="policy",reason="deny"} 1',
        'tool_search_denials_total{layer="source",reason="unknown"} 1',
        'tool_search_source_up{source="files"} 1',
        'tool_search_source_up{source="broken"} 0',
        'tool_search_kill_switches_active 1',
        'tool_search_denials_total{layer="kill_switch",reason="kill_switch"} 1',
        '# TYPE gen_ai_execute_tool_duration histogram',
        '# UNIT gen_ai_execute_tool_duration s',
        'gen_ai_execute_tool_duration_count{gen_ai_operation_name="execute_tool"} 3',
        'gen_ai_execute_tool_duration_count{gen_ai_operation_name="execute_tool",error_type="TOOL_NOT_AVAILABLE"} 3',
      ]),
    );
    // The durations are in seconds and below the elapsed time.
    const passed = (performance.now() - started) / 1000;
    const sums = [...text.matchAll(/_(?:seconds|duration)_sum\S* (\S+)/g)].map(([, seconds]) => Number(seconds));
    expect(sums).toHaveLength(4);
    expect(sums.filter((seconds) => seconds > passed)).toEqual([]);
  });

  it('contain no tenant, user, query, argument or cause of an error', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule.forRoot({ toolLabel: true }));
    await toolbox.call('tool_search', { query: 'read zebra-query' });
    await toolbox.call('files.read_file', { path: 'zebra-argument' });
    await toolbox.call('files.fail', {});
    await toolbox.call('a zebra-name with words', {});
    const spans = sdk.spans.getFinishedSpans();
    expect(spans.length).toBeGreaterThan(4);
    const told = JSON.stringify(
      spans.map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
    );
    for (const text of [told, await sdk.exposition()]) {
      expect(text).toContain('files.read_file');
      expect(text).not.toMatch(/zebra|tenant-acme|user-ada|secret|the contents/);
    }
    expect(await sdk.exposition()).not.toContain('session-1');
  });

  it('options: no session, and durations by tool, but not by names that models invent', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule.forRoot({ recordSession: false, toolLabel: true }));
    await toolbox.call('files.cat', {});
    await toolbox.call('files.invented', {});
    expect(spanNamed('execute_tool files.read_file').attributes).not.toHaveProperty(['gen_ai.conversation.id']);
    const text = await sdk.exposition();
    expect(text).toContain('gen_ai_tool_name="files.read_file"');
    expect(text).not.toContain('invented');
    expect(spanNamed('execute_tool files.invented')).toBeUndefined();
  });

  it('a failing exporter loses only the span', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule);
    sdk.faults.on = true;
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
    expect(sdk.spans.getFinishedSpans()).toEqual([]);
  });

  it('calls that run at once keep their spans apart', async () => {
    const toolbox = await toolboxOf(ToolSearchTelemetryModule);
    await Promise.all(
      Array.from({ length: 20 }, (_, call) => toolbox.call('files.write_file', {}, { callId: String(call) })),
    );
    const parents = sdk.spans
      .getFinishedSpans()
      .filter(({ name }) => name === 'disk')
      .map(({ parentSpanContext }) => parentSpanContext?.spanId);
    const calls = sdk.spans.getFinishedSpans().filter(({ name }) => name === 'execute_tool files.write_file');
    expect(new Set(parents)).toEqual(new Set(calls.map((span) => span.spanContext().spanId)));
    expect(new Set(parents).size).toBe(20);
  });
});

describe('without an SDK', () => {
  it('the application works, and nothing is recorded', async () => {
    const { app, toolbox } = await start(ToolSearchTelemetryModule);
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
    expect(await toolbox.call('tool_search', { query: 'read' })).toMatchObject({ ok: true });
    await app.close();
  });
});

it('refuses options that are none, with those there are', () => {
  const wrong: unknown = { toolLabels: true };
  const boot = () => ToolSearchTelemetryModule.forRoot(wrong as ToolSearchTelemetryOptions);
  expect(boot).toThrow('ToolSearchTelemetryModule.forRoot() has no option "toolLabels".');
});
