// #region otel
// otel.ts, the first import of main.ts: what is created before it is not traced
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base';

const prometheus = new PrometheusExporter({ port: Number(process.env.METRICS_PORT ?? 9464) }); // serves GET /metrics
const meters = new MeterProvider({ readers: [prometheus] });
const spans = new BasicTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new ConsoleSpanExporter())], // put the exporter of your backend here
});

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()); // a call's spans know their parent
metrics.setGlobalMeterProvider(meters);
trace.setGlobalTracerProvider(spans);

/** Sends what is left. Call it after `app.close()`. */
export async function stopTelemetry(): Promise<void> {
  await Promise.all([spans.shutdown(), meters.shutdown()]);
}
// #endregion otel
