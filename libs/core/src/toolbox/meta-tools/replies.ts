import type { ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { ScorePart } from '../../search/tool-index.js';
import type { PausedTool } from '../runs/paused-run-store.js';
import type { ToolDrift } from '../runs/run-drift.js';
import type { Deprecation } from '../../tool/deprecation.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ActivationReason, SearchVerdict } from '../../tool/tool-event.js';
import type { DescribedTool } from '../search/described-tool.js';

/** A hit in a search reply. */
export interface FoundTool {
  readonly name: string;
  /** One line of at most 160 characters; shorter where the reply's token budget requires it. */
  readonly description: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly match: string;
  readonly loading: ToolDefinition['loading'];
  readonly active: boolean;
  /**
   * Present only when false: the tool is not listed from the next step on, because one search may not add more
   * definitions to the list. `get` lists it.
   */
  readonly offered?: false;
  /** Only for a deprecated tool. Names the successor only if the caller sees it; the successor is the hit before. */
  readonly deprecated?: Deprecation;
  /** Positions of the queries that found the tool, ascending; only when there are several. */
  readonly queries?: readonly number[];
  /** Query words that the tool contains, at most 8; only for searches by words. */
  readonly why?: readonly string[];
  /** Near-identical tools that this one represents: their number and the names of the best three. */
  readonly similar?: { readonly count: number; readonly names: readonly string[] };
  /** The 50 largest parts of the score; only with `explain`, and only for searches by words. */
  readonly parts?: readonly ScorePart[];
}

/** The result of one of several queries. */
export interface QueryVerdict {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly verdict: SearchReply['verdict'];
  /** Query words that no visible tool contains. */
  readonly unmatched: readonly string[];
  /** As in {@link SearchReply}. */
  readonly matching?: number;
}

/** The reply of `search`. */
export interface SearchReply {
  readonly tools: readonly FoundTool[];
  readonly searchType: { readonly requested: string; readonly effective: string };
  readonly unmatched: readonly string[];
  /** `weak`: most likely none of the tools fits; `none`: there are no tools. */
  readonly verdict: SearchVerdict;
  /** Number of visible tools that are not always listed. */
  readonly totalDeferred: number;
  /**
   * Number of tools that have one of the query's words, hits included; 60 means 60 or more. Only for one query, in a search by
   * words.
   */
  readonly matching?: number;
  /** One for each query; only when there are several. */
  readonly queries?: readonly QueryVerdict[];
  /** Information for the caller, for example that no word matches or that the limit was lowered. */
  readonly notice?: string;
  /** The next step, where the verdict is not `found`. */
  readonly hint?: string;
  /** Must stay in the conversation. Only where activations are kept in messages and the search activated a tool. */
  readonly receipt?: string;
}

/** The reply of `get`. Hidden and unknown names are both in `unavailable`. */
export interface GetReply {
  readonly tools: readonly DescribedTool[];
  readonly unavailable: readonly string[];
}

/** The reply of `activate`; every name is in exactly one list. */
export interface ActivateReply {
  readonly activated: readonly string[];
  readonly alreadyActive: readonly string[];
  readonly unavailable: readonly string[];
  /** Names for which the run or session has no room. */
  readonly overLimit: readonly string[];
  /** Tools that wait for an approval, with the code of the reason; only where there are any. */
  readonly waiting?: readonly { readonly name: string; readonly code: ToolSearchErrorCode }[];
  /** Must stay in the conversation. Only where activations are kept in messages and a tool was activated. */
  readonly receipt?: string;
}

/** The tools of a run or session that its context can see. */
export interface RunState {
  /** Owner of the activations; offers always belong to the run. */
  readonly scope: 'run' | 'session';
  /** Oldest first; `activatedAt` in epoch milliseconds. */
  readonly activated: readonly {
    readonly name: string;
    readonly reason: ActivationReason;
    readonly activatedAt: number;
  }[];
  /** Names that were found or read, oldest offer first. Each process keeps its own offers in memory. */
  readonly offered: readonly string[];
}

/** The reply of `compact`. */
export interface CompactReply {
  /** The demoted tools, in order; empty unless `activation.whenFull` is `demote`. */
  readonly demoted: readonly string[];
}

/** The reply of `pause`. */
export interface PauseReceipt {
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly pausedAt: number;
  /** The saved tools, in the order of the list. */
  readonly tools: readonly Pick<PausedTool, 'name' | 'state'>[];
}

/** The reply of `resume`. */
export interface ResumeReply {
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly pausedAt: number;
  /** The saved tools, in the order of the list, and whether each has changed. */
  readonly tools: readonly ToolDrift[];
  /** Whether a tool that the run can or could see was changed, added or removed. */
  readonly catalogChanged: boolean;
  /** Whether operators have changed a kill switch or stored policy that concerns this run since the pause. */
  readonly policyChanged: boolean;
}
