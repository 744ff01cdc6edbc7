import type { ToolDefinition } from '../tool/tool-definition.js';
import type { DescribedTool } from './described-tool.js';

/** A hit as a model reads it. */
export interface FoundTool {
  readonly name: string;
  readonly description: string;
  /** 0 to 1. */
  readonly score: number;
  readonly match: string;
  readonly loading: ToolDefinition['loading'];
  readonly active: boolean;
}

/** What `search` answers. */
export interface SearchReply {
  readonly tools: readonly FoundTool[];
  readonly searchType: { readonly requested: string; readonly effective: string };
  readonly unmatched: readonly string[];
  readonly verdict: 'found' | 'none';
  /** Visible tools that are not always listed. */
  readonly totalDeferred: number;
  readonly notice?: string;
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
}
