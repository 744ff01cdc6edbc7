import type { Message, MessageParam, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages';
import { FakeSource, openToolbox, type ToolboxSetup } from '@tool-search/core/testing';
import { anthropic, type AnthropicToolbox } from './anthropic.js';
import type { AnthropicClient } from './anthropic/anthropic-run.js';

describe('anthropic', () => {
  describe('request', () => {
    it('keeps the conversation as it is and adds tools and prompt', async () => {
      const { tools } = await world();
      const messages: MessageParam[] = [{ role: 'user', content: 'Where is p1?' }];

      const request = await tools.request({ messages, system: 'Be kind.' });

      expect(request.messages).toEqual(messages);
      expect(request.messages[0]).toBe(messages[0]);
      expect(request.system).toMatch(/^Be kind\.\n\nMost tools are not listed/);
      expect(names(request)).toEqual(['tool_search', 'tool_get', 'clock__now']);
      expect(request.tools?.at(-1)).toEqual({
        name: 'clock__now',
        description: 'The time now.',
        input_schema: expect.objectContaining({ type: 'object' }) as object,
      });
    });

    it('puts the prompt behind the last message, behind what tools have answered', async () => {
      const { tools } = await world({ prompt: 'end' });
      const asked: MessageParam = { role: 'user', content: 'Where is p1?' };
      const [reply, answer] = await exchange(tools, use('clock__now'));

      const first = await tools.request({ messages: [asked], system: 'Be kind.' });
      const second = await tools.request({ messages: [asked, reply, answer] });

      expect(first.system).toBe('Be kind.');
      expect(first.messages[0]?.content).toEqual([
        { type: 'text', text: 'Where is p1?' },
        { type: 'text', text: expect.stringMatching(/^Most tools/) as string },
      ]);
      expect(blockTypes(second.messages.at(-1))).toEqual(['tool_result', 'text']);
      expect(second.messages[0]).toBe(asked);
    });

    it('appends no message after a reply that is to be continued', async () => {
      const { tools } = await world({ prompt: 'end' });
      const messages: MessageParam[] = [
        { role: 'user', content: 'Go on.' },
        { role: 'assistant', content: 'I am' },
      ];
      expect((await tools.request({ messages })).messages).toEqual(messages);
    });

    it('leaves the prompt parts out with the option for it', async () => {
      const { tools } = await world({ prompt: 'none' });
      const request = await tools.request({ messages: [{ role: 'user', content: 'x' }] });
      expect(request).not.toHaveProperty('system');
      expect(request.messages).toEqual([{ role: 'user', content: 'x' }]);
    });

    it('finds hints for the newest text of the user, not for results of tools', async () => {
      const { tools } = await world({}, { options: { exposure: { mode: 'deferred', hints: { enabled: true } } } });
      const [reply, answer] = await exchange(tools, use('clock__now'));
      const messages: MessageParam[] = [{ role: 'user', content: 'Track a parcel' }, reply, answer];
      expect((await tools.request({ messages })).system).toContain('post__track');
    });

    it('marks the last tool that never changes and the end of the own prompt for the cache', async () => {
      const cacheControl = { type: 'ephemeral' } as const;
      const { tools } = await world({ cacheControl });
      await exchange(tools, use('tool_search', { query: 'track a parcel' }));

      const { tools: declared = [], system } = await tools.request({
        messages: [{ role: 'user', content: 'x' }],
        system: 'Be kind.',
      });

      expect(names({ tools: declared })).toEqual(['tool_search', 'tool_get', 'clock__now', 'post__track']);
      expect(declared.map((tool) => 'cache_control' in tool)).toEqual([false, false, true, false]);
      expect(system).toEqual([
        { type: 'text', text: 'Be kind.', cache_control: cacheControl },
        { type: 'text', text: expect.stringMatching(/^Most tools/) as string },
      ]);
    });

    it('lists tools that Anthropic runs first, and reserves their names', async () => {
      const search = { type: 'web_search_20250305' as const, name: 'web_search' as const };
      const web = new FakeSource('', [{ name: 'web_search', description: 'Ours.', run: () => 'ours' }], {
        loading: 'always',
      });
      const { tools } = await world({ tools: [search] }, { sources: [web] });

      const request = await tools.request({ messages: [{ role: 'user', content: 'x' }] });
      const [, answer] = await exchange(tools, use('web_search_2'));

      expect(request.tools?.[0]).toBe(search);
      expect(names(request)).toEqual(['web_search', 'tool_search', 'tool_get', 'web_search_2']);
      expect(answer.content).toMatchObject([{ content: 'ours' }]);
    });

    it('refuses an own tool that is named like a meta tool', async () => {
      const { toolbox } = await openToolbox();
      const own = [{ name: 'tool_search', input_schema: { type: 'object' as const } }];
      expect(() => anthropic(toolbox, { tools: own })).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIGURATION' }) as Error,
      );
    });
  });

  describe('native', () => {
    it('answers a search with references only, and declares only found tools, as deferred', async () => {
      const { tools } = await world({ mode: 'native' });
      const messages: MessageParam[] = [{ role: 'user', content: 'Where is p1?' }];

      const before = await tools.request({ messages });
      messages.push(...(await exchange(tools, use('tool_search', { query: 'track a parcel', limit: 1 }))));
      const after = await tools.request({ messages });

      expect(names(before)).toEqual(['tool_search', 'tool_get', 'clock__now']);
      expect(messages.at(-1)?.content).toMatchObject([
        { type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'post__track' }] },
      ]);
      expect(after.tools?.slice(0, 3)).toEqual(before.tools);
      expect(after.tools?.slice(3)).toMatchObject([{ name: 'post__track', defer_loading: true }]);
      expect(after.messages.at(-1)).toBe(messages.at(-1));
    });

    it('keeps what definitions do not say beside the references', async () => {
      const { tools } = await world({ mode: 'native' });
      const [, search] = await exchange(tools, use('tool_search', { query: 'track a parcel', limit: 999 }));
      const [, get] = await exchange(tools, use('tool_get', { names: ['post__track', 'no__such'] }));

      expect(said(search)).toEqual({ notice: expect.stringContaining('limit') as string });
      expect(said(get)).toEqual({
        tools: [{ name: 'post__track', sideEffects: 'external' }],
        unavailable: ['no__such'],
      });
      expect(JSON.stringify(get)).not.toContain('inputSchema');
    });

    it('answers an empty search with text', async () => {
      const { tools } = await world({ mode: 'native' });
      const [, answer] = await exchange(tools, use('tool_search', { query: 'zzzzz' }));
      expect(answer.content).toMatchObject([{ content: expect.stringContaining('"verdict":"none"') as string }]);
    });

    it('refers to no tool that is always listed', async () => {
      const { tools } = await world({ mode: 'native' });
      const [, answer] = await exchange(tools, use('tool_search', { query: 'time now', includeAlwaysLoaded: true }));
      expect(answer.content).toMatchObject([{ content: expect.stringContaining('clock__now') as string }]);
    });

    it('replaces references to removed tools by text, and keeps all other messages', async () => {
      const { tools, policies } = await world({ mode: 'native' });
      const messages: MessageParam[] = [{ role: 'user', content: 'x' }];
      messages.push(...(await exchange(tools, use('tool_search', { query: 'track a parcel', limit: 1 }))));
      policies.setTenant('acme', { deny: ['post.track'] });

      const request = await tools.request({ messages });

      expect(names(request)).not.toContain('post__track');
      expect(request.messages[2]?.content).toMatchObject([
        { content: [{ type: 'text', text: 'post__track is no longer available.' }] },
      ]);
      expect(request.messages.slice(0, 2)).toEqual(messages.slice(0, 2));
    });

    it('declares a tool openly that is active but that no message refers to', async () => {
      const { tools } = await world({ mode: 'native' });
      await exchange(tools, use('post__track', { id: 'p1' }));

      const request = await tools.request({ messages: [{ role: 'user', content: 'And now?' }] });

      expect(request.tools?.at(-1)).toMatchObject({ name: 'post__track' });
      expect(request.tools?.at(-1)).not.toHaveProperty('defer_loading');
    });

    it('is shown as deferred where the model cannot defer, and references of before become words', async () => {
      const { tools, toolbox } = await world({ mode: 'native' });
      const messages: MessageParam[] = [{ role: 'user', content: 'x' }];
      messages.push(...(await exchange(tools, use('tool_search', { query: 'track a parcel', limit: 1 }))));

      const request = await anthropic(toolbox, { mode: 'native', canDefer: false }).request({ messages });

      expect(names(request)).toContain('post__track');
      expect(JSON.stringify(request)).not.toMatch(/defer_loading|tool_reference/);
      expect(JSON.stringify(request.messages)).toContain('You can call post__track.');
    });
  });

  describe('answer', () => {
    it('answers in the order of the calls, whichever ends first', async () => {
      const { tools } = await world();
      const [, answer] = await exchange(tools, use('post__slow'), use('clock__now'));
      expect(answer.content).toEqual([
        { type: 'tool_result', tool_use_id: 'toolu_0', content: 'slow' },
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'noon' },
      ]);
    });

    it('marks refusals as errors and gives them with their code', async () => {
      const { tools } = await world();
      const [, answer] = await exchange(tools, use('no__such'), use('post__track', {}), use('post__lose'));
      const results = answer.content as { is_error?: boolean; content: string }[];
      expect(results.map(({ is_error: isError }) => isError)).toEqual([true, true, true]);
      expect(results.map(({ content }) => (JSON.parse(content) as { code: string }).code)).toEqual([
        'TOOL_NOT_AVAILABLE',
        'INVALID_ARGUMENTS',
        expect.any(String),
      ]);
      expect(results[2]?.content).toContain('lost it');
    });

    it('gives images the API knows as images, others as words, and never an empty text', async () => {
      const { tools } = await world();
      const [, answer] = await exchange(tools, use('post__photo'), use('post__nothing'));
      expect(answer.content).toMatchObject([
        {
          content: [
            { type: 'text', text: 'a parcel' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            { type: 'text', text: '[image image/tiff]' },
          ],
        },
        { content: 'The tool ran and returned nothing.' },
      ]);
    });
  });

  describe('run', () => {
    it('refuses a run without an end', async () => {
      const { toolbox } = await openToolbox();
      const client = { messages: { create: () => Promise.reject(new Error('asked')) } };
      for (const maxSteps of [0, NaN]) {
        const running = anthropic(toolbox).run(client, { model: 'm', max_tokens: 1, messages: [], maxSteps });
        await expect(running).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      }
    });

    it('ends where there are no steps left, with a conversation that can go on', async () => {
      const { tools } = await world();
      const client = scripted(
        [use('clock__now')],
        [{ type: 'text', text: 'Again.', citations: null }, use('clock__now')],
      );

      const run = await tools.run(client, { ...PARAMS, maxSteps: 2 });

      expect(run).toMatchObject({ steps: 2, text: 'Again.', message: { stop_reason: 'tool_use' } });
      expect(run.messages.at(-1)).toEqual({
        role: 'assistant',
        content: [{ type: 'text', text: 'Again.', citations: null }],
      });
      expect(client.requests).toHaveLength(2);
    });

    it('does not make calls of a reply that is cut off', async () => {
      const { tools, post } = await world();
      const client = scripted({ content: [use('post__track', { id: 'p' })], stop_reason: 'max_tokens' });

      const run = await tools.run(client, PARAMS);

      expect(run.message.stop_reason).toBe('max_tokens');
      expect(run.messages).toEqual(PARAMS.messages);
      expect(post.calls).toEqual([]);
    });

    it('lets a paused turn go on', async () => {
      const { tools } = await world();
      const paused = { content: [{ type: 'text' as const, text: 'Wait', citations: null }], stop_reason: 'pause_turn' };
      const client = scripted(paused as Partial<Message>, 'done');

      const run = await tools.run(client, PARAMS);

      expect(run.text).toBe('done');
      expect(client.requests[1]?.messages.at(-1)).toEqual({ role: 'assistant', content: paused.content });
    });

    it('gives up with its signal, the calls under way too', async () => {
      const { tools, post } = await world();
      const controller = new AbortController();
      const client = scripted([use('post__wait')]);
      void post.waiting.then(() => controller.abort(new Error('enough')));

      await expect(tools.run(client, { ...PARAMS, signal: controller.signal })).rejects.toThrow('enough');
      expect(client.requests).toHaveLength(1);
    });
  });
});

const PARAMS = { model: 'claude-test', max_tokens: 9, messages: [{ role: 'user' as const, content: 'x' }] };

type Params = Parameters<AnthropicClient['messages']['create']>[0];

function scripted(...replies: readonly (string | Message['content'] | Partial<Message>)[]) {
  const requests: Params[] = [];
  const messages = {
    create: async (params: Params): Promise<Message> => {
      const reply = replies[requests.push(params) - 1] ?? 'the script is over';
      if (typeof reply === 'string') {
        const content = [{ type: 'text', text: reply, citations: null }];
        return { content, stop_reason: 'end_turn' } as unknown as Message;
      }
      return (Array.isArray(reply) ? { content: reply, stop_reason: 'tool_use' } : reply) as Message;
    },
  };
  return { messages, requests };
}

function use(name: string, input: unknown = {}): ToolUseBlock {
  return { type: 'tool_use', id: '', name, input, caller: { type: 'direct' } };
}

async function exchange(tools: AnthropicToolbox, ...calls: ToolUseBlock[]) {
  const content = calls.map((block, index) => ({ ...block, id: `toolu_${index}` }));
  const answer = await tools.answer({ content });
  return [{ role: 'assistant' as const, content }, answer] as const;
}

function names({ tools = [] }: { tools?: readonly object[] }): (string | undefined)[] {
  return tools.map((tool) => ('name' in tool ? String(tool.name) : undefined));
}

function blockTypes(message: MessageParam | undefined): string[] {
  return typeof message?.content === 'string' ? [] : (message?.content ?? []).map(({ type }) => type);
}

/** The text before references, parsed as JSON. */
function said(answer: MessageParam): unknown {
  const [result] = answer.content as { content: { type: string; text?: string }[] }[];
  expect(result?.content.at(-1)?.type).toBe('tool_reference');
  return JSON.parse(result?.content[0]?.text ?? '');
}

async function world(options: Parameters<typeof anthropic>[1] = {}, setup: ToolboxSetup = {}) {
  let begin: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (begin = resolve));
  const id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const clock = new FakeSource('clock', [{ name: 'now', description: 'The time now.', run: () => 'noon' }], {
    loading: 'always',
  });
  const post = new FakeSource('post', [
    { name: 'track', description: 'Track a parcel.', inputSchema: id, run: () => 'in Berlin' },
    { name: 'lose', run: () => ({ isError: true, content: [{ type: 'text', text: 'lost it' }] }) },
    { name: 'nothing', run: () => undefined },
    { name: 'slow', run: () => new Promise((resolve) => setImmediate(resolve, 'slow')) },
    {
      name: 'photo',
      run: () => ({
        content: [
          { type: 'text', text: 'a parcel' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
          { type: 'image', data: 'aGk=', mimeType: 'image/tiff' },
        ],
      }),
    },
    {
      name: 'wait',
      run: (_input, _context, { signal }) => {
        begin();
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  ]);
  const { toolbox, policies } = await openToolbox({ sources: [clock, post], ...setup });
  return { tools: anthropic(toolbox, options), toolbox, policies, post: Object.assign(post, { waiting }) };
}
