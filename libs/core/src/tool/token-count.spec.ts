import { fakeTool } from '../testing/fakes/fake-tools.js';
import { DefinitionTokens, estimateTokens } from './token-count.js';

describe('DefinitionTokens', () => {
  it('counts what a model receives, once for each definition', () => {
    const texts: string[] = [];
    const tokens = new DefinitionTokens((text) => texts.push(text) && text.length);
    const tool = fakeTool({ name: 'crm.read', description: 'Reads.', tags: ['unseen'], extra: { unseen: true } });
    expect(tokens.sum([tool, tool])).toBe(2 * tokens.of(tool));
    expect(texts).toEqual([
      '{"name":"crm.read","description":"Reads.","parameters":{"type":"object","properties":{}}}',
    ]);
  });

  it('estimates by length where there is no tokenizer', () => {
    expect([estimateTokens(''), estimateTokens('x'.repeat(43))]).toEqual([0, 10]);
  });
});
