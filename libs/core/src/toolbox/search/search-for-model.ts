import { MAX_MATCHING } from '../../search/tool-index.js';
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
  /** Positions of the queries that found it; only where there are several queries. */
  readonly queries?: readonly number[];
}

/** A search reply as a model receives it: the hits, and other fields only where they differ from the normal case. */
export interface ModelSearchReply extends Pick<
  SearchReply,
  'verdict' | 'totalDeferred' | 'notice' | 'hint' | 'queries'
> {
  readonly tools: readonly ModelHit[];
  /** Query words that no tool contains; only where there are any. */
  readonly unmatched?: readonly string[];
  /** How many tools have a word of the query ("5 of 23"); only where they are more than the hits with their near-copies, and fewer than 60. */
  readonly shown?: string;
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
  const nextStep = hint ?? (isShort ? `Read any with "listed": false with ${get} first.` : undefined);
  return {
    tools: reply.tools.map(({ name, description, score, active, offered, deprecated, similar, queries: by }) => ({
      name,
      description,
      score: Math.round(score * 100) / 100,
      ...(active && { active }),
      ...(isShort && offered === false && { listed: false }),
      ...(deprecated && { deprecated: true as const }),
      ...(deprecated?.successor !== undefined && { successor: deprecated.successor }),
      ...(similar && { similar: similar.names }),
      ...(by && { queries: by }),
    })),
    verdict,
    totalDeferred,
    ...shownOf(reply),
    ...(unmatched.length > 0 && { unmatched }),
    ...(searchType.requested !== searchType.effective && { searchType: searchType.effective }),
    ...(queries && {
      queries: queries.map(({ index, verdict: own, unmatched: words }) => ({ index, verdict: own, unmatched: words })),
    }),
    ...(notice !== undefined && { notice }),
    ...(nextStep !== undefined && { hint: nextStep }),
  };
}

// In a large catalog most searches match more: a number that says nothing new.
function shownOf({ tools, matching = 0 }: SearchReply): Pick<ModelSearchReply, 'shown'> {
  const shown = tools.reduce((sum, { similar }) => sum + 1 + (similar?.count ?? 0), 0);
  return matching > shown && matching < MAX_MATCHING ? { shown: `${shown} of ${matching}` } : {};
}
