import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { ToolEvents } from '@tool-search/core';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { countEvents } from './count-events.js';

it('counts records that were lost', async () => {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const events = new ToolEvents();
  const stop = countEvents(events, new MeterProvider({ readers: [reader] }).getMeter('test'));
  events.emit({ type: 'record.lost', records: 3 });
  events.emit({ type: 'record.lost', records: 4 });
  const { resourceMetrics } = await reader.collect();
  const text = new PrometheusSerializer(undefined, false, undefined, true, true).serialize(resourceMetrics);
  expect(text).toContain('tool_search_records_lost_total 7');
  stop();
});

it('counts what a writer of example queries writes, costs and fails', async () => {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const meter = new MeterProvider({ readers: [reader] }).getMeter('test');
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  let calls = 0;
  const write = async (tools: readonly { name: string }[]) => {
    calls += 1;
    if (calls === 1) throw new Error('down');
    const usage = { inputTokens: 30, outputTokens: 7 };
    return { tools: tools.map(({ name }) => ({ name, queries: ['money back', 'undo it'] })), usage };
  };
  // The source comes later, so that the counters see all events.
  const source = new FakeSource('shop', ['refund']);
  const world = await openToolbox({
    options: { exposure: 'deferred', search: { exampleQueries: { writer: { id: 'w', write } } } },
    writingWaits: { lookAgainMs: 1, minRetryMs: 1 },
  });
  const stop = countEvents(world.events, meter);
  const written = new Promise<void>((resolve) => {
    world.events.on('example_queries.written', () => resolve());
  });
  await world.catalog.add(source);
  await written;
  const { resourceMetrics } = await reader.collect();
  const lines = serializer.serialize(resourceMetrics).split('\n');
  expect(lines.filter((line) => line.startsWith('tool_search_writ'))).toEqual([
    'tool_search_written_queries_total 2',
    'tool_search_writing_tokens_total{direction="input"} 30',
    'tool_search_writing_tokens_total{direction="output"} 7',
    'tool_search_writing_failures_total 1',
  ]);
  stop();
  await world.close();
});
