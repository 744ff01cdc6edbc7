import type { ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { ScorePart } from '../../search/tool-index.js';
import type { PausedTool } from '../../activation/runs/paused-run-store.js';
import type { ToolDrift } from '../../activation/runs/run-drift.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ActivationReason } from '../../tool/tool-event.js';
import type { DescribedTool } from '../search/described-tool.js';

/** A hit as a model reads it. */
export interface FoundTool {
  readonly name: string;
  /** One line of at most 160 characters, shorter where the answer's budget of tokens asks for it. */
  readonly description: string;
  /** 0 to 1. */
  readonly score: number;
  readonly match: string;
  readonly loading: ToolDefinition['loading'];
  readonly active: boolean;
  /** Only where it is so: it is not listed from the next step on, because one search lists no more; `get` lists it. */
  readonly offered?: false;
  /** Words of the query that the tool has, at most 8; only where words were searched for. */
  readonly why?: readonly string[];
  /** Near-identical tools for which this one stands: how many, and the names of the best three. */
  readonly similar?: { readonly count: number; readonly names: readonly string[] };
  /** What the score is made of, the largest 50 parts; only where it was asked for, and only for words. */
  readonly parts?: readonly ScorePart[];
}

/** What one of several queries found. */
export interface QueryVerdict {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly verdict: SearchReply['verdict'];
  /** Its words that no visible tool knows. */
  readonly unmatched: readonly string[];
}

/** What `search` answers. */
export interface SearchReply {
  readonly tools: readonly FoundTool[];
  readonly searchType: { readonly requested: string; readonly effective: string };
  readonly unmatched: readonly string[];
  readonly verdict: 'found' | 'none';
  /** Visible tools that are not always listed. */
  readonly totalDeferred: number;
  /** One for each query where there were several. */
  readonly queries?: readonly QueryVerdict[];
  /** Something the caller should know, for example that nothing fits or that the limit was lowered. */
  readonly notice?: string;
  /** What to do next, where nothing was found. */
  readonly hint?: string;
  /** To be kept in the conversation; only where activations are kept there, and the search activated something. */
  readonly receipt?: string;
}

/** What `get` answers; names that are hidden or unknown are in `unavailable` alike. */
export interface GetReply {
  readonly tools: readonly DescribedTool[];
  readonly unavailable: readonly string[];
}

/** What `activate` answers; every name is in exactly one list. */
export interface ActivateReply {
  readonly activated: readonly string[];
  readonly alreadyActive: readonly string[];
  readonly unavailable: readonly string[];
  /** Names for which the run or session has no room. */
  readonly overLimit: readonly string[];
  /** Tools that wait for a second person, and what for; only where there are any. */
  readonly waiting?: readonly { readonly name: string; readonly code: ToolSearchErrorCode }[];
  /** To be kept in the conversation; only where activations are kept there, and something was activated. */
  readonly receipt?: string;
}

/** What a run or session has of the tools that its context can see. */
export interface RunState {
  /** Whose the activations are; offers are always the run's. */
  readonly scope: 'run' | 'session';
  /** Oldest first; `activatedAt` in epoch milliseconds. */
  readonly activated: readonly {
    readonly name: string;
    readonly reason: ActivationReason;
    readonly activatedAt: number;
  }[];
  /** Names that were found or read, the oldest offer first; kept by the process in which they were. */
  readonly offered: readonly string[];
}

/** What `compact` answers. */
export interface CompactReply {
  /** Tools that made room, in the order in which they went; none unless `activation.whenFull` is `demote`. */
  readonly demoted: readonly string[];
}

/** What `pause` answers. */
export interface PauseReceipt {
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly pausedAt: number;
  /** What is kept of what is in play, in the order of the list. */
  readonly tools: readonly Pick<PausedTool, 'name' | 'state'>[];
}

/** What `resume` answers. */
export interface ResumeReply {
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly pausedAt: number;
  /** What was in play, in the order of the list, and what became of it. */
  readonly tools: readonly ToolDrift[];
  /** Any tool that the run can or could see has changed, come or gone. */
  readonly catalogChanged: boolean;
  /** Operators have changed something since, for whomever. */
  readonly policyChanged: boolean;
}
