import {
  BAGGAGE_META_KEY,
  type JSONRPCRequest,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/client';
import type { TraceContext } from '@tool-search/core/source';

const KEYS = [TRACEPARENT_META_KEY, TRACESTATE_META_KEY, BAGGAGE_META_KEY];

/** The trace context in the `_meta` of a request, for its headers: proxies in front of a server read only these. */
export function traceOfMessage({ params }: JSONRPCRequest): Partial<TraceContext> {
  const meta: Readonly<Record<string, unknown>> = params?._meta ?? {};
  const given = KEYS.flatMap((key) => (typeof meta[key] === 'string' ? [[key, meta[key]] as const] : []));
  return Object.fromEntries(given);
}
