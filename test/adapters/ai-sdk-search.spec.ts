import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { jsonSchema, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { withBuiltInSearch } from '../readme/agents.js';

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function call(toolName: string, input: unknown): Reply {
  const content = [{ type: 'tool-call' as const, toolCallId: 'c', toolName, input: JSON.stringify(input) }];
  return { content, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
}

function say(text: string): Reply {
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
}

/** The names that the provider received, step by step. */
function listed(model: MockLanguageModelV4): readonly (readonly string[])[] {
  return model.doGenerateCalls.map(({ tools }) => (tools ?? []).map(({ name }) => name));
}

const own = {
  parcelShop: tool({
    description: 'Where is the next parcel shop?',
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => 'round the corner',
  }),
};

function world() {
  const post = new FakeSource('post', [
    { name: 'track', description: 'Track a parcel.', run: () => 'in Berlin' },
    { name: 'lose', description: 'Lose a parcel.' },
  ]);
  return openToolbox({ sources: [post], policy: { deny: ['post.lose'] } }).then((app) => ({ ...app, post }));
}

describe('toolSearch() of the AI SDK with the search of a toolbox', () => {
  it("lists what the search finds, the application's tools and the toolbox's, and never a hidden one", async () => {
    const { toolbox, post } = await world();
    const model = new MockLanguageModelV4({
      doGenerate: [call('search', { query: 'track my parcel' }), call('post__track', {}), say('It is in Berlin.')],
    });
    const { text, steps } = await withBuiltInSearch(toolbox, model, own, 'Where is my parcel?');
    expect(text).toBe('It is in Berlin.');
    expect(steps[0]?.toolResults[0]?.output).toEqual({
      tools: [
        { name: 'post__track', description: 'Track a parcel.' },
        { name: 'parcelShop', description: 'Where is the next parcel shop?' },
      ],
    });
    expect(listed(model)[0]).toEqual(['search']);
    expect(listed(model)[1]?.toSorted()).toEqual(['parcelShop', 'post__track', 'search']);
    expect(post.calls).toHaveLength(1);
  });

  it('neither finds nor calls a tool that is switched off during the generation', async () => {
    const { toolbox, post, killSwitches } = await world();
    const replies = [
      call('search', { query: 'track my parcel' }),
      call('search', { query: 'track' }),
      call('post__track', {}),
      say('I cannot.'),
    ];
    let step = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        const off = { kind: 'tool', value: 'post.track', reason: 'broken', actor: 'olga' } as const;
        if (step === 1) await killSwitches.engage(off);
        return replies[step++]!;
      },
    });
    const { steps } = await withBuiltInSearch(toolbox, model, own, 'Where is my parcel?');
    expect(JSON.stringify(steps[1]?.toolResults[0]?.output)).not.toContain('track');
    expect(steps[2]?.toolResults[0]?.output).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(post.calls).toEqual([]);
  });
});
