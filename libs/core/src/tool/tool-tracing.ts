/** A span to record: `execute_tool <name>` for a call, `retrieval` for the search inside `tool_search`. */
export interface TracedWork {
  readonly operation: 'execute_tool' | 'retrieval';
  /**
   * Canonical name of the tool or meta tool, one placeholder for all unknown names, or the catalog for a search. This
   * bounds the cardinality, and no query or argument gets into a span.
   */
  readonly target: string;
  readonly callId?: string;
  readonly sessionId?: string;
}

/** `ok`, or an error code. */
export type TracedOutcome = string;

/** What a call waits for: that its limits are counted, or a place at its source. */
export type TracedWait = 'limits' | 'source';

/** The place of some work in a trace, on its way to another process: values of W3C Trace Context and W3C Baggage. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Reads a value of a request's trace context by its name. The values come from outside and may be anything. */
export type TraceReader = (name: keyof TraceContext) => unknown;

/**
 * Wraps calls and searches in spans, so that spans of the tool itself become their children, and hands trace context
 * from requests to servers. A telemetry module provides it; without one nothing is wrapped and nothing handed on. An
 * abstract class, so that it is also the injection token.
 */
export abstract class ToolTracing {
  /**
   * Runs `work` and returns its answer unchanged; `outcomeOf` derives the outcome from it. Must not throw errors of its
   * own.
   */
  abstract trace<T>(traced: TracedWork, work: () => Promise<T>, outcomeOf: (answer: T) => TracedOutcome): Promise<T>;

  /** Waits in a span of its own. Must not throw errors of its own. */
  waited<T>(_wait: TracedWait, work: () => Promise<T>): Promise<T> {
    return work();
  }

  /**
   * Runs work in the trace that a request names: its message first, else the trace in which it runs already, else the
   * headers of its transport. What is malformed or too large counts as missing. Must not throw errors of its own.
   */
  continued<T>(_message: TraceReader, _transport: TraceReader, work: () => T): T {
    return work();
  }

  /** The trace context of the running work, for a server that it calls; undefined outside of a trace. Never throws. */
  handedOn(): TraceContext | undefined {
    return undefined;
  }
}
