import type { ToolContext, ToolVisibilityPolicy } from '@tool-search/core';
import { toolContext } from '@tool-search/core/internal';
import { FakeSource, openToolbox, type ToolboxSetup } from '@tool-search/core/testing';

/*
 * Guarantees of PenguiFlow's ToolPolicy, ToolVisibilityPolicy and fork() that hold here; rows PF-… of docs/parity.md.
 */

const TOOLS = [
  { name: 'charge', tags: ['money', 'live'] },
  { name: 'refund', tags: ['money'] },
  { name: 'list', tags: [] },
];
const opened = (setup: ToolboxSetup = {}) => openToolbox({ sources: [new FakeSource('pay', TOOLS)], ...setup });
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const visibleOf = async (setup: ToolboxSetup) => namesOf(await (await opened(setup)).toolbox.visible());

describe('a static policy', () => {
  it('limits nothing by default: no allow list, no deny, no required tag', async () => {
    expect(await visibleOf({ policy: {} })).toEqual(['pay.charge', 'pay.list', 'pay.refund']);
  });

  it('with an empty allow list allows no tool', async () => {
    expect(await visibleOf({ policy: { allow: ['pay.charge'] } })).toEqual(['pay.charge']);
    expect(await visibleOf({ policy: { allow: [] } })).toEqual([]);
  });

  it('denies more strongly than it allows', async () => {
    expect(await visibleOf({ policy: { allow: ['pay.*'], deny: ['pay.charge'] } })).toEqual(['pay.list', 'pay.refund']);
  });

  it('requires all of its tags', async () => {
    expect(await visibleOf({ policy: { requireTags: ['money', 'live'] } })).toEqual(['pay.charge']);
  });

  it('takes a tool out of everything: lists, prompts, search, reading and calls', async () => {
    const { toolbox } = await opened({
      policy: { deny: ['pay.charge'] },
      options: { exposure: { mode: 'deferred', directory: { enabled: true }, hints: { enabled: true } } },
    });
    const { prompt, tools } = await toolbox.surface({ text: 'charge a card' });
    const { tools: found } = await toolbox.search({ query: 'charge' });
    const got = await toolbox.get(['pay.charge', 'pay.list']);
    expect(JSON.stringify([prompt, tools, found, got.tools])).not.toContain('pay.charge');
    expect(got.unavailable).toEqual(['pay.charge']);
    expect(await toolbox.call('pay.charge', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('never removes the meta tools, with any required tags or allow list', async () => {
    for (const policy of [{ requireTags: ['money'] }, { allow: ['pay.refund'] }, { allow: [] }]) {
      const { toolbox } = await opened({ policy });
      expect(namesOf((await toolbox.surface()).meta)).toEqual(['tool_search', 'tool_get']);
      expect(await toolbox.call('tool_search', { query: 'refund' })).toMatchObject({ ok: true });
    }
  });

  it('is reported by an event when it filters, also if no tool is left', async () => {
    const { toolbox, eventsOf } = await opened({ policy: { allow: [] } });
    await toolbox.visible();
    expect(eventsOf('policy.filtered')).toMatchObject([{ layer: 'policy', removed: 3, visible: 0, tenantId: 'acme' }]);
  });
});

describe('visibility of a request', () => {
  const byRole: ToolVisibilityPolicy = {
    filter: (tools, { roles = [] }) => tools.filter(({ tags }) => !tags.includes('money') || roles.includes('finance')),
  };

  it('is decided from the tools and the context of the request', async () => {
    const { open } = await opened({ visibility: byRole });
    expect(namesOf(await open().visible())).toEqual(['pay.list']);
    expect(await open({ roles: ['finance'] }).visible()).toHaveLength(3);
  });

  it('holds for search and reading as it does for calls', async () => {
    const { toolbox } = await opened({ visibility: byRole });
    expect((await toolbox.search({ query: 'refund' })).tools).toEqual([]);
    await expect(toolbox.get(['pay.refund'])).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(await toolbox.call('pay.refund', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('keeps a hidden tool from being activated, and names tool and layer to operators', async () => {
    const { toolbox, activations, eventsOf } = await opened({ visibility: byRole });
    await toolbox.call('pay.refund', {});
    expect(await toolbox.activate(['pay.refund'])).toMatchObject({ activated: [], unavailable: ['pay.refund'] });
    expect(await activations.stats()).toMatchObject({ activations: 0 });
    expect(eventsOf('tool.activated')).toEqual([]);
    expect(eventsOf('tool.denied')).toContainEqual(
      expect.objectContaining({ tool: 'pay.refund', layer: 'visibility', reason: expect.any(String) }),
    );
  });

  it('is that of each request, however many overlap on one application', async () => {
    const slow: ToolVisibilityPolicy = {
      filter: async (tools, { userId = '' }) => {
        await new Promise((done) => setImmediate(done));
        return tools.filter(({ name }) => name.endsWith(userId));
      },
    };
    const { open } = await opened({ visibility: slow });
    const users = Array.from({ length: 30 }, (_, turn) => ['charge', 'refund', 'list'][turn % 3]!);
    const seen = await Promise.all(
      users.map(async (userId) => {
        const toolbox = open({ userId, runId: `${userId}-run` });
        const [visible, listed, { tools }] = await Promise.all([
          toolbox.visible(),
          toolbox.surface({ mode: 'all' }),
          toolbox.search({ query: 'charge refund list' }),
        ]);
        return [namesOf(visible), namesOf(listed.tools), namesOf(tools)];
      }),
    );
    users.forEach((user, turn) => expect(seen[turn]).toEqual(Array(3).fill([`pay.${user}`])));
  });

  it('hides everything when it throws, and when it does not answer in time', async () => {
    const throws: ToolVisibilityPolicy = { filter: () => JSON.parse('{') };
    expect(await visibleOf({ visibility: throws })).toEqual([]);
    const hangs: ToolVisibilityPolicy = { filter: () => new Promise(() => undefined) };
    expect(
      await visibleOf({ visibility: hangs, options: { exposure: 'deferred', visibility: { deadlineMs: 5 } } }),
    ).toEqual([]);
  });

  it('is asked again for a tool that is called', async () => {
    let isOn = true;
    const killed: ToolVisibilityPolicy = { filter: (tools) => (isOn ? tools : []) };
    const { toolbox } = await opened({ visibility: killed });
    expect(await toolbox.visible()).toHaveLength(3);
    isOn = false;
    expect(await toolbox.call('pay.list', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('holds when a run goes on: what is hidden by then is not brought back, and hints are made anew', async () => {
    const hidden = new Set<string>();
    const visibility: ToolVisibilityPolicy = { filter: (tools) => tools.filter(({ name }) => !hidden.has(name)) };
    const { open } = await opened({
      visibility,
      options: { exposure: { mode: 'deferred', hints: { enabled: true }, directory: { enabled: true } } },
    });
    await open().call('pay.charge', {});
    expect((await open().surface({ text: 'charge a card' })).prompt.hints).toContain('pay.charge');
    await open().pause();
    hidden.add('pay.charge');
    await open().resume();
    const { prompt, tools } = await open().surface({ text: 'charge a card' });
    expect(JSON.stringify([prompt, namesOf(tools)])).not.toContain('pay.charge');
    expect(prompt.directory).toContain('pay.refund');
  });

  it('gets every member that the application put into the context', async () => {
    const seen: ToolContext[] = [];
    const visibility: ToolVisibilityPolicy = { filter: (tools, context) => (seen.push(context), tools) };
    const context = toolContext({
      tenantId: 'acme',
      roles: ['viewer'],
      sessionId: 's',
      plan: 'business',
    } as ToolContext);
    await visibleOf({ visibility, context });
    expect(seen).toEqual([context]);
  });
});

describe('a derived toolbox', () => {
  it('unites what is denied and required, and intersects what is allowed', async () => {
    const { toolbox } = await opened({ policy: { allow: ['pay.charge', 'pay.refund'] } });
    const seen = async (box: typeof toolbox) => namesOf(await box.visible());
    expect(await seen(toolbox.narrow({ allow: ['pay.refund', 'pay.list'] }))).toEqual(['pay.refund']);
    expect(await seen(toolbox.narrow({ deny: ['pay.refund'] }).narrow({ deny: ['pay.charge'] }))).toEqual([]);
    expect(await seen(toolbox.narrow({ requireTags: ['money'] }).narrow({ requireTags: ['live'] }))).toEqual([
      'pay.charge',
    ]);
    expect(await seen(toolbox.narrow({}))).toEqual(['pay.charge', 'pay.refund']);
  });

  it('has no way to leave the rules of its parent behind', async () => {
    const { toolbox } = await opened({ policy: { deny: ['pay.charge'] } });
    expect(() => toolbox.narrow({ inheritPolicy: false } as object)).toThrow(/inheritPolicy/);
    expect(namesOf(await toolbox.narrow({ allow: ['*'] }).visible())).toEqual(['pay.list', 'pay.refund']);
  });
});
