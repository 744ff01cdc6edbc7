import { FakeSource, type OpenToolbox, openToolbox } from '@tool-search/core/testing';
import { ANTHROPIC_LIMITS, OPENAI_LIMITS } from './provider-limits.js';
import { WireToolbox } from './wire-toolbox.js';

let world: OpenToolbox;
afterEach(() => world?.close());

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `list_${n}`);
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('WireToolbox', () => {
  it('lists no more than its provider accepts, and reports left-out tools to the model and, once, to the listener', async () => {
    const always = new FakeSource('always', numbered(126), { loading: 'always' });
    world = await openToolbox({ sources: [always, new FakeSource('crm', ['list_contacts', 'list_deals'])] });
    const told: string[] = [];
    const wire = new WireToolbox(world.toolbox, OPENAI_LIMITS, { onLeftOut: ({ tool }) => told.push(tool) });

    const first = await wire.step();
    expect(first.tools).toHaveLength(128);
    expect(told).toEqual([]);
    expect(first.prompt).not.toContain('do not fit');

    await wire.call('tool_search', { query: 'list contacts', limit: 1 });
    const second = await wire.step();
    expect(second.tools).toHaveLength(128);
    expect(names(second.tools).at(-1)).toBe('crm__list_contacts');
    expect(second.prompt).toContain('1 more tools do not fit into the list. Find them with tool_search');
    await wire.step();
    const again = new WireToolbox(world.toolbox, OPENAI_LIMITS);
    await again.step();
    expect(told).toEqual(['always.list_99']);
    expect(world.eventsOf('tool.left_out')).toEqual([
      {
        type: 'tool.left_out',
        at: expect.any(Number),
        tenantId: 'acme',
        runId: 'run-1',
        provider: 'OpenAI',
        tool: 'always.list_99',
        reason: 'OpenAI takes 128 tools in a request',
      },
    ]);
    // Tools that are not listed can still be called.
    expect(await wire.call('always__list_99', {})).toMatchObject({ ok: true });

    const whole = new WireToolbox(world.toolbox, ANTHROPIC_LIMITS);
    expect((await whole.step()).tools).toHaveLength(129);
  });

  it.each([
    ['OpenAI', OPENAI_LIMITS],
    ['Anthropic', ANTHROPIC_LIMITS],
  ])('records a killed tool as unavailable, in a conversation that began elsewhere with %s', async (_, limits) => {
    const long = `list_${'all_'.repeat(20)}contacts`;
    world = await openToolbox({ sources: [new FakeSource('crm', ['list_contacts', long])] });
    const began = new WireToolbox(world.toolbox, limits, { mode: 'all' });
    const shown = names((await began.step()).tools).filter((name) => name.startsWith('crm'));
    expect(shown).toHaveLength(2);
    const reason = 'lists too much';
    await world.killSwitches.engage({ kind: 'glob', value: 'crm.*', actor: 'olga', reason });
    const resumed = new WireToolbox(world.toolbox, limits);
    const unknown = await resumed.call('crm__none', {});
    for (const name of shown) expect(await resumed.call(name, {})).toEqual(unknown);
    const [, ...calls] = await world.records.list({ kind: 'call' }, { limit: 9, oldestFirst: true });
    expect(calls.map(({ tool, layer, reason: why }) => [tool, layer, why])).toEqual([
      [`crm.${long}`, 'kill_switch', reason],
      ['crm.list_contacts', 'kill_switch', reason],
    ]);
  });

  it('takes other limits for a server that has others', async () => {
    const source = new FakeSource('crm', [{ name: 'list_contacts', description: 'a'.repeat(2000) }, 'list_deals']);
    world = await openToolbox({ sources: [source], options: { exposure: 'all' } });
    const limits = { provider: 'Azure', descriptionChars: 1024, tools: 1, nameChars: 12 };
    const { tools } = await new WireToolbox(world.toolbox, OPENAI_LIMITS, { limits }).step();
    expect(tools).toHaveLength(1);
    expect(tools[0]?.name).toHaveLength(12);
    expect(tools[0]?.description).toHaveLength(1024);
    expect(world.eventsOf('tool.left_out')).toMatchObject([{ provider: 'Azure', tool: 'crm.list_deals' }]);
  });

  it('leaves taken names to those who have them, and keeps its own for the whole conversation', async () => {
    const source = new FakeSource('crm', [
      { name: 'list', run: () => 'listed' },
      { name: 'show', run: () => 'shown' },
    ]);
    world = await openToolbox({ sources: [source], options: { exposure: 'all' } });
    const wire = new WireToolbox(world.toolbox, OPENAI_LIMITS, { taken: new Set(['crm__list', 'crm__list_2']) });
    const own = ['crm__show'];
    const { tools } = await wire.step({ own });
    expect(names(tools)).toEqual(['crm__list_3']);
    expect(names((await wire.step()).tools)).toEqual(['crm__list_3', 'crm__show']);
    expect(await wire.call('crm__list_3', {})).toMatchObject({ content: [{ text: 'listed' }] });
    expect(world.eventsOf('tool.left_out')).toMatchObject([{ tool: 'crm.show' }]);
  });

  it('understands names from a conversation that another process began, and none that is hidden', async () => {
    const long = `crm.${'very_'.repeat(14)}long`;
    world = await openToolbox({
      sources: [new FakeSource('crm', [long.slice(4), 'secret'])],
      policy: { deny: ['crm.secret'] },
    });
    const [shown] = await new WireToolbox(world.toolbox, OPENAI_LIMITS, { mode: 'all' })
      .step()
      .then(({ tools }) => tools);
    const wire = new WireToolbox(world.open({ runId: 'run-2' }), OPENAI_LIMITS);
    expect(await wire.call(shown!.name, {})).toMatchObject({ ok: true });
    expect(world.eventsOf('tool.called')).toMatchObject([{ tool: long, runId: 'run-2' }]);
    expect(await wire.call('crm__secret', {})).toEqual(await wire.call('crm__nothing', {}));
  });
});
