import { anyHistory, fc } from '../../../testing/fakes/arbitrary-tools.js';
import { fakeTools } from '../../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { TimeSlicer } from '../../../async/time-slicer.js';
import { queryTerms } from '../../text/query-terms.js';
import type { TopKHeap } from './top-k-heap.js';
import { CandidateSearch } from './candidate-search.js';
import type { IndexState } from '../index/index-state.js';
import { DEFAULT_THRESHOLDS, firstState, nextState } from '../index/next-state.js';
import { MAX_IMPACT, rowLength } from '../index/segment.js';
import { ViewStatistics } from './view-statistics.js';
import { type TermGroup, planQuery } from './query-plan.js';

const distinct = (tools: readonly ToolDefinition[]): ToolDefinition[] =>
  [...new Map(tools.map((tool) => [tool.name, tool])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));

const stateOf = async (states: readonly (readonly ToolDefinition[])[]) => {
  const slices = new TimeSlicer(1_000);
  const [first = [], ...others] = states;
  let state = await firstState(new CatalogSnapshot(1, distinct(first)), slices);
  for (const tools of others) {
    state = await nextState(new CatalogSnapshot(1, distinct(tools)), state, DEFAULT_THRESHOLDS, slices);
  }
  return state;
};

const taken = (best: TopKHeap): (readonly [number, number])[] => {
  const slots: (readonly [number, number])[] = [];
  for (let slot = best.take(); slot !== undefined; slot = best.take()) slots.push([slot, best.score]);
  return slots;
};

const search = new CandidateSearch();

/** The same result by summing all contributions to every tool and sorting. */
const reference = (
  state: IndexState,
  visible: ToolSet,
  meanings: readonly TermGroup[],
  limit: number,
  among?: ToolSet,
): (readonly [number, number])[] => {
  const scores = new Map<number, number>();
  for (const { senses } of meanings) {
    const gains = new Map<number, number>();
    for (const { id, weight } of senses) {
      for (const segment of [state.base, state.delta]) {
        const start = segment.starts[id] ?? 0;
        for (let position = start; position < start + rowLength(segment, id); position++) {
          const slot = segment.tools[position]! + (segment === state.base ? 0 : state.base.count);
          const before = gains.get(slot) ?? 0;
          const gain = Math.max(before, (weight / MAX_IMPACT) * segment.impacts[position]!);
          scores.set(slot, (scores.get(slot) ?? 0) + (gain - before));
          gains.set(slot, gain);
        }
      }
    }
  }
  return [...scores]
    .filter(([slot]) => state.idOf(slot) >= 0 && visible.has(state.idOf(slot)))
    .filter(([slot]) => !among || among.has(state.idOf(slot)))
    .sort(([slot, score], [other, otherScore]) => otherScore - score || (state.isBefore(slot, other) ? -1 : 1))
    .slice(0, limit);
};

const anyQuery = fc
  .array(
    fc.constantFrom(
      'invoice',
      'refund',
      'list',
      'create',
      'file',
      's3',
      'user',
      'account',
      'money',
      'customer',
      'page',
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((words) => queryTerms(words.join(' ')));

describe('CandidateSearch', () => {
  const catalog = fakeTools(5_000);
  // Several windows; the second state has a delta and removed tools.
  const large = [stateOf([catalog]), stateOf([catalog.slice(100), catalog.slice(0, 4_950)])];
  const anyState = fc.oneof(fc.constantFrom(...large), anyHistory.map(stateOf));

  it('finds exactly what adding up everything and sorting it finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyState,
        anyQuery,
        fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(300)),
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        fc.boolean(),
        async (built, query, limit, choices, isRestricted) => {
          const state = await built;
          const anySet = () => ToolSet.of(state.snapshot.tools.length, () => choices.next().value !== 0);
          const visible = anySet();
          const statistics = new ViewStatistics(state, visible);
          const { meanings } = planQuery(query, state.lexicon, statistics);
          const among = isRestricted ? anySet() : undefined;
          expect(taken(search.find(state, statistics, meanings, limit, among))).toEqual(
            reference(state, visible, meanings, limit, among),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
