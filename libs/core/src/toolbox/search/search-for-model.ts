import type { SearchReply } from '../meta-tools/replies.js';

/** What a model is told of a hit. */
interface ModelHit {
  readonly name: string;
  readonly description: string;
  /** 0 to 1. */
  readonly score: number;
  /** Only where it is so: the run has it already. */
  readonly active?: true;
  /** Only where it is so: it is not listed from the next step on, because the list has no room for it. */
  readonly listed?: false;
  /** Near-identical tools for which this one stands. */
  readonly similar?: readonly string[];
}

/** A search's answer as a model reads it: what it acts on, and of everything else only what is out of the ordinary. */
export interface ModelSearchReply extends Pick<SearchReply, 'verdict' | 'notice' | 'hint' | 'queries'> {
  readonly tools: readonly ModelHit[];
  /** Words that no tool knows; only where there are any. */
  readonly unmatched?: readonly string[];
  /** Only where another one was asked for. */
  readonly searchType?: string;
}

/**
 * What a model is told of what was found.
 *
 * @param get what the meta tool is called that reads definitions
 */
export function searchForModel(reply: SearchReply, get: string): ModelSearchReply {
  const { verdict, notice, hint, queries, unmatched, searchType } = reply;
  const isShort = reply.tools.some(({ offered }) => offered === false);
  const said = hint ?? (isShort ? `Read a tool with "listed": false with ${get} before you call it.` : undefined);
  return {
    tools: reply.tools.map(({ name, description, score, active, offered, similar }) => ({
      name,
      description,
      score: Math.round(score * 100) / 100,
      ...(active && { active }),
      ...(offered === false && { listed: false }),
      ...(similar && { similar: similar.names }),
    })),
    verdict,
    ...(unmatched.length > 0 && { unmatched }),
    ...(searchType.requested !== searchType.effective && { searchType: searchType.effective }),
    ...(queries && { queries }),
    ...(notice !== undefined && { notice }),
    ...(said !== undefined && { hint: said }),
  };
}
