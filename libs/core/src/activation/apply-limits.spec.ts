import fc from 'fast-check';
import type { NewActivation } from './activation-store.js';
import { applyLimits } from './apply-limits.js';

const tool = (name: string, tokens = 10): NewActivation => ({ tool: name, reason: 'first_use', tokens });
const NO_LIMITS = { tools: 0, tokens: 0 };

describe('admit', () => {
  it('takes a limit of 0 as none', () => {
    const tools = Array.from({ length: 1000 }, (_, i) => tool(`t.${i}`, 1e9));
    expect(applyLimits(new Map(), tools, NO_LIMITS).admitted).toHaveLength(1000);
  });

  it('passes over a tool that does not fit and still takes a smaller one', () => {
    const { admitted, overLimit } = applyLimits(new Map([['t.old', 50]]), [tool('t.big', 51), tool('t.small', 50)], {
      tools: 0,
      tokens: 100,
    });
    expect(admitted.map(({ tool }) => tool)).toEqual(['t.small']);
    expect(overLimit).toEqual(['t.big']);
  });

  it('says of a tool the scope has that it is active, even when the scope is full', () => {
    expect(applyLimits(new Map([['t.a', 10]]), [tool('t.a'), tool('t.b')], { tools: 1, tokens: 0 })).toEqual({
      admitted: [],
      alreadyActive: ['t.a'],
      overLimit: ['t.b'],
    });
  });

  it('gives the same outcome as admitting the tools one by one', () => {
    const tools = fc.array(fc.record({ name: fc.integer({ min: 0, max: 9 }), tokens: fc.nat(30) }), { maxLength: 12 });
    const limits = fc.record({ tools: fc.nat(6), tokens: fc.nat(100) });
    fc.assert(
      fc.property(tools, limits, (raw, limits) => {
        // one size per definition
        const asked = [...new Map(raw.map(({ name, tokens }) => [name, tool(`t.${name}`, tokens)])).values()];
        const held = new Map<string, number>();
        const oneByOne = asked.filter((each) => {
          const fits = applyLimits(held, [each], limits).admitted.length === 1;
          if (fits) held.set(each.tool, each.tokens);
          return fits;
        });
        expect(applyLimits(new Map(), [...asked, ...asked], limits).admitted).toEqual(oneByOne);
      }),
    );
  });
});
