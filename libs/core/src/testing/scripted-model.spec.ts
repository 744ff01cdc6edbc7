import { FakeSource } from './fakes/fake-source.js';
import { type OpenToolbox, openToolbox } from './open-toolbox.js';
import { say, ScriptedModel } from './scripted-model.js';

let world: OpenToolbox;
let crm: FakeSource;
const open = async (options: Parameters<typeof openToolbox>[0] = {}) => {
  crm = new FakeSource('crm', [{ name: 'list_contacts', run: () => 'Ada' }, { name: 'delete.everything' }]);
  world = await openToolbox({ sources: [crm], ...options });
  return world.toolbox;
};
afterEach(() => world?.close());

const called = () => crm.calls.map(({ name, input }) => [name, input]);
const listedIn = (turns: readonly { readonly tools: readonly { readonly name: string }[] }[]) =>
  turns.map(({ tools }) => tools.map(({ name }) => name));

describe('ScriptedModel', () => {
  it('searches for what is not listed, then calls it', async () => {
    const toolbox = await open();
    const model = new ScriptedModel([say.call('crm.list_contacts', { limit: 1 }), say.answer('Ada it is.')]);
    const { answer, turns, results } = await model.converse(toolbox);
    expect(answer).toBe('Ada it is.');
    expect(called()).toEqual([['list_contacts', { limit: 1 }]]);
    expect(results.map(({ name }) => name)).toEqual(['tool_search', 'crm.list_contacts']);
    expect(results[1]).toEqual({ name: 'crm.list_contacts', text: 'Ada' });
    const [first, second] = listedIn(turns);
    expect(first).not.toContain('crm.list_contacts');
    expect(second).toContain('crm.list_contacts');
    expect(turns[0]?.instructions).toContain('tool_search');
  });

  it.each(['all', 'bridge', 'deferred', 'native'] as const)('plays one script in %s', async (mode) => {
    const toolbox = await open({ options: {} });
    const model = new ScriptedModel([
      say.search('contacts'),
      say.parallel(say.call('crm.list_contacts', { page: 1 }), say.call('crm.list_contacts', { page: 2 })),
      say.answer('Two pages.'),
    ]);
    const { answer } = await model.converse(toolbox, { mode });
    expect(answer).toBe('Two pages.');
    expect(called()).toEqual([
      ['list_contacts', { page: 1 }],
      ['list_contacts', { page: 2 }],
    ]);
  });

  it('loads what must be loaded', async () => {
    const toolbox = await open({ options: { exposure: 'deferred', activation: { activateOn: 'load' } } });
    const { results } = await new ScriptedModel([say.call('crm.list_contacts')]).converse(toolbox);
    expect(results.map(({ name }) => name)).toEqual(['tool_search', 'tool_load', 'crm.list_contacts']);
  });

  it('calls a tool that stays away all the same, and only once', async () => {
    const toolbox = await open({ policy: { deny: ['crm.delete*'] } });
    const model = new ScriptedModel([say.call('crm.delete.everything'), say.blindly('crm.nothing')]);
    const { results, answer } = await model.converse(toolbox);
    expect(answer).toBe('done');
    expect(results.map(({ name }) => name)).toEqual(['tool_search', 'crm.delete.everything', 'crm.nothing']);
    expect(results[1]?.text).toBe(results[2]?.text);
    expect(results[1]?.text).toContain('TOOL_NOT_AVAILABLE');
    expect(called()).toEqual([]);
  });

  it('decides by what is shown', async () => {
    const toolbox = await open();
    const model = new ScriptedModel([
      say.call('crm.list_contacts'),
      ({ results }) => [say.call('crm.list_contacts', { like: results[0]?.text }), say.answer('Found.')],
      say.answer('never'),
    ]);
    const { answer } = await model.converse(toolbox);
    expect(answer).toBe('Found.');
    expect(called().at(-1)).toEqual(['list_contacts', { like: 'Ada' }]);
  });

  it('knows tools by wire names and meta tools by other names', () => {
    const tool = (name: string) => ({ name, description: '', inputSchema: {} });
    const shown = (...names: string[]) => ({ tools: names.map(tool), instructions: '', results: [] });
    const model = new ScriptedModel([say.call('crm.list_contacts'), say.call('crm.list_contacts', { a: 1 })], {
      dialect: {
        search: (words) => ({ name: 'find_tools', arguments: { text: words } }),
        call: (name, args) => ({ name: 'use_tool', arguments: { tool: name, with: args } }),
      },
    });
    expect(model.reply(shown('find_tools'))).toEqual({
      calls: [{ name: 'find_tools', arguments: { text: 'crm list contacts' } }],
    });
    expect(model.reply(shown('find_tools', 'crm__list_contacts'))).toEqual({
      calls: [{ name: 'crm__list_contacts', arguments: {} }],
    });
    expect(model.reply(shown('use_tool'))).toEqual({
      calls: [{ name: 'use_tool', arguments: { tool: 'crm__list_contacts', with: { a: 1 } } }],
    });
    expect(model.reply(shown())).toEqual({ text: 'done' });
  });

  it('gives up on a script that never ends', async () => {
    const toolbox = await open();
    const again = (): ReturnType<typeof say.search>[] => [say.search('contacts'), again];
    await expect(new ScriptedModel([again]).converse(toolbox)).rejects.toThrow('did not end');
  });
});
