import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { DefinitionTokens, estimateTokens } from '../../tool/token-count.js';
import { LazyTokenizer } from './lazy-tokenizer.js';

const byWords = (text: string) => text.split(' ').length;
const missing = async () => {
  throw new Error('Cannot find module');
};

describe('LazyTokenizer', () => {
  it('estimates until the tokenizer is there, and estimates do not stick', async () => {
    const tokenizer = new LazyTokenizer({}, async () => byWords);
    const tokens = new DefinitionTokens(tokenizer);
    const tool = fakeTool({ name: 'a.b', loading: 'deferred' });
    const list = [tool];
    const { name, description, inputSchema } = tool;
    const text = JSON.stringify({ name, description, parameters: inputSchema });
    const counted = () => [tokens.of(tool), tokens.deferrable(list), tokens.all(list), tokens.tokenizer];
    const estimate = estimateTokens(text);
    expect(counted()).toEqual([estimate, estimate, estimate, 'estimate']);
    await tokenizer.load();
    const words = byWords(text);
    expect(words).not.toBe(estimate);
    expect(counted()).toEqual([words, words, words, 'o200k_base']);
  });

  it('takes over when what is known has been counted, and loads once', async () => {
    let loads = 0;
    const tokenizer = new LazyTokenizer({}, async () => {
      loads += 1;
      return byWords;
    });
    const seen: string[] = [];
    const prepare = async () => void seen.push(tokenizer.tokenizer);
    await Promise.all([tokenizer.load(prepare), tokenizer.load(prepare)]);
    expect([seen, loads, tokenizer.isLazy]).toEqual([['estimate'], 1, false]);
  });

  it('goes on estimating where it is not installed, unless it was asked for by name', async () => {
    const tokenizer = new LazyTokenizer({}, missing);
    await tokenizer.load();
    expect([tokenizer.tokenizer, tokenizer.count]).toEqual(['estimate', estimateTokens]);
    await expect(new LazyTokenizer({ tokenizer: 'o200k_base' }, missing).load()).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });

  it.each([{ tokenizer: 'estimate' as const }, { countTokens: byWords }])(
    'loads no tokenizer with %j',
    async (options) => {
      const load = jest.fn(async () => byWords);
      const tokenizer = new LazyTokenizer(options, load);
      await tokenizer.load();
      expect(load).not.toHaveBeenCalled();
      expect(tokenizer.tokenizer).toBe('countTokens' in options ? 'custom' : 'estimate');
    },
  );

  it('loads the real one', async () => {
    const tokenizer = new LazyTokenizer();
    await tokenizer.load();
    expect(tokenizer.tokenizer).toBe('o200k_base');
    // o200k_base: "hello", " world"; a special token is text, and seven tokens.
    expect([tokenizer.count('hello world'), tokenizer.count('<|endoftext|>')]).toEqual([2, 7]);
  });
});
