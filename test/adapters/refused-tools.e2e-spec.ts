import type { Surface, SurfaceRequest } from '@tool-search/core';
import { FakeSource, openToolbox, say, ScriptedModel } from '@tool-search/core/testing';
import type { AdapterDriver, ScriptedTurn } from '../support/adapters/adapter-driver.js';
import { ADAPTER_DRIVERS } from '../support/adapters/drivers.js';

const namesIn = ({ tools }: ScriptedTurn) => tools.map(({ name }) => name);
/** Tools whose definitions become invalid in the middle of the run, bypassing the checks on sources. */
const SPOILED = new Set(['odd.shape', 'crm.find']);

/** A toolbox with a tool of this request only, and with more always-listed tools than OpenAI accepts. */
async function openWorld(options: Parameters<typeof openToolbox>[0] = {}) {
  let isSpoiled = false;
  const crm = new FakeSource('crm', ['find', { name: 'spoil', run: () => (isSpoiled = true) }]);
  const odd = new FakeSource('odd', ['shape'], { loading: 'always' });
  const crowd = new FakeSource(
    'z',
    Array.from({ length: 140 }, (_, n) => `tool_${n}`),
    { loading: 'always' },
  );
  const world = await openToolbox({ sources: [crm, odd, crowd], ...options });
  const mine = new FakeSource('mine', ['note']);
  const toolbox = await world.toolbox.with(mine);
  const surface = toolbox.surface.bind(toolbox);
  const spoiled = async (request?: SurfaceRequest): Promise<Surface> => {
    const shown = await surface(request);
    if (!isSpoiled) return shown;
    const tools = shown.tools.map((tool) => {
      if (!SPOILED.has(tool.name)) return tool;
      const inputSchema = { type: 'array' };
      return { ...tool, inputSchema, definition: { ...tool.definition, inputSchema } };
    });
    return { ...shown, tools };
  };
  return { ...world, toolbox: Object.assign(toolbox, { surface: spoiled }), crm, mine };
}

describe.each(Object.entries(ADAPTER_DRIVERS))('%s', (_name, open) => {
  let driver: AdapterDriver;
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver.close?.());

  it('never sends a tool that the provider refuses, for any number of tools and changes of them', async () => {
    for (const mode of driver.modes.filter((each) => each !== 'bridge')) {
      const { toolbox, crm, mine, eventsOf, close } = await openWorld();
      const script = new ScriptedModel([
        say.call('mine.note'),
        say.call('crm.find'),
        say.call('crm.spoil'),
        say.call('mine.note'),
        say.answer('ok'),
      ]).reply;
      const { answer, turns } = await driver.run(toolbox, { mode, prompt: 'Go.', script });
      expect(answer).toBe('ok');
      // In `all` there is no search that could bring a tool above the limit into the list.
      const isUnreachable = mode === 'all' && driver.answersUnlisted !== undefined;
      const calls = [crm.calls.map(({ name }) => name), mine.calls.length];
      expect(calls).toEqual([['find', 'spoil'], isUnreachable ? 0 : 2]);
      expect(namesIn(turns[0]!)).toContain('odd__shape');
      expect(namesIn(turns.at(-1)!)).not.toContain('odd__shape');
      const told = eventsOf('tool.left_out').filter(({ reason }) => reason.includes('object at its root'));
      expect(told.map(({ tool }) => tool).toSorted()).toEqual(['crm.find', 'odd.shape']);
      await close();
    }
  });

  it('speaks the words of a preset', async () => {
    for (const mode of driver.modes.filter((each) => each === 'deferred' || each === 'bridge')) {
      const { toolbox, crm, close } = await openWorld({ options: { preset: 'mastra' } });
      const dialect = {
        search: (words: string) => ({ name: 'search_tools', arguments: { query: words } }),
        load: (tool: string) => ({ name: 'load_tool', arguments: { toolNames: [tool] } }),
      };
      const script = new ScriptedModel([say.search('find'), say.call('crm.find'), say.answer('ok')], { dialect }).reply;
      const { turns } = await driver.run(toolbox, { mode, prompt: 'Go.', script });
      expect(namesIn(turns[0]!)).toContain('search_tools');
      expect(crm.calls.map(({ name }) => name)).toEqual(['find']);
      await close();
    }
  });
});
