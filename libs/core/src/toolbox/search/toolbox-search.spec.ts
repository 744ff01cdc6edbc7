import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { selectWithinBudget } from './toolbox-search.js';

const hits = (...costs: number[]) =>
  costs.map((cost, rank) => fakeTool({ name: `crm.t${rank}`, description: String(cost) }));
const tokens = { of: ({ description }: ToolDefinition) => Number(description) };
const ranks = (costs: number[], budget: number) =>
  selectWithinBudget(hits(...costs), budget, tokens).map(({ name }) => Number(name.slice(5)));

describe('offeredHits', () => {
  it('takes the best, then what still fits', () => {
    expect(ranks([300, 600, 200, 250, 100], 700)).toEqual([0, 2, 4]);
    expect(ranks([9000, 1, 1], 700)).toEqual([0]);
    expect(ranks([], 700)).toEqual([]);
  });

  it('takes all where there is no limit', () => {
    expect(ranks([9000, 9000], Infinity)).toEqual([0, 1]);
  });

  it('never passes the budget, but for the best hit', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(costs, fc.integer({ min: 1, max: 5000 }), (list, budget) => {
        const offered = ranks(list, budget);
        expect(offered[0]).toBe(0);
        const sum = offered.reduce((total, rank) => total + list[rank]!, 0);
        expect(offered.length === 1 || sum <= budget).toBe(true);
      }),
    );
  });
});
