import { fakeTool } from '@tool-search/core/testing';
import { toolKinds } from './tool-kinds.js';

const tool = (name: string, ...tags: readonly string[]) => fakeTool({ name, tags });

describe('toolKinds', () => {
  it('names namespaces by their number of tools, each with its most frequent tags', () => {
    const tools = [tool('crm.a', 'sales'), tool('billing.a', 'money', 'tax'), tool('billing.b', 'tax'), tool('ping')];
    expect(toolKinds(tools)).toBe('It finds 4 tools: billing (2: tax, money); core (1); crm (1: sales).');
  });

  it('counts what has to be searched only', () => {
    expect(toolKinds([])).toBe('');
    expect(toolKinds([fakeTool({ loading: 'always' })])).toBe('');
  });

  it('is equal for equal sets of tools', () => {
    const tools = [tool('a.x', 'one'), tool('b.x', 'two'), tool('c.x'), tool('b.y', 'one')];
    expect(toolKinds(tools.toReversed())).toBe(toolKinds(tools));
  });

  it('names five tags of a namespace at most', () => {
    expect(toolKinds([tool('a.x', 't6', 't5', 't4', 't3', 't2', 't1')])).toBe(
      'It finds 1 tools: a (1: t1, t2, t3, t4, t5).',
    );
  });

  it('says how many namespaces it leaves out', () => {
    const tools = Array.from({ length: 200 }, (_, n) => tool(`namespace_${String(n).padStart(3, '0')}.x`));
    const text = toolKinds(tools);
    const shown = text.split('namespace_').length - 1;
    expect(text.length).toBeLessThan(750);
    expect(text).toContain(`; and ${200 - shown} more namespaces.`);
  });
});
