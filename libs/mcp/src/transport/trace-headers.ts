import {
  BAGGAGE_META_KEY,
  type JSONRPCRequest,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/client';

const KEYS = [TRACEPARENT_META_KEY, TRACESTATE_META_KEY, BAGGAGE_META_KEY];

/** The trace context of a request, as headers of the same names: proxies in front of a server read only these. */
export function traceHeaders({ params }: JSONRPCRequest): Readonly<Record<string, string>> {
  const meta: Readonly<Record<string, unknown>> = params?._meta ?? {};
  const given = KEYS.flatMap((key) => (typeof meta[key] === 'string' ? [[key, meta[key]] as const] : []));
  return Object.fromEntries(given);
}
