import { Inject, Injectable } from '@nestjs/common';
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  diag,
  type Histogram,
  isSpanContextValid,
  metrics,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { isToolSearchError, type ToolEvents } from '@tool-search/core';
import type { TraceContext } from '@tool-search/core/source';
import { baggageMembers, baggageText } from './baggage.js';
import { denialReason } from './denial-reason.js';
import { CONVENTION, OTHER_ERROR, SCOPE } from './semantic-conventions.js';
import { TELEMETRY_OPTIONS } from './tool-search-telemetry.module-definition.js';
import {
  parseOptions,
  ToolTracing,
  type TracedOutcome,
  type TracedWait,
  type TracedWork,
  type TraceReader,
} from '@tool-search/core/internal';
import { telemetryOptions, type ToolSearchTelemetryOptions } from './tool-search-telemetry.options.js';
import { parentValues, remoteSpan } from './trace-parent.js';

// The convention defines no buckets for tool durations; these are its buckets for MCP tool calls.
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const OWN_SPAN = createContextKey('tool_search.span');
/** The span in which a request arrived whose message names another trace: the first span of its work links it. */
const ARRIVED_IN = createContextKey('tool_search.arrived_in');

// Even inside spans that a tool has opened.
function runningSpan(): Span | undefined {
  return context.active().getValue(OWN_SPAN) as Span | undefined;
}

/**
 * Records calls and searches as OpenTelemetry spans by the GenAI conventions, and the duration of calls. If telemetry
 * fails, its data is lost; calls and searches are not affected.
 */
@Injectable()
export class SpanTracing extends ToolTracing {
  readonly #tracer: Tracer = trace.getTracer(SCOPE);
  readonly #durations: Histogram = metrics.getMeter(SCOPE).createHistogram(CONVENTION.executeToolDuration, {
    unit: 's',
    description: 'Duration of a call of a tool, refused ones included.',
    advice: { explicitBucketBoundaries: BUCKETS },
  });

  readonly #baggageKeys: readonly string[];

  constructor(@Inject(TELEMETRY_OPTIONS) private readonly options: ToolSearchTelemetryOptions) {
    super();
    const { baggage } = parseOptions(telemetryOptions, options, 'ToolSearchTelemetryModule.forRoot()');
    this.#baggageKeys = baggage;
  }

  async trace<T>(traced: TracedWork, work: () => Promise<T>, outcomeOf: (answer: T) => TracedOutcome): Promise<T> {
    const span = ignoreErrors(() => this.#start(traced));
    if (!span) return work();
    const started = performance.now();
    const inside = trace.setSpan(context.active(), span).setValue(OWN_SPAN, span);
    const end = (outcome: TracedOutcome) =>
      ignoreErrors(() => this.#end(traced, span, outcome, performance.now() - started));
    try {
      const answer = await context.with(inside, work);
      end(outcomeOf(answer));
      return answer;
    } catch (error) {
      end(isToolSearchError(error) ? error.code : OTHER_ERROR);
      throw error;
    }
  }

  override async waited<T>(wait: TracedWait, work: () => Promise<T>): Promise<T> {
    const span = ignoreErrors(() => this.#tracer.startSpan(`wait tool_search.${wait}`, { kind: SpanKind.INTERNAL }));
    if (!span) return work();
    try {
      // The span of the call stays the running one: what events say while it waits is about the call.
      return await context.with(trace.setSpan(context.active(), span), work);
    } catch (error) {
      ignoreErrors(() => markFailed(span, isToolSearchError(error) ? error.code : OTHER_ERROR));
      throw error;
    } finally {
      ignoreErrors(() => span.end());
    }
  }

  override continued<T>(message: TraceReader, transport: TraceReader, work: () => T): T {
    const inside = ignoreErrors(() => this.#continuing(context.active(), message, transport));
    return inside ? context.with(inside, work) : work();
  }

  override handedOn(): TraceContext | undefined {
    return ignoreErrors(() => {
      const active = context.active();
      const values = parentValues(trace.getSpanContext(active));
      const baggage = values && baggageText(propagation.getBaggage(active), this.#baggageKeys);
      return values && { ...values, ...(baggage !== undefined && { baggage }) };
    });
  }

  #continuing(active: Context, message: TraceReader, transport: TraceReader): Context {
    const remote = (read: TraceReader) => remoteSpan(read('traceparent'), read('tracestate'));
    const named = remote(message);
    const arrived = trace.getSpanContext(active);
    const isTraced = arrived !== undefined && isSpanContextValid(arrived);
    const parent = named ?? (isTraced ? undefined : remote(transport));
    let inside = parent ? trace.setSpanContext(active, parent) : active;
    if (named && isTraced) inside = inside.setValue(ARRIVED_IN, arrived);
    const ofMessage = baggageMembers(message('baggage'), this.#baggageKeys);
    return withBaggage(
      inside,
      ofMessage.length > 0 ? ofMessage : baggageMembers(transport('baggage'), this.#baggageKeys),
    );
  }

  #start(traced: TracedWork): Span {
    const { operation, target, callId, sessionId } = traced;
    const own: Attributes =
      operation === 'retrieval'
        ? { [CONVENTION.dataSource]: target }
        : {
            [CONVENTION.tool]: target,
            // For the model every tool is a function, wherever it runs.
            [CONVENTION.toolType]: 'function',
            ...(callId !== undefined && { [CONVENTION.callId]: callId }),
          };
    const active = context.active();
    const arrived = runningSpan() ? undefined : (active.getValue(ARRIVED_IN) as SpanContext | undefined);
    return this.#tracer.startSpan(`${operation} ${target}`, {
      kind: SpanKind.INTERNAL,
      ...(arrived && { links: [{ context: arrived }] }),
      attributes: {
        [CONVENTION.operation]: operation,
        ...own,
        ...(sessionId !== undefined &&
          this.options.recordSession !== false && { [CONVENTION.conversation]: sessionId }),
      },
    });
  }

  #end({ operation, target }: TracedWork, span: Span, outcome: TracedOutcome, ms: number): void {
    const failed = outcome !== 'ok' && { [CONVENTION.errorType]: outcome };
    if (failed) markFailed(span, outcome);
    span.end();
    if (operation !== 'execute_tool') return;
    this.#durations.record(ms / 1000, {
      [CONVENTION.operation]: operation,
      ...(this.options.toolLabel === true && { [CONVENTION.tool]: target }),
      ...failed,
    });
  }
}

/** Adds members from outside, except those whose keys the application has set: a caller must not overwrite its values. */
function withBaggage(active: Context, members: ReturnType<typeof baggageMembers>): Context {
  const own = propagation.getBaggage(active);
  const added = members.filter(([key]) => own?.getEntry(key) === undefined);
  if (added.length === 0) return active;
  let baggage = own ?? propagation.createBaggage();
  for (const [key, value] of added) baggage = baggage.setEntry(key, { value });
  return propagation.setBaggage(active, baggage);
}

function markFailed(span: Span, code: string): void {
  span.setAttribute(CONVENTION.errorType, code);
  // Without a message, which may contain text of the model.
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs telemetry code. Its errors go to OpenTelemetry's diagnostics and never reach the application. */
function ignoreErrors<T>(record: () => T): T | undefined {
  try {
    return record();
  } catch (error) {
    diag.error('tool-search: nothing was recorded', error);
    return undefined;
  }
}

/**
 * Adds `tool_search.*` attributes from events to the span of the running call or search; never queries, tenants or
 * arguments. Events are synchronous, so the running span is the right one.
 *
 * @returns a function that stops it
 */
export function describeSpans(events: ToolEvents): () => void {
  const stops = [
    events.on('tool.searched', ({ searchId, effectiveType, results, verdict }) => {
      runningSpan()?.setAttributes({
        'tool_search.search_id': searchId,
        'tool_search.mode': effectiveType,
        'tool_search.results': results,
        'tool_search.verdict': verdict,
      });
    }),
    events.on('tool.denied', ({ layer, rule }) => {
      runningSpan()?.setAttributes({
        'tool_search.decision': layer === 'approval' ? 'approve' : 'deny',
        'tool_search.layer': layer,
        'tool_search.reason': denialReason(layer, rule),
      });
    }),
    events.on('tool.activated', ({ scope }) => {
      runningSpan()?.setAttribute('tool_search.activated', scope);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
