import type { UsableApproval } from '../../access/approvals/tool-approvals.js';
import type { HeldLimits } from '../../access/limits/held-limits.js';
import type { Caller } from '../../access/tool-gate.js';
import type { Deadline } from '../../async/deadline.js';
import type { JsonObject } from '../../json/json.js';
import type { Decision } from '../../tool/decision.js';
import type { MetaNames } from '../../tool/meta-names.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolCall, ToolExecutor } from '../../tool/tool-source.js';
import type { CallTrace, RunFacts } from '../record/call-trace.js';
import type { SharedCall } from '../results/cache/cached-results.js';
import type { CallRedaction, RedactionFacts } from '../results/redaction/result-redaction.js';
import type { Activated } from '../runs/run-tools.js';
import type { ExposureMode } from '../surface/surface.js';
import type { ToolboxRequest } from '../toolbox-request.js';
import type { CallOptions } from './call-options.js';

/**
 * A call as it arrives. Each stage gets what the stages before it have added, and adds to the same object: a copy at each
 * stage would take longer than the stages.
 */
export interface AskedCall {
  readonly request: ToolboxRequest;
  /** The name that the caller wrote; after the bridge is unwrapped, that of the tool inside. */
  readonly name: string;
  readonly input: unknown;
  readonly options: CallOptions;
}

/** The use of a tool by its name, also without a call of it: reads, suggestions, subscriptions, guarded routes. */
export interface NamedUse {
  readonly request: ToolboxRequest;
  readonly caller: Caller;
  readonly name: string;
  readonly options: Pick<CallOptions, 'naming' | 'bareNames' | 'refuse'>;
  /** Where the record learns of it. @default it is not recorded */
  readonly trace: CallTrace | undefined;
}

export interface NamedCall extends AskedCall, NamedUse {
  readonly options: CallOptions;
  /** Of the meta tools that the caller has, for hints. */
  readonly metaNames: Partial<MetaNames>;
}

/** What the gate has added. */
export interface Admission {
  readonly tool: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly decision: Decision;
  /**
   * Whether the approval that the decision asks for is granted. False where it is asked for with the arguments of the use,
   * because it is for one call, or because a rule on arguments may ask for each call.
   */
  readonly isApproved: boolean;
}

/** A use that the gate has admitted. */
export type AdmittedUse = NamedUse & Admission;

export type AdmittedCall = NamedCall & Admission;

/** A call that a model has made, or a program in its place. */
export type ActivatedCall = AdmittedCall & {
  /** Undefined if the tool is always listed, or if the store of activations could not be reached. */
  readonly activation: Activated | undefined;
  /** How tools are shown to the model that reads the result. @default a program reads it: it stays whole and unmarked */
  readonly mode: ExposureMode | undefined;
};

/** A call whose time runs. */
export type BegunCall = AdmittedCall &
  Partial<Pick<ActivatedCall, 'mode'>> & {
    readonly id: string;
    readonly deadline: Deadline;
    readonly signal: AbortSignal;
    /** Undefined if the results of the tool are not redacted. */
    readonly redaction: CallRedaction | undefined;
    /** The call as its source sees it. */
    readonly sourceCall: ToolCall;
    readonly state: CallState;
  };

export type CheckedCall = BegunCall & {
  /** The arguments as JSON. */
  readonly given: JsonObject;
  /** The arguments as the tool receives them. */
  readonly value: unknown;
};

/** A call about whose arguments the rules of all policies have decided. */
export type RuledCall = CheckedCall & { readonly rules: RulesDecision };

/** What the rules on arguments decided. They are asked anew once an operator has changed one. */
export interface RulesDecision {
  /** The revision of the gate at which they were asked. */
  revision: number;
  /** Undefined if no rule applies. */
  decision: Decision | undefined;
}

/** A call about which the call policies of the application were asked. */
export type QuestionedCall = RuledCall & {
  /** Undefined if no call policy decides about the tool. Those that were asked last, if the call has waited. */
  policies: AskedPolicies | undefined;
};

/** A call that needs no approval, or has one. */
export type ApprovedCall = QuestionedCall & {
  /** Who asked for the approval that the call has got. */
  readonly asked: readonly Decision[];
};

/** What the call policies of the application have said about a call. */
export interface AskedPolicies {
  /** The decisions that ask for an approval of it. */
  readonly asking: readonly Decision[];
  /** When they were asked, by `performance.now()`. */
  readonly at: number;
}

/** What the end of a call must know, also where a stage has failed. */
export interface CallState {
  /** By `performance.now()`. */
  readonly startedAt: number;
  hasEnded: boolean;
  /** Whether the tool has begun. */
  isDispatched: boolean;
  /** The call of the source, if it may answer others too: then it may go on without this caller, and with its approval. */
  shared?: SharedCall | undefined;
  /** Why the call was refused after it had waited, for its caller. @default that the tool is not available */
  refusal?: unknown;
  /** The arguments as JSON, for the record. */
  given?: RunFacts['given'];
  /** The limits that were taken. */
  readonly limits: HeldLimits[];
  /** What a second person has approved, if the call needs an approval of its own: it is used up when the tool runs. */
  approval?: UsableApproval;
  /** For `tool.called`. */
  readonly facts: RedactionFacts & { cached?: true };
}
