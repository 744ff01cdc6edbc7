import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { toolSentence } from './tool-sentence.js';

const inputSchema = { type: 'object', properties: { repositoryOwner: { type: 'string' }, issue_number: {} } };

describe('toolSentence', () => {
  it('reads like text: identifiers become words', () => {
    const tool = fakeTool({ name: 'github.createIssue', title: 'New issue', description: ' Opens one. ', inputSchema });
    expect(toolSentence(tool)).toBe(
      'github create issue: New issue\nOpens one.\nParameters: repository owner issue number',
    );
    expect(toolSentence(fakeTool({ name: 'aa.bb_cc', description: 'D.' }))).toBe('aa bb cc\nD.');
  });

  it('keeps to 1,000 characters and its parameters, however long a description is', () => {
    const sentence = toolSentence(fakeTool({ description: 'x'.repeat(5_000), inputSchema }));
    expect(sentence).toHaveLength(1_000);
    expect(sentence).toMatch(/x\nParameters: repository owner issue number$/);
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`parameter${i}`, {}]));
    expect(toolSentence(fakeTool({ inputSchema: { type: 'object', properties } })).length).toBeLessThan(300);
  });
});
