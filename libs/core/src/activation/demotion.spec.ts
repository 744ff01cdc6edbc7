import fc from 'fast-check';
import { expectSame } from '../testing/contracts/expect-same.js';
import { demotion, type DemotionCandidate } from './demotion.js';

const none = () => false;
const used = (...names: string[]): DemotionCandidate[] =>
  names.map((tool, index) => ({ tool, tokens: 10, usedAt: index }));

describe('which tools a run or session gives up', () => {
  it('none while a quarter is free', () => {
    expect(demotion(used('a', 'b', 'c'), { tools: 4, tokens: 40 }, none)).toEqual([]);
    expect(demotion(used('a', 'b', 'c'), { tools: 0, tokens: 0 }, none)).toEqual([]);
  });

  it('those used longest ago, until a quarter is free', () => {
    expect(demotion(used('d', 'c', 'b', 'a'), { tools: 4, tokens: 0 }, none)).toEqual(['d']);
    expect(demotion(used('d', 'c', 'b', 'a'), { tools: 0, tokens: 30 }, none)).toEqual(['d', 'c']);
  });

  it('by name what was used at the same time', () => {
    const held = ['b', 'c', 'a'].map((tool) => ({ tool, tokens: 1, usedAt: 5 }));
    expect(demotion(held, { tools: 2, tokens: 0 }, none)).toEqual(['a', 'b']);
  });

  it('a quarter of what is left beside the pinned ones', () => {
    const isPinned = (tool: string) => tool.startsWith('p');
    expect(demotion(used('p1', 'p2', 'p3', 'p4', 'a', 'b', 'c', 'd'), { tools: 8, tokens: 0 }, isPinned)).toEqual([
      'a',
    ]);
    expect(demotion(used('p1', 'p2', 'p3'), { tools: 2, tokens: 0 }, isPinned)).toEqual([]);
  });

  it('never a pinned one, never more than it takes, in the order of last use, and then enough is free', () => {
    const tool = fc.record({ name: fc.nat(30), tokens: fc.nat(50), usedAt: fc.nat(5) });
    const tools = fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 20 });
    const limits = fc.record({ tools: fc.nat(15), tokens: fc.nat(300) });
    fc.assert(
      fc.property(tools, limits, fc.integer({ min: 1, max: 6 }), (generated, limit, pin) => {
        const held = generated.map(({ name, ...rest }) => ({ tool: `t.${String(name).padStart(2, '0')}`, ...rest }));
        const isPinned = (name: string) => Number(name.slice(2)) % pin === 1;
        const gone = demotion(held, limit, isPinned);
        const free = held.filter(({ tool: name }) => !isPinned(name));
        const inOrder = free
          .toSorted((a, b) => a.usedAt - b.usedAt || a.tool.localeCompare(b.tool))
          .map(({ tool: name }) => name);
        expectSame(gone, inOrder.slice(0, gone.length));

        const fits = (left: readonly DemotionCandidate[]) => {
          const pinned = left.filter(({ tool: name }) => isPinned(name));
          const within = (max: number, all: number, fixed: number) =>
            max === 0 || all - fixed <= Math.max(0, max - fixed) * 0.75;
          const sum = (some: readonly DemotionCandidate[]) => some.reduce((total, { tokens }) => total + tokens, 0);
          return within(limit.tools, left.length, pinned.length) && within(limit.tokens, sum(left), sum(pinned));
        };
        const without = (names: readonly string[]) => held.filter(({ tool: name }) => !names.includes(name));
        const left = without(gone);
        const onlyPinned = left.every(({ tool: name }) => isPinned(name));
        expectSame(fits(left) || onlyPinned, true);
        if (gone.length > 0) expectSame(fits(without(gone.slice(0, -1))), false);
        expectSame(demotion(left, limit, isPinned), []);
      }),
      { numRuns: 500 },
    );
  });
});
