import { fakeTool } from '../testing/fake-tools.js';
import { describeTool, oneLine } from './described-tool.js';

const RULE = { enabled: true, maxPerTool: 3, includeDescriptions: true };
const TOOL = fakeTool({
  name: 'crm.read',
  title: 'Read',
  aliases: ['crm.get'],
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  extra: { secret: true },
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
    for (const field of ['aliases', 'annotations', 'extra', 'source', 'owner', 'hash', 'namespace']) {
      expect(describeTool(TOOL, RULE)).not.toHaveProperty(field);
    }
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

  it('leaves out what the caller or the application does not want', () => {
    expect(describeTool(TOOL, RULE, { includeExamples: false })).not.toHaveProperty('examples');
    expect(describeTool(TOOL, { ...RULE, enabled: false })).not.toHaveProperty('examples');
    const plain = describeTool(TOOL, RULE, { includeSchemas: false });
    expect([plain.inputSchema, plain.outputSchema]).toEqual([undefined, undefined]);
  });
});

describe('oneLine', () => {
  it('makes one line of it, of at most 160 characters', () => {
    expect(oneLine(' Reads\n\n one\tinvoice. ')).toBe('Reads one invoice.');
    const words = oneLine('word '.repeat(100));
    expect([words.length <= 160, words.endsWith('word…')]).toEqual([true, true]);
    expect(oneLine('x'.repeat(500))).toHaveLength(81);
  });

  it('never ends in half a character', () => {
    for (const lead of ['', 'a', 'ab']) expect(oneLine(lead + '😀'.repeat(200))).not.toMatch(/\p{Cs}/u);
  });
});
