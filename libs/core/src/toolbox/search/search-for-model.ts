import type { SearchReply } from '../meta-tools/replies.js';

interface ModelHit {
  readonly name: string;
  readonly description: string;
  /** From 0 to 1. */
  readonly score: number;
  /** Present only when true: the tool is active already. */
  readonly active?: true;
  /** Present only when false: the tool is not listed from the next step on, because it exceeds the token budget. */
  readonly listed?: false;
  /** Present only when true: another tool should be used, `successor` if there is one. */
  readonly deprecated?: true;
  readonly successor?: string;
  /** Near-identical tools that this one represents. */
  readonly similar?: readonly string[];
}

/** A search reply as a model receives it: the hits, and other fields only where they differ from the normal case. */
export interface ModelSearchReply extends Pick<
  SearchReply,
  'verdict' | 'totalDeferred' | 'notice' | 'hint' | 'queries'
> {
  readonly tools: readonly ModelHit[];
  /** Query words that no tool contains; only where there are any. */
  readonly unmatched?: readonly string[];
  /** The search type that was used; only where it differs from the requested one. */
  readonly searchType?: string;
}

/**
 * Reduces a search reply to the fields that a model needs.
 *
 * @param get name of the meta tool that reads definitions; absent in a mode that never lists a tool because it was found
 */
export function searchForModel(reply: SearchReply, get?: string): ModelSearchReply {
  const { verdict, totalDeferred, notice, hint, queries, unmatched, searchType } = reply;
  const isShort = get !== undefined && reply.tools.some(({ offered }) => offered === false);
  const said = hint ?? (isShort ? `Read any with "listed": false with ${get} first.` : undefined);
  return {
    tools: reply.tools.map(({ name, description, score, active, offered, deprecated, similar }) => ({
      name,
      description,
      score: Math.round(score * 100) / 100,
      ...(active && { active }),
      ...(isShort && offered === false && { listed: false }),
      ...(deprecated && { deprecated: true as const }),
      ...(deprecated?.successor !== undefined && { successor: deprecated.successor }),
      ...(similar && { similar: similar.names }),
    })),
    verdict,
    totalDeferred,
    ...(unmatched.length > 0 && { unmatched }),
    ...(searchType.requested !== searchType.effective && { searchType: searchType.effective }),
    ...(queries && { queries }),
    ...(notice !== undefined && { notice }),
    ...(said !== undefined && { hint: said }),
  };
}
