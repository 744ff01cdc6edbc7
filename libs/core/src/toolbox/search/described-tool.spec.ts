import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { withDefaults } from '../../options/options.js';
import { describeTool, exampleOptions } from './described-tool.js';

const RULE = withDefaults(exampleOptions);
const TOOL = fakeTool({
  name: 'crm.read',
  title: 'Read',
  aliases: ['crm.get'],
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  extra: { secret: true },
  exampleQueries: ['show me the customer'],
  sourceDescription: 'Customers.',
  examples: [
    { args: { n: 1 }, tags: ['edge-case'] },
    { args: { n: 2 }, tags: [], description: 'Plain.' },
    { args: { n: 3 }, tags: ['common'] },
    { args: { n: 4 }, tags: ['other', 'minimal'] },
  ],
});

describe('describeTool', () => {
  it('gives what a model needs and keeps what only executors and operators do', () => {
    expect(describeTool(TOOL, RULE)).toMatchObject({ name: 'crm.read', title: 'Read', inputSchema: TOOL.inputSchema });
    const hidden = [
      'aliases',
      'annotations',
      'extra',
      'exampleQueries',
      'source',
      'sourceDescription',
      'owner',
      'hash',
    ];
    for (const field of [...hidden, 'namespace']) expect(describeTool(TOOL, RULE)).not.toHaveProperty(field);
  });

  it('shows simple examples first, as many as the option says', () => {
    expect(describeTool(TOOL, RULE).examples).toEqual([
      { args: { n: 4 }, tags: ['other', 'minimal'] },
      { args: { n: 3 }, tags: ['common'] },
      { args: { n: 1 }, tags: ['edge-case'] },
    ]);
    expect(describeTool(TOOL, { ...RULE, maxPerTool: 4 }).examples?.[3]).toEqual({
      args: { n: 2 },
      description: 'Plain.',
    });
    expect(describeTool(TOOL, { ...RULE, maxPerTool: 4, includeDescriptions: false }).examples?.[3]).toEqual({
      args: { n: 2 },
    });
  });

  it('shows only examples of the tags that the application names', () => {
    expect(describeTool(TOOL, { ...RULE, filterTags: ['edge-case', 'common'] }).examples).toEqual([
      { args: { n: 3 }, tags: ['common'] },
      { args: { n: 1 }, tags: ['edge-case'] },
    ]);
    expect(describeTool(TOOL, { ...RULE, filterTags: ['nobody'] })).not.toHaveProperty('examples');
  });

  it('leaves out what the caller or the application does not want', () => {
    expect(describeTool(TOOL, RULE, { includeExamples: false })).not.toHaveProperty('examples');
    expect(describeTool(TOOL, { ...RULE, enabled: false })).not.toHaveProperty('examples');
    const plain = describeTool(TOOL, RULE, { includeSchemas: false });
    expect([plain.inputSchema, plain.outputSchema]).toEqual([undefined, undefined]);
  });
});
