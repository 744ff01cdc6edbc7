import type { SearchState } from '../index/index-state.js';
import { impactIn } from '../index/segment.js';
import type { QueryPlan } from './query-plan.js';

/**
 * The words of a query that a tool has, directly or as another word, in the query's order.
 *
 * @param withLearned whether words count that the tool has only through learned queries
 */
export function matchedWords(
  state: SearchState,
  { words, learned }: QueryPlan,
  slot: number,
  withLearned: boolean,
): readonly string[] {
  const segment = state.segmentOf(slot);
  const tool = state.numberOf(slot);
  const lessons = new Set(
    (withLearned ? learned : []).filter((gain) => gain.tool === state.idOf(slot)).map(({ term }) => term),
  );
  return words
    .filter(({ meanings }) =>
      meanings.some(
        ({ term, senses }) =>
          senses.some(({ id }) => impactIn(segment, id, tool) > 0) || (term !== undefined && lessons.has(term)),
      ),
    )
    .map(({ word }) => word);
}
