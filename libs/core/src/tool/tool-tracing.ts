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

/**
 * Wraps calls and searches in spans, so that spans of the tool itself become their children. A telemetry module
 * provides it; without one nothing is wrapped. An abstract class, so that it is also the injection token.
 */
export abstract class ToolTracing {
  /**
   * Runs `work` and returns its answer unchanged; `outcomeOf` derives the outcome from it. Must not throw errors of its
   * own.
   */
  abstract trace<T>(traced: TracedWork, work: () => Promise<T>, outcomeOf: (answer: T) => TracedOutcome): Promise<T>;
}
