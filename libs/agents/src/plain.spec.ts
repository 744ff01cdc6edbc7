import { FakeSource, type FakeSourceTool, type OpenToolbox, openToolbox } from '@tool-search/core/testing';
import { type AskModel, plain } from './plain.js';

let world: OpenToolbox;
let source: FakeSource;
let run: NonNullable<FakeSourceTool['run']>;
beforeEach(async () => {
  run = () => 'Ada';
  source = new FakeSource('crm', [{ name: 'list_contacts', run: (...asked) => run(...asked) }]);
  world = await openToolbox({ sources: [source] });
});
afterEach(() => world.close());

describe('plain', () => {
  it('asks until the model answers with text only, with the tools of each step', async () => {
    const seen: { tools: string[]; prompt: string; roles: string[] }[] = [];
    const replies = [
      { calls: [{ name: 'tool_search', input: { query: 'list contacts' }, id: 'c1' }] },
      {
        text: 'One moment.',
        calls: [{ name: 'crm__list_contacts' }, { name: 'crm__list_contacts', input: '{"page":2}' }],
      },
      { text: 'Ada.' },
    ];
    const ask: AskModel = ({ tools, prompt, messages }) => {
      seen.push({ tools: tools.map(({ name }) => name), prompt, roles: messages.map(({ role }) => role) });
      return replies[seen.length - 1]!;
    };
    const outcome = await plain(world.toolbox).run({ ask, text: 'Who is there?' });
    expect(outcome).toMatchObject({ text: 'Ada.', stopped: 'answer' });
    expect(source.calls.map(({ input }) => input)).toEqual([{}, { page: 2 }]);
    expect(seen.map(({ tools }) => tools)).toEqual([
      ['tool_search', 'tool_get'],
      ['tool_search', 'tool_get', 'crm__list_contacts'],
      ['tool_search', 'tool_get', 'crm__list_contacts'],
    ]);
    expect(seen[0]?.prompt).toContain('tool_search');
    expect(seen[2]?.roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'tool']);
    expect(outcome.messages[2]).toMatchObject({ role: 'tool', id: 'c1', name: 'tool_search', ok: true });
    expect(outcome.messages[4]).toMatchObject({ role: 'tool', text: 'Ada', ok: true });

    const more: AskModel = ({ messages }) => ({ text: String(messages.length) });
    const next = await plain(world.toolbox, { prompt: 'none' }).run({
      ask: more,
      text: 'And?',
      messages: outcome.messages,
    });
    expect(next.text).toBe(String(outcome.messages.length + 1));
  });

  it('runs no call whose arguments have a key twice', async () => {
    const ask: AskModel = () => ({ calls: [{ name: 'crm__list_contacts', input: '{"page":1,"page":1000}' }] });
    const { messages } = await plain(world.toolbox).run({ ask, text: 'go', maxSteps: 1 });
    expect(messages.at(-1)).toMatchObject({ role: 'tool', ok: false, text: expect.stringContaining('same key twice') });
    expect(source.calls).toEqual([]);
  });

  it('refuses arguments that are not JSON and unknown tools, and stops after maxSteps', async () => {
    const ask: AskModel = () => ({ calls: [{ name: 'crm__list_contacts', input: '{' }, { name: 'crm__nothing' }] });
    const { stopped, messages } = await plain(world.toolbox).run({ ask, text: 'go', maxSteps: 1 });
    expect(stopped).toBe('max_steps');
    const results = messages.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.text).code] : []));
    expect(results).toEqual(['INVALID_ARGUMENTS', 'TOOL_NOT_AVAILABLE']);
    await expect(plain(world.toolbox).run({ ask, text: 'go', maxSteps: 0 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('takes a large number as its text says, and refuses one that was rounded or has no text', async () => {
    const inputs = ['{"n":6.02e23}', '{"n":9007199254740993}', { n: 6.02e23 }];
    const ask: AskModel = () => ({ calls: inputs.map((input) => ({ name: 'crm__list_contacts', input })) });
    const { messages } = await plain(world.toolbox).run({ ask, text: 'go', maxSteps: 1 });
    expect(messages.flatMap((message) => (message.role === 'tool' ? [message.ok] : []))).toEqual([true, false, false]);
    expect(source.calls.map(({ input }) => input)).toEqual([{ n: 6.02e23 }]);
  });

  it('gives the signal to the model and to tools, and ends with its reason', async () => {
    const stop = new AbortController();
    run = () => {
      stop.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    const ask: AskModel = ({ signal }) => {
      expect(signal).toBe(stop.signal);
      return { calls: [{ name: 'crm__list_contacts' }] };
    };
    await expect(plain(world.toolbox).run({ ask, text: 'go', signal: stop.signal })).rejects.toThrow('enough');
  });

  it('has the halves for a loop of one’s own', async () => {
    const halves = plain(world.toolbox, { prompt: 'none', mode: 'bridge' });
    expect(await halves.step({ text: 'contacts' })).toMatchObject({
      tools: [{ name: 'tool_search' }, { name: 'tool_get' }, { name: 'tool_call' }],
      prompt: '',
    });
    expect(await halves.call('tool_call', { name: 'crm__list_contacts' }, { callId: 'c1' })).toMatchObject({
      ok: true,
    });
    expect(world.eventsOf('tool.called')[0]).toMatchObject({ tool: 'crm.list_contacts', callId: 'c1' });
  });
});
