import fc from 'fast-check';
import { expectSame } from '../../testing/contracts/expect-same.js';
import { fakeTool, fakeTools } from '../../testing/fakes/fake-tools.js';
import { estimateTokens } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { withDefaults } from '../../options/options.js';
import { type DirectoryOptions, directoryOptions, type DirectoryTerms, renderDirectory } from './directory.js';

const TOOLS = [
  fakeTool({ name: 'billing.refund', tags: ['money'] }),
  fakeTool({ name: 'billing.get', tags: ['money'] }),
  fakeTool({ name: 'crm.read' }),
  fakeTool({ name: 'crm.update_customer' }),
  fakeTool({ name: 'crm.list' }),
];
const TERMS: DirectoryTerms = { shown: (name) => name, search: 'tool_search', count: estimateTokens };
const render = (tools: readonly ToolDefinition[], options: DirectoryOptions, terms: Partial<DirectoryTerms> = {}) =>
  renderDirectory(tools, withDefaults(directoryOptions, options), { ...TERMS, ...terms });
const linesOf = (options: DirectoryOptions) => render(TOOLS, options).text.split('\n').slice(2, -1);

describe('renderDirectory', () => {
  it('groups by namespace, in the order of the alphabet, short names first', () => {
    expect(render(TOOLS, {})).toEqual({
      text: [
        '<tool_directory>',
        'Tools you can find with tool_search:',
        '- billing (2): billing.get, billing.refund',
        '- crm (3): crm.list, crm.read, crm.update_customer',
        '</tool_directory>',
      ].join('\n'),
      level: 'names',
      collapsed: 0,
      groups: 2,
      tools: 5,
    });
  });

  it('does not depend on the order of the tools', () => {
    expect(render(TOOLS.toReversed(), {})).toEqual(render(TOOLS, {}));
    // An own group may have the title of a namespace; they stay two groups.
    const options = { groups: [{ title: 'crm', trigger: 'customers', names: ['*.read'] }] };
    expect(linesOf(options)).toContain('- crm (1) — customers: crm.read');
    expect(render(TOOLS.toReversed(), options)).toEqual(render(TOOLS, options));
  });

  it('puts the application’s own groups first; a tool belongs to the first group that selects it', () => {
    const groups = [
      { title: 'Reading', trigger: 'look something up', names: ['*.get', '*.read', '*.list'] },
      { title: 'Money', tags: ['money'] },
      { title: 'Customers', namespaces: ['crm'] },
      { title: 'Nothing', namespaces: ['nowhere'] },
    ];
    expect(linesOf({ groups })).toEqual([
      '- Reading (3) — look something up: crm.list, crm.read, billing.get',
      '- Money (1): billing.refund',
      '- Customers (1): crm.update_customer',
    ]);
    expect(linesOf({ groups: groups.slice(1, 2), includeDefaultGroups: false })).toEqual([
      '- Money (2): billing.get, billing.refund',
    ]);
  });

  it('shows as much as the options allow', () => {
    expect(linesOf({ maxToolsPerGroup: 1 })).toEqual(['- billing (2): billing.get, …', '- crm (3): crm.list, …']);
    expect(linesOf({ maxToolsPerGroup: 0 })).toEqual(['- billing (2)', '- crm (3)']);
    expect(linesOf({ maxGroups: 1, includeToolCounts: false })).toEqual(['- billing: billing.get, billing.refund']);
  });

  it('stays small over a large catalog', () => {
    const { text, groups, tools } = render(fakeTools(2000), {});
    expect(groups).toBe(20);
    expect(tools).toBeLessThanOrEqual(120);
    expect(text.length).toBeLessThan(20_000);
  });

  it('is empty if no tool can be found', () => {
    expect(render([], {})).toEqual({ text: '', level: 'none', collapsed: 0, groups: 0, tools: 0 });
  });
});

describe('the detail of a directory', () => {
  it('is a line for each tool, a line for each group, or how many there are', () => {
    expect(
      linesOf({ detail: 'full', includeDefaultGroups: false, groups: [{ title: 'Money', tags: ['money'] }] }),
    ).toEqual([
      '- Money (2):',
      '  - billing.get: Does what billing.get says.',
      '  - billing.refund: Does what billing.refund says.',
    ]);
    expect(linesOf({ detail: 'full', maxToolsPerGroup: 1, maxGroups: 1 })).toEqual([
      '- billing (2):',
      '  - billing.get: Does what billing.get says.',
      '  - …',
    ]);
    expect(linesOf({ detail: 'groups' })).toEqual(['- billing (2)', '- crm (3)']);
  });

  it('shows every tool where it is full, with 150 characters of its description', () => {
    const many = Array.from({ length: 30 }, (_, n) =>
      fakeTool({ name: `a.tool_${n}`, description: 'word '.repeat(99) }),
    );
    const { text, tools } = render(many, { detail: 'full' });
    expect(tools).toBe(30);
    const described = text.split('\n').filter((line) => line.startsWith('  - '));
    for (const line of described) expect(line.split(': ')[1]!.length).toBeLessThanOrEqual(150);
    expect(described[0]).toMatch(/word…$/);
  });

  it('uses the names and the tokenizer of its reader', () => {
    const { text } = render(TOOLS, {}, { shown: (name) => name.replace('.', '__'), search: 'search_tools' });
    expect(text).toContain('find with search_tools:\n- billing (2): billing__get, billing__refund');
    expect(text).not.toContain('tool_search');
  });
});

describe('the budget of a directory', () => {
  const catalog = [
    ...Array.from({ length: 30 }, (_, n) => fakeTool({ name: `large.tool_number_${n}` })),
    ...Array.from({ length: 3 }, (_, n) => fakeTool({ name: `middle.tool_${n}` })),
    fakeTool({ name: 'small.tool' }),
  ];
  const within = (maxTokens: number, more: DirectoryOptions = {}) =>
    render(catalog, { detail: 'full', maxTokens, ...more });

  it('is kept by saying less, of the largest group first', () => {
    const levels = [2000, 300, 240, 220, 100, 35, 30, 25, 5].map((maxTokens) => {
      const { level, collapsed, tools } = within(maxTokens);
      return [level, collapsed, tools];
    });
    expect(levels).toEqual([
      ['full', 0, 34],
      ['full', 1, 34],
      ['full', 2, 34],
      ['names', 0, 34],
      ['names', 1, 4],
      ['names', 2, 1],
      ['groups', 0, 0],
      ['counts', 0, 0],
      ['none', 0, 0],
    ]);
    expect(within(300).text).toMatch(
      /- large \(30\): large.tool_number_0, .*\n- middle \(3\):\n {2}- middle.tool_0: Does/,
    );
    expect(within(25).text).toBe(
      '<tool_directory>\nTools you can find with tool_search: 34, in groups: 3.\n</tool_directory>',
    );
    expect(within(5).text).toBe('');
  });

  it('is 4,000 tokens unless it is set, and none with 0', () => {
    const tools = fakeTools(3000);
    expect(estimateTokens(render(tools, { detail: 'full' }).text)).toBeLessThanOrEqual(4000);
    expect(render(tools, { detail: 'full', maxTokens: 0 })).toMatchObject({ level: 'full', collapsed: 0, tools: 3000 });
  });

  it('costs no more counting than it is large', () => {
    let counted = 0;
    const count = (text: string) => {
      counted += text.length;
      return estimateTokens(text);
    };
    render(fakeTools(3000), { detail: 'full', maxTokens: 500 }, { count });
    expect(counted).toBeLessThan(20_000);
  });

  it('holds for every catalog, and less room never says more', () => {
    const order: readonly string[] = ['none', 'counts', 'groups', 'names', 'full'];
    const namespaced = fc.record({ namespace: fc.constantFrom('a', 'bb', 'ccc', 'dddd'), number: fc.nat(99) });
    const detail = fc.constantFrom('full' as const, 'names' as const, 'groups' as const);
    fc.assert(
      fc.property(
        fc.uniqueArray(namespaced, { selector: ({ namespace, number }) => `${namespace}${number}`, maxLength: 40 }),
        detail,
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 600 }),
        (names, asked, one, other) => {
          const tools = names.map(({ namespace, number }) => fakeTool({ name: `${namespace}.tool_${number}` }));
          const [less, more] = [Math.min(one, other), Math.max(one, other)].map((maxTokens) => {
            const directory = render(tools, { detail: asked, maxTokens });
            expectSame(estimateTokens(directory.text) <= maxTokens, true);
            expectSame(render(tools.toReversed(), { detail: asked, maxTokens }), directory);
            return directory;
          });
          expectSame(order.indexOf(less!.level) <= order.indexOf(more!.level), true);
          expectSame(less!.tools <= more!.tools, true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
