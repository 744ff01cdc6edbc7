import type { Decision, Layer } from '../../tool/decision.js';
import type { ToolSearchErrorCode } from '../../tool/tool-search.error.js';

/**
 * Kinds of records: a call or its refusal; the admission of work that the application does itself, as in a guarded
 * route; tools shown at a step; found by a search; read with `tool_get`; loaded before a call; suggestions that a user asked
 * for within a minute, for one context item.
 */
export const CALL_KINDS = ['call', 'admitted', 'shown', 'searched', 'described', 'loaded', 'completed'] as const;

/** A kind of {@link CALL_KINDS}. */
export type CallKind = (typeof CALL_KINDS)[number];

/** One thing that a model did or was shown, with the decision about it. Texts are `''` where there is nothing to say. */
export interface CallRecord {
  /** 32 hexadecimal digits. The first 12 are `at`, so ids have the order of time. */
  readonly id: string;
  /** Start, in epoch milliseconds. */
  readonly at: number;
  readonly kind: CallKind;
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly runId: string;
  /** The agent, then the agents that it acts for. */
  readonly agentIds: readonly string[];
  /** How many surfaces this process had shown to the run. */
  readonly step: number;
  /** The id of the call in `tool.called`; `''` if the gate refused it. */
  readonly callId: string;
  /** Canonical name; the name that was asked for if no tool has it. `''` if the record is about a list of tools. */
  readonly tool: string;
  /** Hash of the definition; `''` if no tool has the name. */
  readonly definitionHash: string;
  readonly decision: Decision['outcome'];
  /** The layer that decided; the last layer of the gate if none refused. */
  readonly layer: Layer;
  readonly rule: string;
  /** Why; for `shown` the mode, for `searched` the verdict; for `completed` how many were refused. For operators. */
  readonly reason: string;
  readonly outcome: 'ok' | ToolSearchErrorCode;
  /** The revision of the operators' decisions that decided. */
  readonly controlRevision: number;
  /** The revision of the catalog in the process that decided. */
  readonly catalogRevision: number;
  /** Hash of the application's own policy; equal for processes with the same one. */
  readonly policyHash: string;
  /** Whether a narrowing of the toolbox took part in the decision. Narrowings are code, and are not recorded. */
  readonly narrowed: boolean;
  /** Milliseconds from the request to the result; for `completed` the sum. */
  readonly ms: number;
  /** Bytes of the arguments as JSON; 0 if the call was refused before they were checked. */
  readonly argumentBytes: number;
  /** Bytes of texts and data that the caller received, without structured content. */
  readonly resultBytes: number;
  /** Whether the result came from the cache, or from an equal call that was running. */
  readonly cached: boolean;
  /** Names that were shown, found, read or loaded: the first 200. */
  readonly tools: readonly string[];
  /** How many there were; for `completed` how often suggestions were asked for. */
  readonly toolCount: number;
  /**
   * For `shown`: tokens of the definitions in `tools`, in their order. Absent where the ledger does not count, and in
   * records that an earlier version wrote.
   */
  readonly toolTokens?: readonly number[];
  /**
   * For a call that ran: tokens of the texts that the caller received, by the tokens per character of the tool's results
   * to the tenant. The process counts them at the tenant's first and every 50th call of the tool, in the first 4,096
   * characters. Absent in other records.
   */
  readonly resultTokens?: number;
  /** Arguments as JSON, redacted; absent unless the application records them. */
  readonly arguments?: string;
  /** Texts of the result, redacted and cut; absent unless the application records them. */
  readonly result?: string;
}

/** Selects records; a property that is left out does not filter. */
export interface CallFilter {
  readonly kind?: CallKind;
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly tool?: string;
  readonly outcome?: CallRecord['outcome'];
  readonly layer?: Layer;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}

/** How many calls of one hour ended in one way. */
export interface CallSum {
  /** Start of the hour, in epoch milliseconds. */
  readonly hour: number;
  readonly layer: Layer;
  readonly decision: Decision['outcome'];
  readonly outcome: CallRecord['outcome'];
  readonly calls: number;
}

/** The smallest id of a record that began at this time or later. */
export function idFrom(at: number): string {
  return at.toString(16).padStart(12, '0').padEnd(32, '0');
}
