import type { ToolSearchModuleOptions } from '@tool-search/core';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { aiSdk } from './ai-sdk.js';

describe('aiSdk', () => {
  it('shows what is always loaded and the meta tools first, and a found tool from the next step on', async () => {
    const { toolbox, calls } = await world();
    const model = script([search('track a parcel')], [call('post__track', { id: 'p1' })], 'It is in Berlin.');

    const { text } = await generateText({
      model,
      prompt: 'Where is p1?',
      stopWhen: stepCountIs(9),
      ...(await aiSdk(toolbox)),
    });

    expect(text).toBe('It is in Berlin.');
    expect(listed(model)).toEqual([
      ['tool_search', 'tool_get', 'clock__now'],
      ['tool_search', 'tool_get', 'clock__now', 'post__track'],
      ['tool_search', 'tool_get', 'clock__now', 'post__track'],
    ]);
    expect(calls()).toEqual([['track', { id: 'p1' }]]);
    expect(outputs(model)).toContainEqual({ type: 'text', value: 'in Berlin' });
  });

  it('works the same with streamText', async () => {
    const { toolbox, calls } = await world();
    const model = script([search('track a parcel')], [call('post__track', { id: 'p1' })], 'In Berlin.');

    const result = streamText({ model, prompt: 'Where is p1?', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(await result.text).toBe('In Berlin.');
    expect(listed(model).at(-1)).toEqual(['tool_search', 'tool_get', 'clock__now', 'post__track']);
    expect(calls()).toEqual([['track', { id: 'p1' }]]);
  });

  it('appends new tools after those that were listed before, also if the catalog sorts them first', async () => {
    const { toolbox } = await world();
    const model = script([search('track a parcel')], [search('add a calendar event')], 'done');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(listed(model).map((names) => names.slice(3))).toEqual([[], ['post__track'], ['post__track', 'agenda__add']]);
  });

  it('drops a tool that is denied in the middle of a run, and answers a late call like one of an unknown tool', async () => {
    const { toolbox, policies, calls } = await world();
    const model = script(
      [search('track a parcel')],
      () => {
        policies.setTenant('acme', { deny: ['post.*'] });
        return [call('post__track', { id: 'p1' })];
      },
      [call('post__track', { id: 'p1' }), call('no__such', {})],
      'I cannot.',
    );

    const { text } = await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(text).toBe('I cannot.');
    expect(listed(model).map((names) => names.includes('post__track'))).toEqual([false, true, false, false]);
    expect(calls()).toEqual([]);
    const [late, denied, unknown] = outputs(model).slice(-3);
    expect(late).toMatchObject({ type: 'error-json', value: { ok: false, code: 'TOOL_NOT_AVAILABLE' } });
    expect([denied, unknown]).toEqual([late, late]);
  });

  it('lets a model call a visible tool that is not listed', async () => {
    const { toolbox, calls } = await world();
    const model = script([call('post__track', { id: 'p1' })], 'done');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(calls()).toEqual([['track', { id: 'p1' }]]);
    expect(listed(model)).toEqual([
      ['tool_search', 'tool_get', 'clock__now'],
      ['tool_search', 'tool_get', 'clock__now', 'post__track'],
    ]);
  });

  it('lets a model call an unlisted tool while streaming, too', async () => {
    const { toolbox, calls } = await world();
    const model = script([call('post__track', { id: 'p1' })], 'done');

    const result = streamText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(await result.text).toBe('done');
    expect(calls()).toEqual([['track', { id: 'p1' }]]);
  });

  it('offers a tool that entered the catalog during the run', async () => {
    const { toolbox, catalog } = await world();
    const settings = await aiSdk(toolbox);
    const zoo = new FakeSource('zoo', [{ name: 'feed', description: 'Feed an animal of the zoo.' }]);
    await catalog.add(zoo);
    const model = script([search('feed an animal')], [call('zoo__feed', {})], 'done');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...settings });

    expect(listed(model).at(-1)).toContain('zoo__feed');
    expect(zoo.calls).toHaveLength(1);
  });

  it('shows a tool as it is since it changed in the middle of a run, also to who has copied the tools', async () => {
    const post = new FakeSource('post', [{ name: 'track', description: 'Track a parcel.' }], { loading: 'always' });
    const { toolbox, catalog } = await openToolbox({ sources: [post] });
    const { tools, ...settings } = await aiSdk(toolbox);
    const model = script(() => {
      post.setTools([{ name: 'track', description: 'Track a letter.' }]);
      return [search('parcel')];
    }, 'done');
    const prepareStep: typeof settings.prepareStep = async (step) => {
      await catalog.refresh();
      return settings.prepareStep(step);
    };
    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...settings, tools: { ...tools }, prepareStep });
    const described = model.doGenerateCalls.map(({ tools: shown }) => JSON.stringify(shown));
    expect(described).toEqual([expect.stringContaining('a parcel'), expect.stringContaining('a letter')]);
  });

  it('runs parallel calls of one step', async () => {
    const { toolbox, calls } = await world();
    const model = script([call('post__track', { id: 'a' }), call('post__track', { id: 'b' }), search('event')], 'done');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(calls()).toEqual([
      ['track', { id: 'a' }],
      ['track', { id: 'b' }],
    ]);
    expect(results(model).map(({ toolCallId }) => toolCallId)).toEqual(['call-0', 'call-1', 'call-2']);
  });

  it('hands faults to the model as coded outputs and goes on', async () => {
    const { toolbox } = await world();
    const model = script(
      [call('post__track', { id: 7 }), call('post__lose', {}), call('post__track', '{"id":'), call('tool_get', {})],
      'done',
    );

    const { text } = await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(text).toBe('done');
    const byCall = new Map(results(model).map((part) => [part.toolCallId, part.output]));
    expect(byCall.get('call-0')).toMatchObject({ type: 'error-json', value: { ok: false, code: 'INVALID_ARGUMENTS' } });
    expect(byCall.get('call-1')).toMatchObject({
      type: 'error-json',
      value: { ok: false, code: 'TOOL_FAILED', content: 'lost it' },
    });
    expect(byCall.get('call-2')).toMatchObject({ type: 'error-text' });
    expect(byCall.get('call-3')).toMatchObject({ type: 'error-json', value: { ok: false, code: 'INVALID_ARGUMENTS' } });
  });

  it('adds the next step to the answer of an empty and of a repeated search', async () => {
    const { toolbox } = await world();
    const model = script([search('brew some tea')], [search('Brew some tea')], 'I cannot.');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    const replies = results(model).map(({ output }) => JSON.parse((output as { value: string }).value));
    expect(replies).toMatchObject([
      { verdict: 'none', notice: 'no tool fits this search', hint: expect.stringContaining('search once more') },
      {
        verdict: 'none',
        notice: expect.stringContaining('before, in vain'),
        hint: expect.stringMatching(/^Do not repeat/),
      },
    ]);
  });

  it('gives up a call when the run is aborted', async () => {
    const { toolbox, waiting } = await world();
    const abort = new AbortController();
    const model = script([call('post__wait', {})], 'done');
    const run = generateText({
      model,
      prompt: 'x',
      stopWhen: stepCountIs(9),
      abortSignal: abort.signal,
      ...(await aiSdk(toolbox)),
    });

    const signal = await waiting;
    expect(signal.aborted).toBe(false);
    abort.abort(new Error('enough'));

    await expect(run).rejects.toThrow('enough');
    expect(signal.aborted).toBe(true);
  });

  it('sends structured results that have no text, and a sentence for an empty result', async () => {
    const { toolbox } = await world();
    const model = script([call('agenda__add', {}), call('agenda__clear', {})], 'done');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(outputs(model)).toEqual([
      { type: 'json', value: { id: 7 } },
      { type: 'text', value: 'The tool ran and returned nothing.' },
    ]);
  });

  it('sends images as files', async () => {
    const { toolbox } = await world();
    const model = script([call('post__photo', {})], 'done');

    await generateText({ model, prompt: 'x', stopWhen: stepCountIs(9), ...(await aiSdk(toolbox)) });

    expect(outputs(model)).toEqual([
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a parcel' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
        ],
      },
    ]);
  });

  it('shows everything and no meta tools in the mode "all"', async () => {
    const { toolbox } = await world('all');
    const model = script('done');

    await generateText({ model, prompt: 'x', ...(await aiSdk(toolbox)) });

    const names = (await toolbox.visible()).map(({ name }) => name.replace('.', '__'));
    expect(listed(model)).toEqual([names]);
    expect(system(model)).toEqual([]);
  });

  describe('beside the caller’s own settings', () => {
    const weather = tool({
      description: 'Weather.',
      inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
      execute: ({ city }) => `sun in ${city}`,
    });
    const lamp = tool({ description: 'Lamp.', inputSchema: jsonSchema({ type: 'object' }), execute: () => 'on' });

    it('keeps own tools registered, active and first', async () => {
      const { toolbox } = await world();
      const model = script([call('weather', { city: 'Rome' }), search('track a parcel')], 'done');

      const result = await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { tools: { weather, lamp } })),
      });

      expect(listed(model)).toEqual([
        ['weather', 'lamp', 'tool_search', 'tool_get', 'clock__now'],
        ['weather', 'lamp', 'tool_search', 'tool_get', 'clock__now', 'post__track'],
      ]);
      expect(result.steps[0]?.toolResults[0]?.output).toBe('sun in Rome');
    });

    it('limits own tools to the caller’s activeTools', async () => {
      const { toolbox } = await world();
      const model = script('done');

      await generateText({
        model,
        prompt: 'x',
        ...(await aiSdk(toolbox, { tools: { weather, lamp }, activeTools: ['lamp'] })),
      });

      expect(listed(model)).toEqual([['lamp', 'tool_search', 'tool_get', 'clock__now']]);
    });

    it('merges what the caller’s prepareStep returns', async () => {
      const { toolbox } = await world();
      const first = script('unused');
      const second = script([search('track a parcel')], 'done');
      const seen: unknown[] = [];

      await generateText({
        model: first,
        instructions: 'Be kind.',
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, {
          tools: { weather, lamp },
          prepareStep: ({ stepNumber, instructions }) => {
            seen.push(instructions);
            return {
              model: second,
              temperature: 0.5,
              ...(stepNumber === 0
                ? { activeTools: ['weather'], toolChoice: 'required', instructions: 'Be brief.' }
                : { activeTools: [] }),
            };
          },
        })),
      });

      expect(first.doGenerateCalls).toEqual([]);
      expect(second.doGenerateCalls.map(({ toolChoice, temperature }) => [toolChoice, temperature])).toEqual([
        [{ type: 'required' }, 0.5],
        [{ type: 'auto' }, 0.5],
      ]);
      expect(listed(second)).toEqual([
        ['weather', 'tool_search', 'tool_get', 'clock__now'],
        ['tool_search', 'tool_get', 'clock__now', 'post__track'],
      ]);
      expect(seen).toEqual(['Be kind.', 'Be brief.']);
      expect(system(second)[0]).toMatch(/^Be brief\.\n\nMost tools are not listed/);
      expect(system(second)[1]).toBe(system(second)[0]);
    });

    it('puts what the caller orders first, and keeps its own order behind it', async () => {
      const { toolbox } = await world();
      const model = script([search('track a parcel')], 'done');

      await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { tools: { weather, lamp }, prepareStep: () => ({ toolOrder: ['lamp'] }) })),
      });

      expect(listed(model).at(-1)).toEqual(['lamp', 'weather', 'tool_search', 'tool_get', 'clock__now', 'post__track']);
    });

    it('leaves calls of own tools that cannot be read to the caller’s repair', async () => {
      const { toolbox } = await world();
      const model = script([call('weather', '{"city": "Rome"')], 'done');

      await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, {
          tools: { weather },
          repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: `${toolCall.input}}` }),
        })),
      });

      expect(outputs(model)).toEqual([{ type: 'text', value: 'sun in Rome' }]);
    });

    it('does not run own tools that are not active', async () => {
      const { toolbox } = await world();
      const model = script([call('lamp', {})], 'done');

      await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { tools: { lamp }, activeTools: [] })),
      });

      expect(outputs(model)).toMatchObject([{ type: 'error-text' }]);
    });

    it('gives another wire name to a tool whose name the caller has taken', async () => {
      const { toolbox, calls } = await world();
      const model = script([call('clock__now', {}), call('clock__now_2', {})], 'done');

      await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { tools: { clock__now: lamp } })),
      });

      expect(listed(model)[0]).toEqual(['clock__now', 'tool_search', 'tool_get', 'clock__now_2']);
      expect(outputs(model)).toEqual([
        { type: 'text', value: 'on' },
        { type: 'text', value: 'noon' },
      ]);
      expect(calls()).toEqual([['now', {}]]);
    });

    it('refuses an own tool that is named like a meta tool', async () => {
      const { toolbox } = await world();
      await expect(aiSdk(toolbox, { tools: { tool_search: lamp } })).rejects.toMatchObject({
        code: 'INVALID_CONFIGURATION',
      });
    });

    it('knows what meta tools are called', async () => {
      const { toolbox } = await world({ mode: 'deferred', metaTools: { search: 'find_tools' } });
      await expect(aiSdk(toolbox, { tools: { find_tools: lamp } })).rejects.toThrow(
        /named find_tools, like a meta tool/,
      );
      expect((await aiSdk(toolbox, { tools: { tool_search: lamp } })).tools).toHaveProperty('tool_search', lamp);
    });
  });

  describe('native', () => {
    it('declares found tools as deferred and refers to them, for Anthropic’s models', async () => {
      const { toolbox, policies } = await world();
      const model = script(
        [search('track a parcel')],
        () => {
          policies.setTenant('acme', { deny: ['post.track'] });
          return [search('calendar event')];
        },
        'done',
      );
      Object.assign(model, { provider: 'anthropic.messages' });

      await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { mode: 'native' })),
      });

      const held = model.doGenerateCalls.map(({ tools = [] }) =>
        tools.flatMap((tool) => (tool.type === 'function' && tool.providerOptions?.['anthropic'] ? [tool.name] : [])),
      );
      expect(held).toEqual([[], ['post__track'], ['agenda__add']]);
      expect(results(model).map(({ output }) => output)).toEqual([
        { type: 'content', value: [{ type: 'text', text: 'post__track is no longer available.' }] },
        {
          type: 'content',
          value: [
            { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName: 'agenda__add' } } },
          ],
        },
      ]);
    });

    it('loads what was found behind the result that found it, where the model is one of OpenAI’s Responses', async () => {
      const { toolbox, policies } = await world();
      const model = script(
        [search('track a parcel')],
        [search('calendar event')],
        () => {
          policies.setTenant('acme', { deny: ['post.track'] });
          return [call('agenda__add', {})];
        },
        'done',
      );
      Object.assign(model, { provider: 'openai.responses' });
      const { tools, ...settings } = await aiSdk(toolbox, { mode: 'native' });

      const { textStream } = streamText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        tools: { ...tools },
        ...settings,
      });
      for await (const _ of textStream);

      const sent = model.doStreamCalls.map(({ tools: shown = [], prompt }) => {
        const parts = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
        const loaded = parts.map(({ providerOptions }) => providerOptions?.['openai']?.['additionalTools'] ?? []);
        return {
          declared: shown.flatMap((tool) =>
            tool.type === 'function' && !tool.providerOptions?.['openai'] ? [tool.name] : [],
          ),
          loaded: (loaded as { name: string }[][]).map((each) => each.map(({ name }) => name)),
        };
      });
      const declared = ['tool_search', 'tool_get', 'clock__now'];
      expect(sent).toEqual([
        { declared, loaded: [] },
        { declared, loaded: [['post__track']] },
        { declared, loaded: [['post__track'], ['agenda__add']] },
        { declared, loaded: [[], ['agenda__add'], []] },
      ]);
      expect(outputs(model)).toEqual([{ type: 'json', value: { id: 7 } }]);
    });

    it('continues with a model of another provider, in that provider’s form', async () => {
      const { toolbox } = await world();
      const steps = [
        [search('track a parcel')],
        [search('calendar event')],
        [call('post__track', { id: '7' })],
        'done',
      ];
      const providers = ['anthropic.messages', 'openai.responses', 'somebody', 'anthropic.messages'];
      const models = providers.map((provider, at) => Object.assign(script(steps[at]!), { provider }));
      await generateText({
        model: models[0]!,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, {
          mode: 'native',
          prepareStep: ({ stepNumber }) => ({ model: models[stepNumber]! }),
        })),
      });
      const sent = models.map(({ doGenerateCalls: [request] }) => JSON.stringify(request));
      const spoken = sent.map((json) =>
        ['deferLoading', 'tool-reference', 'omitFromRequestTools', 'additionalTools'].filter((word) =>
          json.includes(word),
        ),
      );
      expect(spoken).toEqual([[], ['omitFromRequestTools', 'additionalTools'], [], []]);
      expect(models.map((model) => listed(model)[0]?.slice(3))).toEqual([
        [],
        ['post__track'],
        ['post__track', 'agenda__add'],
        ['post__track', 'agenda__add'],
      ]);
    });

    it('is shown as deferred to other models', async () => {
      const { toolbox } = await world();
      const model = script([search('track a parcel')], 'done');

      await generateText({
        model,
        prompt: 'x',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { mode: 'native' })),
      });

      expect(listed(model)[1]).toContain('post__track');
      expect(JSON.stringify(model.doGenerateCalls)).not.toMatch(/deferLoading|tool-reference/);
    });
  });

  describe('instructions', () => {
    const hints = { mode: 'deferred', hints: { enabled: true }, directory: { enabled: true } } as const;

    it('carry guidance, directory and hints once, in every form of the caller’s instructions', async () => {
      const { toolbox } = await world(hints);
      for (const own of [undefined, 'Be kind.', { role: 'system' as const, content: 'Be kind.' }]) {
        const model = script([search('event')], [search('event')], 'done');
        const settings = await aiSdk(toolbox);
        const prompt = 'Track my parcel';
        await generateText({ model, prompt, stopWhen: stepCountIs(9), ...(own && { instructions: own }), ...settings });

        const texts = system(model);
        expect(texts).toHaveLength(3);
        for (const text of texts) {
          expect(text.startsWith('Be kind.')).toBe(own !== undefined);
          expect(text.match(/Most tools are not listed/g)).toHaveLength(1);
          expect(text.match(/<tool_directory>/g)).toHaveLength(1);
          expect(text).toMatch(/<tool_hints>[^]*post__track/);
        }
      }
    });

    it('leave out a tool as soon as it is denied', async () => {
      const { toolbox, policies } = await world(hints);
      const model = script(() => {
        policies.setTenant('acme', { deny: ['post.*'] });
        return [search('event')];
      }, 'done');

      await generateText({
        model,
        prompt: 'Track my parcel',
        instructions: 'Be kind.',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox)),
      });

      expect(system(model).map((text) => text.includes('post__'))).toEqual([true, false]);
      expect(system(model)[1]).toMatch(/^Be kind\.\n\nMost tools/);
    });

    it('can stand behind the last message, once', async () => {
      const { toolbox } = await world(hints);
      const model = script([search('event')], 'done');

      await generateText({
        model,
        prompt: 'Track my parcel',
        stopWhen: stepCountIs(9),
        ...(await aiSdk(toolbox, { prompt: 'end' })),
      });

      expect(system(model)).toEqual([]);
      for (const { prompt } of requests(model)) {
        expect(JSON.stringify(prompt.at(-1))).toContain('Most tools are not listed');
        expect(JSON.stringify(prompt).match(/Most tools are not listed/g)).toHaveLength(1);
      }
    });

    it('can be left to the caller', async () => {
      const { toolbox } = await world(hints);
      const model = script('done');

      await generateText({
        model,
        prompt: 'Track my parcel',
        instructions: 'Be kind.',
        ...(await aiSdk(toolbox, { instructions: false })),
      });

      expect(system(model)).toEqual(['Be kind.']);
    });
  });
});

type Reply = string | readonly ToolCallPart[];
interface ToolCallPart {
  readonly toolName: string;
  readonly input: string;
}

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

function call(toolName: string, input: unknown): ToolCallPart {
  return { toolName, input: typeof input === 'string' ? input : JSON.stringify(input) };
}

function search(query: string): ToolCallPart {
  return call('tool_search', { query, limit: 1 });
}

/** A model that gives these replies one after the other, generated or streamed. */
function script(...replies: readonly (Reply | (() => Reply))[]): MockLanguageModelV4 {
  let calls = 0;
  let step = 0;
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const next = () => {
    const reply = replies[step++];
    const said = typeof reply === 'function' ? reply() : (reply ?? 'the script is over');
    const content =
      typeof said === 'string'
        ? [{ type: 'text' as const, text: said }]
        : said.map((part) => ({ type: 'tool-call' as const, toolCallId: `call-${calls++}`, ...part }));
    const unified = typeof said === 'string' ? ('stop' as const) : ('tool-calls' as const);
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
  };
  return new MockLanguageModelV4({
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason } = next();
      const chunks = content.flatMap((part): StreamPart[] =>
        part.type === 'tool-call'
          ? [part]
          : [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: part.text },
              { type: 'text-end', id: 't' },
            ],
      );
      return { stream: simulateReadableStream({ chunks: [...chunks, { type: 'finish', finishReason, usage }] }) };
    },
  });
}

function requests(model: MockLanguageModelV4) {
  return [...model.doGenerateCalls, ...model.doStreamCalls];
}

/** Names of the tools the provider received, step by step. */
function listed(model: MockLanguageModelV4): string[][] {
  return requests(model).map(({ tools }) => (tools ?? []).map(({ name }) => name));
}

/** The system prompts that the provider received, step by step. */
function system(model: MockLanguageModelV4): string[] {
  return requests(model)
    .map(({ prompt }) => prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'))
    .filter((text) => text !== '');
}

/** Results of tool calls in the last request, oldest first. */
function results(model: MockLanguageModelV4) {
  return (requests(model).at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part] : [])) : [],
  );
}

function outputs(model: MockLanguageModelV4) {
  return results(model)
    .filter(({ toolName }) => toolName !== 'tool_search')
    .map(({ output }) => output);
}

/** A small catalog: `clock.now` is always loaded, everything else deferred. */
async function world(exposure: ToolSearchModuleOptions['exposure'] = 'deferred') {
  let running: (signal: AbortSignal) => void = () => undefined;
  const waiting = new Promise<AbortSignal>((resolve) => (running = resolve));
  const id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const clock = new FakeSource('clock', [{ name: 'now', description: 'The time now.', run: () => 'noon' }], {
    loading: 'always',
  });
  const post = new FakeSource('post', [
    { name: 'track', description: 'Track a parcel.', inputSchema: id, run: () => 'in Berlin' },
    {
      name: 'lose',
      description: 'Lose a letter.',
      run: () => ({ isError: true, content: [{ type: 'text', text: 'lost it' }] }),
    },
    {
      name: 'photo',
      description: 'Photo of a stamp.',
      run: () => ({
        content: [
          { type: 'text', text: 'a parcel' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      }),
    },
    {
      name: 'wait',
      description: 'Wait for the postman.',
      run: (_input, _context, { signal }) => {
        running(signal);
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  ]);
  const agenda = new FakeSource('agenda', [
    { name: 'add', description: 'Add a calendar event.', run: () => ({ content: [], structured: { id: 7 } }) },
    { name: 'clear', description: 'Clear the day.', run: () => undefined },
  ]);
  const { toolbox, policies, catalog } = await openToolbox({ sources: [agenda, clock, post], options: { exposure } });
  const calls = () => [...clock.calls, ...post.calls].map(({ name, input }) => [name, input]);
  return { toolbox, policies, catalog, calls, waiting };
}
