import { FakeSource, openToolbox, type OpenToolbox } from '@tool-search/core/testing';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { aiSdk } from '../ai-sdk.js';
import { ANY_PROVIDER_LIMITS } from './provider-limits.js';
import { WireToolbox } from './wire-toolbox.js';

const DESCRIPTION = 'Refund an invoice.\n\nExamples:\n- Half of it. (minimal): {"amount":5,"id":"i1"}';

describe('a description with examples', () => {
  let world: OpenToolbox;
  afterEach(() => world.close());
  beforeEach(async () => {
    const billing = new FakeSource(
      'billing',
      [
        {
          name: 'refund',
          description: 'Refund an invoice.',
          inputSchema: { type: 'object', properties: { id: { type: 'string' }, amount: { type: 'number' } } },
          examples: [{ args: { id: 'i1', amount: 5 }, description: 'Half of it.', tags: ['minimal'] }],
        },
      ],
      { loading: 'always' },
    );
    world = await openToolbox({
      sources: [billing],
      options: { exposure: 'deferred', examples: { inDefinitions: true } },
    });
  });

  it('reaches the model through a wire toolbox', async () => {
    const { tools } = await new WireToolbox(world.toolbox, ANY_PROVIDER_LIMITS).step();
    expect(tools.find(({ name }) => name === 'billing__refund')?.description).toBe(DESCRIPTION);
  });

  it('reaches the model through the AI SDK', async () => {
    const shown: unknown[] = [];
    const model = new MockLanguageModelV4({
      doGenerate: async ({ tools }) => {
        shown.push(tools?.find(({ name }) => name === 'billing__refund'));
        return {
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never,
          warnings: [],
        };
      },
    });
    await generateText({ model, prompt: 'x', ...(await aiSdk(world.toolbox)) });
    expect(shown).toMatchObject([{ description: DESCRIPTION }]);
  });
});
