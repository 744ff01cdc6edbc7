import type { ToolVisibilityPolicy } from '@tool-search/core';
import { MemoryActivationStore } from '@tool-search/core/internal';
import { FakeSource, type FakeSourceTool, openToolbox, type ToolboxSetup } from '@tool-search/core/testing';

/* Loading and activation of tools as in PenguiFlow; rows PF-… of docs/parity.md. */

const TOOLS: FakeSourceTool[] = [
  { name: 'read', description: 'Read a page.' },
  { name: 'write', description: 'Write a page.' },
  { name: 'ping', description: 'Say that you are there.', loading: 'always' },
];
const opened = (setup: ToolboxSetup = {}) => openToolbox({ sources: [new FakeSource('wiki', TOOLS)], ...setup });
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const listOf = async (toolbox: { list(): Promise<readonly { readonly name: string }[]> }) =>
  namesOf(await toolbox.list());

describe('loading', () => {
  const silent = (loading?: 'always' | 'deferred') =>
    new FakeSource('s', [{ name: 'silent' }, { name: 'says', loading: 'deferred' }], { loading: loading as 'always' });

  it('is always by default', async () => {
    const { toolbox } = await openToolbox({ sources: [silent(undefined)] });
    expect(await listOf(toolbox)).toEqual(['s.silent']);
  });

  it('is what the tool says, else its source, else the module', async () => {
    const options = { exposure: 'deferred', defaultLoading: 'deferred' } as const;
    const listed = async (loading?: 'always') =>
      listOf((await openToolbox({ sources: [silent(loading)], options })).toolbox);
    expect(await listed()).toEqual([]);
    expect(await listed('always')).toEqual(['s.silent']);
  });

  it('is always for tools that alwaysLoaded matches, whatever the tool declares', async () => {
    const { toolbox } = await opened({ options: { exposure: 'deferred', alwaysLoaded: ['wiki.r*'] } });
    expect(await listOf(toolbox)).toEqual(['wiki.ping', 'wiki.read']);
  });

  it('needs no alwaysLoaded for the meta tools: they are listed wherever something is deferred', async () => {
    const { toolbox, catalog } = await opened();
    expect(namesOf((await toolbox.surface()).meta)).toEqual(['tool_search', 'tool_get']);
    expect(catalog.current().tools.filter(({ loading }) => loading === 'always')).toHaveLength(1);
  });

  it('of all tools is always in a small catalog, which is then shown whole and without meta tools', async () => {
    const { toolbox } = await opened({ options: {} });
    const { mode, tools, meta } = await toolbox.surface();
    expect([mode, tools.length, meta.length]).toEqual(['all', 3, 0]);
  });
});

describe('activation', () => {
  it('is by the first call, not by being found, and the tool runs with that very call', async () => {
    const { toolbox, eventsOf } = await opened();
    await toolbox.search({ query: 'read a page' });
    expect(eventsOf('tool.activated')).toEqual([]);
    expect(await toolbox.call('wiki.read', {})).toMatchObject({ ok: true, activated: true });
    expect(eventsOf('tool.activated')).toMatchObject([{ tool: 'wiki.read', scope: 'run', reason: 'first_use' }]);
  });

  it('happens in parallel branches as it does in single calls', async () => {
    const { toolbox, eventsOf } = await opened();
    const results = await Promise.all(['read', 'write', 'read'].map((name) => toolbox.call(`wiki.${name}`, {})));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(eventsOf('tool.activated').map(({ tool }) => tool)).toEqual(['wiki.read', 'wiki.write']);
    expect((await listOf(toolbox)).toSorted()).toEqual(['wiki.ping', 'wiki.read', 'wiki.write']);
  });

  it('does not spare a blind call its validation', async () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const source = new FakeSource('crm', [{ name: 'read', inputSchema }]);
    const { toolbox } = await openToolbox({ sources: [source] });
    expect(await toolbox.call('crm.read', { id: 'x' })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
    expect(source.calls).toEqual([]);
  });

  it('belongs to the run where there is no session, and ends with it', async () => {
    const { open } = await opened();
    await open({ runId: 'one' }).call('wiki.read', {});
    expect(await listOf(open({ runId: 'one' }))).toContain('wiki.read');
    expect(await listOf(open({ runId: 'two' }))).toEqual(['wiki.ping']);
  });

  it('belongs to the session where there is one, over all its runs, and to the run where that is asked for', async () => {
    for (const [scope, isKept] of [
      [undefined, true],
      ['session', true],
      ['run', false],
    ] as const) {
      const { open } = await opened({
        options: { exposure: 'deferred', activation: { ...(scope && { scope }) } },
      });
      await open({ sessionId: 's', runId: 'one' }).call('wiki.read', {});
      expect((await listOf(open({ sessionId: 's', runId: 'two' }))).includes('wiki.read')).toBe(isKept);
    }
  });

  it('of a session needs its id', async () => {
    const { toolbox } = await opened({ options: { exposure: 'deferred', activation: { scope: 'session' } } });
    expect(await toolbox.call('wiki.read', {})).toMatchObject({ ok: false, code: 'SESSION_REQUIRED' });
  });

  it('of a session is that of one tenant and user, though others use its id, and does not last for ever', async () => {
    let now = 1_000_000;
    const { open } = await opened({ now: () => now });
    const of = (tenantId: string, userId: string) => open({ tenantId, userId, sessionId: 'default' });
    await of('acme', 'ada').call('wiki.read', {});
    expect(await listOf(of('acme', 'ada'))).toContain('wiki.read');
    expect(await listOf(of('acme', 'bob'))).toEqual(['wiki.ping']);
    expect(await listOf(of('globex', 'ada'))).toEqual(['wiki.ping']);
    now += 25 * 3_600_000;
    expect(await listOf(open({ sessionId: 'default', runId: 'later' }))).toEqual(['wiki.ping']);
  });

  it('is filtered by visibility each time, and comes back when the tool does', async () => {
    const hidden = new Set(['wiki.read']);
    const visibility: ToolVisibilityPolicy = { filter: (tools) => tools.filter(({ name }) => !hidden.has(name)) };
    const store = new MemoryActivationStore();
    const before = await opened({ store });
    await before.toolbox.call('wiki.read', {});
    const { open } = await opened({ store, visibility });
    expect(await listOf(open())).toEqual(['wiki.ping']);
    hidden.clear();
    expect(await listOf(open())).toEqual(['wiki.ping', 'wiki.read']);
  });

  it('is restored when a run is resumed', async () => {
    const { open } = await opened();
    await open().call('wiki.read', {});
    await open().pause();
    expect(await open().resume()).toMatchObject({ tools: [{ name: 'wiki.read', drift: 'same' }] });
    expect(await listOf(open())).toContain('wiki.read');
  });

  it('of a missing tool names no existing one', async () => {
    const { toolbox } = await opened();
    const answer = await toolbox.call('wiki.raed', {});
    expect(answer).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(JSON.stringify(answer)).not.toMatch(/wiki\.|ping|raed/);
  });

  it('works under an alias, and is denied under it like under the name', async () => {
    const source = new FakeSource('crm', [{ name: 'read', aliases: ['crm.get'] }]);
    const { toolbox, eventsOf } = await openToolbox({ sources: [source] });
    expect(await toolbox.call('crm.get', {})).toMatchObject({ ok: true });
    expect(eventsOf('tool.activated')).toMatchObject([{ tool: 'crm.read' }]);
    const denied = await openToolbox({ sources: [source], policy: { deny: ['crm.read'] } });
    expect(await denied.toolbox.call('crm.get', {})).toEqual(await denied.toolbox.call('crm.read', {}));
  });
});
