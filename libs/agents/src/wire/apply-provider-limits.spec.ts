import { fakeTool } from '@tool-search/core/testing';
import fc from 'fast-check';
import { applyProviderLimits, type ToolToFit } from './apply-provider-limits.js';
import type { ProviderLimits } from './provider-limits.js';

const LIMITS: ProviderLimits = { provider: 'Somebody', nameChars: 10, tools: 4 };
const tool = (name: string, of: Partial<ToolToFit> = {}): ToolToFit => ({
  name,
  description: 'Does it.',
  inputSchema: { type: 'object', properties: {} },
  isDeferred: false,
  isActive: false,
  isFound: false,
  definition: fakeTool({ name: `tools.${name}` }),
  ...of,
});
const meta = ({ definition: _definition, ...of }: ToolToFit) => of;
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('fittingTools', () => {
  it.each([
    ['a name that is too long', tool('a'.repeat(11)), 'its name has 11 characters, and Somebody takes 10'],
    ['a name with a dot', tool('crm.list'), 'its name has other characters'],
    ['no name', tool(''), 'its name has other characters'],
    ['a root that is no object', tool('bad', { inputSchema: { type: 'array' } }), 'must describe an object'],
    [
      'a choice at the root',
      tool('bad', { inputSchema: { type: 'object', properties: {}, anyOf: [] } }),
      'has anyOf at',
    ],
    ['nothing of its properties', tool('bad', { inputSchema: { type: 'object' } }), 'has no properties'],
    [
      'an argument with an illegal name',
      tool('bad', { inputSchema: { type: 'object', properties: { 'filter[x]': {} } } }),
      'illegal name',
    ],
    ['the name of an own tool', tool('own'), "own is the name of one of the caller's own tools"],
    ['the name of a meta tool', tool('find'), 'find is the name of find'],
    ['the name of another tool', tool('good', { definition: fakeTool({ name: 'x.good' }) }), 'the name of tools.good'],
  ])('leaves out only the tool with %s', (_what, bad, reason) => {
    const { tools, leftOut, overCount } = applyProviderLimits(
      [meta(tool('find'))],
      [tool('good'), bad, tool('fine')],
      ['own'],
      LIMITS,
    );
    expect(names(tools)).toEqual(['find', 'good', 'fine']);
    expect(leftOut).toEqual([{ tool: bad.definition?.name, reason: expect.stringContaining(reason) }]);
    expect(overCount).toBe(0);
  });

  it('keeps, of too many, meta tools, active ones, the newest found and the first of the others, in their order', () => {
    const found = { isFound: true };
    const given = [
      tool('always1'),
      tool('always2'),
      tool('old', found),
      tool('active', { ...found, isActive: true }),
      tool('newer', found),
      tool('newest', found),
    ];
    const kept = (tools: number) => {
      const {
        tools: listed,
        leftOut,
        overCount,
      } = applyProviderLimits([meta(tool('find'))], given, ['own'], { ...LIMITS, tools });
      expect(overCount).toBe(leftOut.length);
      expect(listed.length + leftOut.length).toBe(given.length + 1);
      return names(listed);
    };
    expect(kept(8)).toEqual(['find', ...names(given)]);
    expect(kept(7)).toEqual(['find', 'always1', 'old', 'active', 'newer', 'newest']);
    expect(kept(5)).toEqual(['find', 'active', 'newer', 'newest']);
    expect(kept(4)).toEqual(['find', 'active', 'newest']);
    expect(kept(3)).toEqual(['find', 'active']);
    expect(kept(2)).toEqual(['find']);
    expect(applyProviderLimits([], given, ['own'], { ...LIMITS, tools: 2 }).leftOut[0]).toEqual({
      tool: 'tools.always1',
      reason: 'Somebody takes 2 tools in a request',
    });
  });

  it('cuts descriptions where, and only where, there is a limit to them', () => {
    const long = tool('long', { description: `${'a'.repeat(8)}😀b` });
    const cut = (descriptionChars?: number) =>
      applyProviderLimits([], [long], [], { ...LIMITS, ...(descriptionChars && { descriptionChars }) }).tools[0]
        ?.description;
    expect(cut()).toBe(long.description);
    expect(cut(11)).toBe(long.description);
    expect(cut(10)).toBe('aaaaaaaa…');
    expect(cut(5)).toBe('aaaa…');
  });

  it('returns tools that every provider accepts, for any input, and accounts for each tool', () => {
    const anyName = fc.stringMatching(/^[ab._-]{0,12}$/);
    const anySchema = fc.constantFrom(
      { type: 'object', properties: {} },
      { type: 'object' },
      { type: 'object', properties: {}, oneOf: [] },
      {},
    );
    const anyTool = fc
      .record({ name: anyName, inputSchema: anySchema, isActive: fc.boolean(), isFound: fc.boolean() })
      .map(({ name, ...of }) => tool(name, of));
    fc.assert(
      fc.property(fc.array(anyTool), fc.uniqueArray(anyName, { maxLength: 3 }), fc.nat(6), (given, own, limit) => {
        const { tools, leftOut } = applyProviderLimits([], given, own, { ...LIMITS, tools: limit });
        const all = [...own, ...names(tools)];
        expect(new Set(all).size).toBe(all.length);
        expect(tools.length + Math.min(own.length, limit)).toBeLessThanOrEqual(limit);
        expect(tools.length + leftOut.length).toBe(given.length);
        for (const { name, inputSchema } of tools) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,10}$/);
          expect(inputSchema).toEqual({ type: 'object', properties: {} });
        }
      }),
    );
  });

  it('lists no more than fits beside own tools, meta tools among them', () => {
    const own = ['a', 'b', 'c'];
    const shown = applyProviderLimits([meta(tool('search')), meta(tool('get'))], [tool('one')], own, LIMITS);
    expect(names(shown.tools)).toEqual(['search']);
    expect(shown.leftOut.map((each) => each.tool)).toEqual(['get', 'tools.one']);
  });
});
