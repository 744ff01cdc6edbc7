import { fakeTool } from '@tool-search/core/testing';
import { toolKinds } from './tool-kinds.js';

const tool = (name: string, ...tags: readonly string[]) => fakeTool({ name, tags });

describe('toolKinds', () => {
  it('names namespaces by their number of tools; the full text also names their most frequent tags', () => {
    const tools = [tool('crm.a', 'sales'), tool('billing.a', 'money', 'tax'), tool('billing.b', 'tax'), tool('ping')];
    expect(toolKinds(tools)).toEqual({
      full: 'It finds 4 tools: billing (tax, money), core, crm (sales).',
      short: 'It finds 4 tools: billing, core, crm.',
    });
  });

  it('counts only the tools that a search has to find', () => {
    expect(toolKinds([])).toEqual({ full: '', short: '' });
    expect(toolKinds([fakeTool({ loading: 'always' })])).toEqual({ full: '', short: '' });
  });

  it('is equal for equal sets of tools', () => {
    const tools = [tool('a.x', 'one'), tool('b.x', 'two'), tool('c.x'), tool('b.y', 'one')];
    expect(toolKinds(tools.toReversed())).toEqual(toolKinds(tools));
  });

  it('names at most five tags of a namespace', () => {
    expect(toolKinds([tool('a.x', 't6', 't5', 't4', 't3', 't2', 't1')]).full).toBe(
      'It finds 1 tools: a (t1, t2, t3, t4, t5).',
    );
  });

  it.each([
    ['full', 700],
    ['short', 170],
  ] as const)('says in the %s text how many namespaces it leaves out, within %i characters', (form, chars) => {
    const tools = Array.from({ length: 200 }, (_, n) => tool(`namespace_${String(n).padStart(3, '0')}.x`));
    const text = toolKinds(tools)[form];
    const shown = text.split('namespace_').length - 1;
    expect(shown).toBeGreaterThanOrEqual(5);
    expect(text.length).toBeLessThanOrEqual(chars);
    expect(text).toContain(`, and ${200 - shown} more namespaces.`);
  });
});
