import type { TraceContext } from '../tool/tool-tracing.js';

/**
 * A call's trace context as headers of the same names, without those that the operator sets for the server. None beside
 * the operator's `traceparent`: that is another trace, and the parts of two must not be mixed.
 */
export function traceHeaders(trace: Partial<TraceContext>, operatorHeaders: Headers): Readonly<Record<string, string>> {
  if (operatorHeaders.has('traceparent')) return {};
  return Object.fromEntries(Object.entries(trace).filter(([name]) => !operatorHeaders.has(name)));
}
