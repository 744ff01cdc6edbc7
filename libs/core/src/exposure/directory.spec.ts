import { fakeTool, fakeTools } from '../testing/fake-tools.js';
import { type DirectoryOptions, renderDirectory } from './directory.js';

const TOOLS = [
  fakeTool({ name: 'billing.refund', tags: ['money'] }),
  fakeTool({ name: 'billing.get', tags: ['money'] }),
  fakeTool({ name: 'crm.read' }),
  fakeTool({ name: 'crm.update_customer' }),
  fakeTool({ name: 'crm.list' }),
];
const linesOf = (options: DirectoryOptions) => renderDirectory(TOOLS, options).text.split('\n').slice(2, -1);

describe('renderDirectory', () => {
  it('groups by namespace, in the order of the alphabet, short names first', () => {
    expect(renderDirectory(TOOLS, {})).toEqual({
      text: [
        '<tool_directory>',
        'Tools you can find with tool_search:',
        '- billing (2): billing.get, billing.refund',
        '- crm (3): crm.list, crm.read, crm.update_customer',
        '</tool_directory>',
      ].join('\n'),
      groups: 2,
      tools: 5,
    });
  });

  it('does not depend on the order of the tools', () => {
    expect(renderDirectory(TOOLS.toReversed(), {})).toEqual(renderDirectory(TOOLS, {}));
  });

  it('puts the application’s own groups first; a tool stands in the first that takes it', () => {
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
    const { text, groups, tools } = renderDirectory(fakeTools(2000), {});
    expect(groups).toBe(20);
    expect(tools).toBeLessThanOrEqual(120);
    expect(text.length).toBeLessThan(20_000);
  });

  it('has no text where there is nothing to find', () => {
    expect(renderDirectory([], {})).toEqual({ text: '', groups: 0, tools: 0 });
  });
});
