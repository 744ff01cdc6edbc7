import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Serves metrics by a route of the application, instead of on a port of its own. */
export const prometheus = new PrometheusExporter({ preventServerStart: true });
/** Keeps spans, to show them. Put the exporter of your backend here, in a `BatchSpanProcessor`. */
export const kept = new InMemorySpanExporter();

/** Call it before the application is created: what is created earlier is not traced. Returns what ends it. */
export function startTelemetry(): () => Promise<void> {
  const meters = new MeterProvider({ readers: [prometheus] });
  const spans = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(kept)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()); // a call's spans know their parent
  metrics.setGlobalMeterProvider(meters);
  trace.setGlobalTracerProvider(spans);
  return async () => {
    await Promise.all([spans.shutdown(), meters.shutdown()]);
    for (const api of [context, metrics, trace]) api.disable();
  };
}
