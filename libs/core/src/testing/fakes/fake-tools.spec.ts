import type { ToolDefinition } from '../../tool/tool-definition.js';
import { fakeTool, fakeTools } from './fake-tools.js';

describe('fakeTool', () => {
  it('has another hash when any field differs', () => {
    const parts: Partial<ToolDefinition>[] = [
      {},
      { name: 'billing.other' },
      { namespace: 'bill' },
      { title: 'Refund' },
      { description: 'Other.' },
      { tags: ['money'] },
      { sideEffects: 'write' },
      { inputSchema: { type: 'object', properties: { a: {} } } },
      { outputSchema: { type: 'object' } },
      { examples: [{ args: {}, tags: [] }] },
      { exampleQueries: ['pay me back'] },
      { sourceDescription: 'Invoices and refunds.' },
      { loading: 'always' },
      { aliases: ['billing.return'] },
      { authScopes: ['billing'] },
      { owner: 'acme' },
      { source: 'other' },
    ];
    expect(new Set(parts.map((part) => fakeTool(part).hash)).size).toBe(parts.length);
    expect(fakeTool({ tags: ['a'] })).toEqual(fakeTool({ tags: ['a'] }));
  });

  it('reads the namespace from the name', () => {
    expect(fakeTool({ name: 'crm.sales.list' }).namespace).toBe('crm.sales');
    expect(fakeTool({ name: 'plain' }).namespace).toBe('');
  });
});

describe('fakeTools', () => {
  it('makes as many distinct tools as asked, sorted by name, the same for the same seed', () => {
    const tools = fakeTools(500, 7);
    const names = tools.map((tool) => tool.name);
    expect(new Set(names).size).toBe(500);
    expect(names).toEqual([...names].sort());
    expect(fakeTools(500, 7)).toEqual(tools);
    expect(fakeTools(500, 8)).not.toEqual(tools);
  });

  it('keeps the tools of a smaller catalog in a larger one', () => {
    expect(fakeTools(100, 3)).toEqual(expect.arrayContaining(fakeTools(40, 3)));
  });
});
