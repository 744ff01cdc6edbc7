import type { CallPolicyFaultReport } from '../access/call-policies/call-policies.js';
import type { NamedCallPolicy } from '../access/call-policies/tool-call-policy.js';
import type { PolicyFaultReport, ToolVisibilityPolicy } from '../access/visibility-policy.js';
import type { ToolContext } from '../tool/tool-context.js';
import { ToolEvents } from '../tool/tool-event.js';
import type { NamedInterceptor } from '../tool/tool-call-interceptor.js';
import type { ToolTracing } from '../tool/tool-tracing.js';
import type { QueryWritingParts } from '../toolbox/example-queries/writing/query-writing.js';

/** Parts that the host provides: an application, a test or a benchmark. */
export interface GivenHooks {
  readonly events?: ToolEvents;
  /** The application's own rules, asked for each request. @default none */
  readonly visibility?: () => readonly ToolVisibilityPolicy[];
  /** The application's own decisions about single calls. @default none */
  readonly callPolicies?: () => readonly NamedCallPolicy[];
  /** The application's own stages of calls, the outermost first. @default none */
  readonly interceptors?: () => readonly NamedInterceptor[];
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
  /** Epoch milliseconds. @default the real clock; the control store's clock for decisions of operators */
  readonly now?: (() => number) | undefined;
  /** Whether events name the tools that policies remove, instead of only counting them. @default never */
  readonly isDebugging?: () => boolean;
  /** Called when a context is derived from another within the same request. */
  readonly onDerived?: (derived: ToolContext, from: ToolContext) => void;
  /** Called when a tool throws. The caller does not get the error. */
  readonly reportFault?: (tool: string, error: unknown) => void;
  readonly reportPolicyFault?: PolicyFaultReport;
  readonly reportCallPolicyFault?: CallPolicyFaultReport;
  readonly reportCacheFault?: (error: unknown) => void;
  readonly reportCountFault?: (error: unknown) => void;
  readonly reportRecordFault?: (error: unknown) => void;
  readonly reportLearningFault?: (error: unknown) => void;
  /** How long the writer of example queries rests, for tests. @default 1 s to 5 min after a failure, 15 s otherwise */
  readonly writingWaits?: QueryWritingParts['waits'];
}

/** The parts of the host, with a default for each that every service needs. */
export type RuntimeHooks = ReturnType<typeof runtimeHooks>;

export function runtimeHooks(given: GivenHooks) {
  return {
    ...given,
    events: given.events ?? new ToolEvents(),
    visibility: given.visibility ?? (() => []),
    callPolicies: given.callPolicies ?? (() => []),
    interceptors: given.interceptors ?? (() => []),
    reportFault: given.reportFault ?? (() => undefined),
    onDerived: given.onDerived ?? (() => undefined),
  };
}
