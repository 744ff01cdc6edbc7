import { OpenAI } from 'openai';
import { openai } from '@tool-search/agents/openai';
import {
  FakeSource,
  type FakeSourceTool,
  type OpenToolbox,
  openToolbox,
  say,
  ScriptedModel,
} from '@tool-search/core/testing';
import type { AskModel } from '@tool-search/agents/plain';
import { replyInOwnLoop, replyPlainly, replyWithOpenAi } from '../readme/loops.js';
import type { Script } from '../support/adapters/adapter-driver.js';
import { OpenAiChatServer, type PlayedConversation } from '../support/adapters/openai/openai-chat-server.js';

type Message = OpenAI.Chat.ChatCompletionMessageParam;

let server: OpenAiChatServer;
let world: OpenToolbox;
let crm: FakeSource;
/** Implementation of `list_contacts`, set by each test. */
let list: NonNullable<FakeSourceTool['run']>;
beforeAll(async () => {
  server = await OpenAiChatServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  list = ({ page }) => `page ${String(page)}`;
  crm = new FakeSource('crm', [
    { name: 'list_contacts', description: 'Lists contacts.', run: (...asked) => list(...asked) },
    { name: 'create_contact', description: 'Creates a contact.' },
  ]);
  world = await openToolbox({
    sources: [crm],
    options: { exposure: { mode: 'deferred', hints: { enabled: true, topK: 1 } } },
  });
});
afterEach(() => world.close());

const playing = (script: Script) => {
  const played = server.play(script);
  const client = new OpenAI({ apiKey: played.apiKey, baseURL: server.baseUrl, maxRetries: 0 });
  return { played, client };
};
const ask = (text: string): Message[] => [{ role: 'user', content: text }];
const model = 'gpt-6-sol';
const weather: OpenAI.Chat.ChatCompletionTool = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: {} } },
};
const messagesOf = (played: PlayedConversation, step: number) =>
  (played.bodies[step] as { messages: Message[] }).messages;

describe('openai(toolbox)', () => {
  it('runs a conversation in which tools are found, called in parallel and answered in order', async () => {
    // The second page arrives first.
    let secondIsThere = () => {};
    const second = new Promise<void>((done) => (secondIsThere = done));
    list = async ({ page }) => {
      if (page === 1) await second;
      else secondIsThere();
      return `page ${String(page)}`;
    };
    const { played, client } = playing(
      new ScriptedModel([
        say.search('list contacts'),
        say.parallel(say.call('crm.list_contacts', { page: 1 }), say.call('crm.list_contacts', { page: 2 })),
        ({ results }) => say.answer(results.map(({ text }) => text).join(', ')),
      ]).reply,
    );
    const run = await openai(world.toolbox).run(client, { model, messages: ask('contacts, please') });
    expect(run).toMatchObject({ text: 'page 1, page 2', stopped: 'answer', pending: [] });
    expect(played.turns.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['tool_search', 'tool_get'],
      ['tool_search', 'tool_get', 'crm__list_contacts', 'crm__create_contact'],
      ['tool_search', 'tool_get', 'crm__list_contacts', 'crm__create_contact'],
    ]);
    // Texts use the names that the model can call.
    expect(played.turns[1]?.results[0]?.text).toContain('"crm__list_contacts"');
    expect(run.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
  });

  it.each([
    ['system', ['system', 'system', 'user', 'assistant', 'tool']],
    ['end', ['system', 'user', 'assistant', 'tool', 'system']],
    ['none', ['system', 'user', 'assistant', 'tool']],
  ] as const)('puts prompt parts in place %s, anew at every step', async (prompt, roles) => {
    const { played, client } = playing(new ScriptedModel([say.search('contacts'), say.answer('ok')]).reply);
    const messages: Message[] = [{ role: 'system', content: 'Be kind.' }, ...ask('list contacts')];
    const run = await openai(world.toolbox, { prompt }).run(client, { model, messages });
    expect(messagesOf(played, 1).map(({ role }) => role)).toEqual(roles);
    const said = JSON.stringify(messagesOf(played, 1));
    expect(said.split('<tool_hints>')).toHaveLength(prompt === 'none' ? 1 : 2);
    expect(JSON.stringify(run.messages)).not.toContain('<tool_hints>');
    if (prompt !== 'none') expect(said).toContain('- crm__list_contacts: Lists contacts.');
  });

  it('speaks as a developer where the caller does', async () => {
    const { messages } = await openai(world.toolbox).request([
      { role: 'developer', content: 'Be kind.' },
      ...ask('hi'),
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['developer', 'developer', 'user']);
  });

  it('refuses arguments that are not JSON, for any tool name', async () => {
    const { played, client } = playing((_turn, step) =>
      step === 0
        ? {
            calls: [
              { name: 'crm__list_contacts', arguments: '{"page": 1' },
              { name: 'crm__nothing', arguments: '{"page": 1' },
              { name: 'crm__create_contact', arguments: '' },
            ],
          }
        : { text: 'sorry' },
    );
    await openai(world.toolbox).run(client, { model, messages: ask('go') });
    const [known, unknown, empty] = played.turns[1]!.results;
    expect(JSON.parse(known!.text)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
    expect(unknown!.text).toBe(known!.text);
    expect(empty!.text).toBe('done');
    expect(crm.calls.map(({ name, input }) => [name, input])).toEqual([['create_contact', {}]]);
  });

  it("runs the caller's own functions beside the toolbox's tools", async () => {
    const { played, client } = playing(
      new ScriptedModel([say.parallel(say.blindly('weather', { city: 'Oslo' }), say.blindly('crm.create_contact'))])
        .reply,
    );
    const seen: unknown[] = [];
    const functions: NonNullable<Parameters<typeof openai>[1]>['functions'] = {
      weather: (input, { id }) => {
        seen.push(input, id.startsWith('call_'));
        return { sky: 'clear' };
      },
    };
    const run = await openai(world.toolbox, { functions }).run(client, {
      model,
      messages: ask('go'),
      tools: [weather],
    });
    expect(run.stopped).toBe('answer');
    expect(seen).toEqual([{ city: 'Oslo' }, true]);
    expect(played.turns[0]?.tools.map(({ name }) => name)).toEqual(['weather', 'tool_search', 'tool_get']);
    expect(played.turns[1]?.results).toEqual([
      { name: 'weather', text: '{"sky":"clear"}' },
      { name: 'crm__create_contact', text: 'done' },
    ]);
  });

  it("leaves calls of the caller's own tools to the caller, and goes on when they are answered", async () => {
    const { client } = playing(
      new ScriptedModel([
        say.parallel(say.blindly('weather'), say.blindly('crm.create_contact')),
        ({ results }) => say.answer(results.map(({ name }) => name).join()),
      ]).reply,
    );
    const chat = openai(world.toolbox, { tools: [weather] });
    const first = await chat.run(client, { model, messages: ask('go') });
    expect(first).toMatchObject({ stopped: 'pending', text: '' });
    expect(first.pending.map((call) => call.type === 'function' && call.function.name)).toEqual(['weather']);
    expect(crm.calls).toHaveLength(1);
    const answered = first.pending.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'rain' }));
    const second = await chat.run(client, { model, messages: [...first.messages, ...answered] });
    expect(second).toMatchObject({ stopped: 'answer', text: 'weather,crm__create_contact' });
  });

  it('leaves custom tool calls to the caller', async () => {
    const call = { id: 'call_1', type: 'custom' as const, custom: { name: 'code', input: 'print()' } };
    const chat = openai(world.toolbox);
    expect(await chat.answer({ tool_calls: [call] })).toEqual([]);
    expect(chat.pending({ tool_calls: [call] })).toEqual([call]);
    expect(await chat.answer({})).toEqual([]);
  });

  it('refuses an own tool that is named like a meta tool', async () => {
    const tools = [{ ...weather, function: { name: 'tool_search' } }] as OpenAI.Chat.ChatCompletionTool[];
    await expect(openai(world.toolbox, { tools }).request(ask('hi'))).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });

  it('sends no tools where there are none', async () => {
    const { toolbox, close } = await openToolbox({ options: { exposure: 'all' } });
    const { played, client } = playing(new ScriptedModel([say.answer('hello')]).reply);
    expect(await openai(toolbox).run(client, { model, messages: ask('hi') })).toMatchObject({ text: 'hello' });
    expect(played.bodies[0]).toEqual({ model, messages: ask('hi') });
    await close();
  });

  it('ends after as many steps as it may take', async () => {
    const { played, client } = playing(() => ({ calls: [{ name: 'crm__list_contacts', arguments: {} }] }));
    const run = await openai(world.toolbox).run(client, { model, messages: ask('go') }, { maxSteps: 3 });
    expect(run).toMatchObject({ stopped: 'max_steps', text: '' });
    expect(played.turns).toHaveLength(3);
    expect(run.messages.at(-1)).toMatchObject({ role: 'tool' });
    await expect(openai(world.toolbox).run(client, { model, messages: [] }, { maxSteps: 0 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('ends with the signal, which running tools get', async () => {
    const stop = new AbortController();
    let told = false;
    list = (_input, _context, { signal }) => {
      signal.addEventListener('abort', () => (told = true));
      stop.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    const { played, client } = playing(() => ({ calls: [{ name: 'crm__list_contacts', arguments: {} }] }));
    const run = openai(world.toolbox).run(client, { model, messages: ask('go') }, { signal: stop.signal });
    await expect(run).rejects.toThrow('enough');
    expect([told, played.turns.length]).toEqual([true, 1]);
  });
});

describe('the loops of the README', () => {
  const steps = () => new ScriptedModel([say.call('crm.list_contacts', { page: 1 }), say.answer('That is all.')]);

  it.each([replyWithOpenAi, replyInOwnLoop])('%p', async (reply) => {
    const { client } = playing(steps().reply);
    expect(await reply(client, world.toolbox, 'contacts, please')).toBe('That is all.');
    expect(crm.calls.map(({ input }) => input)).toEqual([{ page: 1 }]);
  });

  it('plain', async () => {
    const model = steps();
    const ask: AskModel = ({ tools, prompt }) => {
      const said = model.reply({ tools, instructions: prompt, results: [] });
      return 'text' in said ? said : { calls: said.calls.map(({ name, arguments: input }) => ({ name, input })) };
    };
    expect(await replyPlainly(ask, world.toolbox, 'contacts, please')).toBe('That is all.');
    expect(crm.calls).toHaveLength(1);
  });
});

describe('the fake server of OpenAI', () => {
  const user = { role: 'user', content: 'hi' };
  const call = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } });
  const calling = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'rain' });
  const tool = (definition: object) => ({ type: 'function', function: { name: 'weather', ...definition } });
  const body = (of: object) => ({ model, messages: [user], ...of });

  it.each([
    ['an unknown parameter', body({ tool_search: true })],
    ['no messages', { model }],
    ['an unknown role', body({ messages: [{ role: 'robot', content: 'hi' }] })],
    ['content that is no text', body({ messages: [{ role: 'user', content: 7 }] })],
    [
      'an image from a tool',
      body({ messages: [user, calling('a'), { ...result('a'), content: [{ type: 'image_url' }] }] }),
    ],
    ['a call without an answer', body({ messages: [user, calling('a', 'b'), result('a'), user] })],
    ['a call without an answer at the end', body({ messages: [user, calling('a')] })],
    ['an answer to nothing', body({ messages: [user, result('a')] })],
    ['two answers to one call', body({ messages: [user, calling('a'), result('a'), result('a')] })],
    ['an answer after something else', body({ messages: [user, calling('a'), user, result('a')] })],
    ['an empty list of tools', body({ tools: [] })],
    ['a name with a dot', body({ tools: [tool({ name: 'crm.list' })] })],
    ['a name of 65 characters', body({ tools: [tool({ name: 'a'.repeat(65) })] })],
    ['129 tools', body({ tools: Array.from({ length: 129 }, (_, n) => tool({ name: `t${n}` })) })],
    ['one name twice', body({ tools: [tool({}), tool({})] })],
    ['a choice at the root', body({ tools: [tool({ parameters: { type: 'object', properties: {}, anyOf: [] } })] })],
    ['a root that is no object', body({ tools: [tool({ parameters: { properties: {} } })] })],
    ['an object without properties', body({ tools: [tool({ parameters: { type: 'object' } })] })],
    [
      'a list of nothing',
      body({ tools: [tool({ parameters: { type: 'object', properties: { a: { items: { type: 'array' } } } } })] }),
    ],
    ['a tool choice without tools', body({ tool_choice: 'auto' })],
  ])('refuses %s', async (_what, request) => {
    const { played, client } = playing(() => ({ text: 'hello' }));
    const sent = client.chat.completions.create(request as OpenAI.Chat.ChatCompletionCreateParamsNonStreaming);
    await expect(sent).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    expect([played.turns.length, played.faults.length]).toEqual([0, 1]);
  });

  it('takes what is right, and no key but its own', async () => {
    const { client } = playing(({ results }) => ({ text: results.map(({ name }) => name).join() }));
    const messages = [user, calling('a', 'b'), result('b'), result('a'), user] as Message[];
    const { choices } = await client.chat.completions.create({ model, messages, tools: [weather] });
    expect(choices[0]?.message.content).toBe('weather,weather');
    const stranger = new OpenAI({ apiKey: 'sk-other', baseURL: server.baseUrl, maxRetries: 0 });
    await expect(stranger.chat.completions.create({ model, messages })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
  });
});
