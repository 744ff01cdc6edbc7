import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { inLinearTime } from '../exposure/ledger/linear-counter.js';
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

  it('counts a schema that tools share once, exactly, where the parts of a text add up', () => {
    const texts: string[] = [];
    const whole = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
    const linear = inLinearTime(whole);
    const recording = (text: string) => texts.push(text) && linear(text);
    const tokens = new DefinitionTokens(Object.assign(recording, { addsUp: true }));
    const inputSchema = { type: 'object', properties: { note: { description: "It's a note." } } };
    const tools = ['crm.read', 'crm.write'].map((name) => fakeTool({ name, description: 'Für "Ada".', inputSchema }));
    const asOne = tools.map(({ name, description }) =>
      whole(JSON.stringify({ name, description, parameters: inputSchema })),
    );
    expect(tools.map((tool) => tokens.of(tool))).toEqual(asOne);
    expect(texts.filter((text) => text.includes("It's a note."))).toHaveLength(1);
  });

  it('estimates by length where there is no tokenizer', () => {
    expect([estimateTokens(''), estimateTokens('x'.repeat(43))]).toEqual([0, 10]);
  });
});
