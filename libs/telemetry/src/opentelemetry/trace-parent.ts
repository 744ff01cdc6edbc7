import { createTraceState, isSpanContextValid, type SpanContext, type TraceState } from '@opentelemetry/api';

// The API has no reader of these two values; the package that has one comes with the SDK, which the application chooses.

const PARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-[\x21-\x7e]*)?$/;
/** A later version of the format may be longer. */
const MAX_PARENT_CHARS = 256;
/** Of `tracestate`: more need not be handed on. */
const MAX_STATE_CHARS = 512;

/** The span that `traceparent` and `tracestate` from outside name; undefined for a malformed or too long parent. */
export function remoteSpan(parent: unknown, state: unknown): SpanContext | undefined {
  if (typeof parent !== 'string' || parent.length > MAX_PARENT_CHARS) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = PARENT.exec(parent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  const traceState = stateOf(state);
  const span = {
    traceId,
    spanId,
    traceFlags: parseInt(flags, 16) & 1,
    isRemote: true,
    ...(traceState && { traceState }),
  };
  return isSpanContextValid(span) ? span : undefined;
}

/** A span as values of `traceparent` and `tracestate`; undefined for one that names no trace. */
export function parentValues(span: SpanContext | undefined) {
  if (!span || !isSpanContextValid(span)) return undefined;
  const { traceId, spanId, traceFlags, traceState } = span;
  const state = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`,
    ...(state !== '' && state.length <= MAX_STATE_CHARS && { tracestate: state }),
  };
}

function stateOf(given: unknown): TraceState | undefined {
  if (typeof given !== 'string' || given.length > MAX_STATE_CHARS) return undefined;
  // Leaves out members that are malformed, and those beyond 32.
  const state = createTraceState(given);
  return state.serialize() === '' ? undefined : state;
}
