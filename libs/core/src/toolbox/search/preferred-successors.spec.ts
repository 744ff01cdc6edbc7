import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { withSuccessorsFirst } from './preferred-successors.js';
import type { FoundHit } from './tool-finder.js';

const TOOLS = Array.from({ length: 12 }, (_, id) => fakeTool({ name: `crm.t${id}` }));
const hit = (id: number, score: number): FoundHit => ({
  id,
  score,
  match: 'bm25',
  tool: TOOLS[id]!,
  queries: [0],
  similar: [],
});
const idOf = (name: string) => Number(name.slice(5));
const order = (ids: readonly number[], successors: ReadonlyMap<number, number>, limit = 99, isSearched = true) =>
  withSuccessorsFirst(
    ids.map((id, rank) => hit(id, 1 / (rank + 1))),
    ({ name }) => {
      const id = successors.get(idOf(name));
      return id === undefined ? undefined : { id, tool: TOOLS[id]!, isSearched };
    },
    limit,
  );
const idsOf = (hits: readonly FoundHit[]) => hits.map(({ id }) => id);

describe('successors', () => {
  it('come directly before the tool that they replace, found or not', () => {
    expect(idsOf(order([1, 2, 3], new Map([[1, 3]])))).toEqual([3, 1, 2]);
    expect(idsOf(order([1, 2], new Map([[2, 7]])))).toEqual([1, 7, 2]);
    expect(idsOf(order([3, 1], new Map([[1, 3]])))).toEqual([3, 1]);
  });

  it('are not added where the search does not return tools like them', () => {
    expect(idsOf(order([1, 2], new Map([[2, 7]]), 99, false))).toEqual([1, 2]);
  });

  it('replace what they stand for where there is room for one', () => {
    expect(idsOf(order([1], new Map([[1, 3]]), 1))).toEqual([3]);
  });

  it('keep scores falling, name no tool twice and lose no hit, even in a circle', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 8 });
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 11 })));
    fc.assert(
      fc.property(ids, pairs, (found, given) => {
        const successors = new Map(given.filter(([from, to]) => from !== to));
        const hits = order(found, successors);
        expect(new Set(idsOf(hits)).size).toBe(hits.length);
        expect(idsOf(hits)).toEqual(expect.arrayContaining(found));
        const isInCircle = (id: number) => {
          const seen = new Set<number>();
          for (let at: number | undefined = id; at !== undefined; at = successors.get(at)) {
            if (seen.has(at)) return true;
            seen.add(at);
          }
          return false;
        };
        for (const [from, to] of successors) {
          if (!found.includes(from) || isInCircle(from)) continue;
          expect(idsOf(hits).indexOf(to)).toBeLessThan(idsOf(hits).indexOf(from));
          expect(idsOf(hits)).toContain(to);
        }
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });
});
