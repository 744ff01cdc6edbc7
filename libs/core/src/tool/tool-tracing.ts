/** A span that is to be recorded: `execute_tool <name>` for a call, `retrieval` for the search inside `tool_search`. */
export interface TracedWork {
  readonly operation: 'execute_tool' | 'retrieval';
  /**
   * Canonical name of the tool or meta tool, one placeholder for all names that no tool has; the catalog for a search. So
   * there are only so many, and none is a query or an argument.
   */
  readonly target: string;
  readonly callId?: string;
  readonly sessionId?: string;
}

/** How the work ended: `ok`, or a code. */
export type TracedOutcome = string;

/**
 * Wraps calls and searches, so that what a tool does itself is recorded below its span. Provided by a telemetry module;
 * without one nothing is wrapped. An abstract class, so that it is also the injection token.
 */
export abstract class ToolTracing {
  /** Runs `work`, whose answer passes through untouched; `outcomeOf` says how it ended. Must not throw of itself. */
  abstract trace<T>(traced: TracedWork, work: () => Promise<T>, outcomeOf: (answer: T) => TracedOutcome): Promise<T>;
}
