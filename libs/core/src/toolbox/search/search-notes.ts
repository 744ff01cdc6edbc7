import { LOOP_AT } from '../runs/run-searches.js';
import type { SearchReply } from '../meta-tools/replies.js';
import type { Found } from './tool-finder.js';

/**
 * The notice and the hint of a search. They never depend on tools that the caller may not see: hidden and nonexistent
 * tools give the same texts.
 *
 * @param isRepeated whether the run has made the same search before, without hits
 * @param inRow number of searches in a row, without a tool read or called in between
 */
export function searchNotes(found: Found, isRepeated: boolean, inRow = 1): Pick<SearchReply, 'notice' | 'hint'> {
  const { request, isTruncated, verdict } = found;
  const isNone = verdict === 'none';
  const isLoop = inRow >= LOOP_AT;
  const notices = [
    request.isLowered && `limit was lowered to ${request.limit}, the maximum`,
    isTruncated && 'only a part of the words was used',
    isNone && (isRepeated ? 'this run has searched for the same before, in vain' : 'no tool fits this search'),
    isLoop && `this is search ${inRow} in a row, with no tool read or called in between`,
  ].filter((notice) => notice !== false);
  return {
    ...(notices.length > 0 && { notice: notices.join('; ') }),
    ...(isNone && { hint: isRepeated || isLoop ? GIVE_UP : tryOnce(found) }),
    ...(!isNone && isLoop && { hint: USE_WHAT_THERE_IS }),
  };
}

const USE_WHAT_THERE_IS =
  'Stop searching. Read or call the tool that fits best; if none does, say that no tool does this.';

const GIVE_UP = 'Do not repeat it. Use a tool you have if one fits; otherwise say that no tool does this.';

function tryOnce({ request, searchType: { effective } }: Found): string {
  const isByWords = effective === 'bm25' || effective === 'fts';
  const where = request.namespace === undefined ? '' : 'without namespace, ';
  const how = isByWords ? 'with other words for the action and its object' : 'by words: the action and its object';
  return `Use a tool you have if one fits. Otherwise search once more, ${where}${how}; if that is in vain too, say that no tool does this.`;
}

/** A key for each query of a search. Except for patterns, it ignores upper case and spacing. */
export function searchKeys({ request, searchType }: Pick<Found, 'request' | 'searchType'>): readonly string[] {
  const { queries, namespace = null, includeAlwaysLoaded = false, fields = null } = request;
  return queries.map((query) => {
    const text = searchType.effective === 'regex' ? query : query.toLowerCase().replace(/\s+/g, ' ');
    return JSON.stringify([text, searchType.effective, namespace, includeAlwaysLoaded, fields]);
  });
}
