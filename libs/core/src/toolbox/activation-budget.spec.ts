import { MemoryActivationStore } from '../activation/memory-activation-store.js';
import type { ActivationOptions } from '../activation/activation-options.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox } from '../testing/open-toolbox.js';

const MINUTE = 60_000;
const SESSION = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
const TOOLS = Array.from({ length: 12 }, (_, index) => `t${index}`);

async function budgetOf(activation: ActivationOptions) {
  const clock = { now: 1_800_000_000_000 };
  const setup = {
    sources: [new FakeSource('a', TOOLS)],
    options: { exposure: 'deferred' as const, activation: { maxTools: 4, whenFull: 'demote' as const, ...activation } },
    context: SESSION,
    store: new MemoryActivationStore(),
    now: () => clock.now,
  };
  const app = await openToolbox(setup);
  const call = async (...names: string[]) => {
    for (const name of names) {
      const result = await app.open().call(`a.${name}`, {});
      clock.now += MINUTE;
      if (!result.ok) return result;
    }
    return undefined;
  };
  const shown = async (toolbox = app.open()) => (await toolbox.surface()).tools.map(({ name }) => name.slice(2));
  const demoted = () => app.eventsOf('tool.demoted').map(({ tool }) => tool.slice(2));
  return { ...app, setup, clock, call, shown, demoted };
}

describe('a full run or session', () => {
  it('refuses one more with a code, in the middle of a conversation', async () => {
    const { call, shown, demoted, close } = await budgetOf({});
    expect(await call('t0', 't1', 't2', 't3')).toBeUndefined();
    expect(await call('t4')).toMatchObject({ code: 'ACTIVATION_LIMIT', hint: expect.stringContaining('make room') });
    expect(await shown()).toEqual(['t0', 't1', 't2', 't3']);
    expect(demoted()).toEqual([]);
    await close();
  });

  it('gives up what it has not used for longest, when the prompt cache is lost anyway', async () => {
    const { call, shown, clock, demoted, happened, close } = await budgetOf({});
    await call('t0', 't1', 't2', 't3', 't0');
    clock.now += 5 * MINUTE;
    expect(await shown()).toHaveLength(4);
    clock.now += 7 * MINUTE;
    expect(await shown()).toEqual(['t0', 't2', 't3']);
    expect(happened.find(({ type }) => type === 'tool.demoted')).toMatchObject({
      tenantId: 'acme',
      sessionId: 's1',
      tool: 'a.t1',
      scope: 'session',
    });
    expect(await call('t4', 't1')).toMatchObject({ code: 'ACTIVATION_LIMIT' });
    expect(await shown()).toEqual(['t0', 't2', 't3', 't4']);
    expect(demoted()).toEqual(['t1']);
    await close();
  });

  it('keeps everything while it is shown to a model again and again', async () => {
    const { call, shown, clock, demoted, close } = await budgetOf({});
    await call('t0', 't1', 't2', 't3');
    for (let minute = 0; minute < 30; minute += 1) {
      clock.now += MINUTE - 1;
      expect(await shown()).toHaveLength(4);
    }
    expect(demoted()).toEqual([]);
    clock.now += 7 * MINUTE;
    expect(await shown()).toEqual(['t1', 't2', 't3']);
    await close();
  });

  it('names no tool that is hidden by now, but demotes it like others', async () => {
    const { call, open, policies, demoted, close } = await budgetOf({});
    await call('t0', 't1', 't2', 't3');
    policies.setTenant('acme', { deny: ['a.t0'] });
    expect(await open().compact()).toEqual({ demoted: [] });
    expect(demoted()).toEqual(['t0']);
    await close();
  });

  it('gives up on request, and no more than it takes', async () => {
    const { call, open, shown, demoted, close } = await budgetOf({});
    await call('t0', 't1', 't2', 't3');
    expect(await open().compact()).toEqual({ demoted: ['a.t0'] });
    expect(await open().compact()).toEqual({ demoted: [] });
    expect(await shown()).toEqual(['t1', 't2', 't3']);
    expect(demoted()).toEqual(['t0']);
    await close();
  });

  it('gives up tokens too', async () => {
    const { call, open, tokens, catalog, close } = await budgetOf({ maxTools: 0, maxTokens: 160 });
    const of = (name: string) => tokens.of(catalog.current().tools.find((t) => t.name === name)!);
    expect(await call(...TOOLS)).toMatchObject({ code: 'ACTIVATION_LIMIT' });
    await open().compact();
    const left = (await open().surface()).tools.reduce((sum, { name }) => sum + of(name), 0);
    expect(left).toBeLessThanOrEqual(120);
    expect(left).toBeGreaterThan(0);
    await close();
  });

  it('never gives up pinned tools', async () => {
    const { call, open, shown, close } = await budgetOf({ pinned: ['a.t0', 'a.t1*'] });
    await call('t0', 't1', 't2', 't3');
    expect(await open().compact()).toEqual({ demoted: ['a.t2'] });
    expect(await shown()).toEqual(['t0', 't1', 't3']);
    await close();
  });

  it('finds and activates a demoted tool again like any other, behind all others', async () => {
    const { call, open, shown, happened, close } = await budgetOf({});
    const toolbox = open({ runId: 'r' });
    await toolbox.search({ query: 't0', type: 'exact' });
    await call('t0', 't1', 't2', 't3');
    expect(await shown(toolbox)).toEqual(['t0', 't1', 't2', 't3']);
    await toolbox.compact();
    expect(await shown(toolbox)).toEqual(['t1', 't2', 't3']);
    expect((await toolbox.search({ query: 't0', type: 'exact' })).tools).toMatchObject([
      { name: 'a.t0', active: false },
    ]);
    expect(await toolbox.call('a.t0', {})).toMatchObject({ ok: true, activated: true });
    expect(await shown(toolbox)).toEqual(['t1', 't2', 't3', 't0']);
    expect(happened.filter((event) => event.type === 'tool.activated' && event.tool === 'a.t0')).toHaveLength(2);
    await close();
  });

  it('demotes nothing by default', async () => {
    const { call, open, shown, clock, close } = await budgetOf({ whenFull: 'refuse' });
    await call('t0', 't1', 't2', 't3');
    clock.now += 60 * MINUTE;
    expect(await shown()).toHaveLength(4);
    expect(await open().compact()).toEqual({ demoted: [] });
    expect(await call('t4')).toMatchObject({ code: 'ACTIVATION_LIMIT', hint: expect.stringContaining('new session') });
    await close();
  });

  it('of one run demotes no tool of another, nor of the parent of a sub-agent', async () => {
    const { open, close } = await budgetOf({});
    const parent = open({ runId: 'r1' });
    const child = parent.narrow({ runId: 'r2' });
    for (const name of ['t0', 't1', 't2', 't3']) await parent.call(`a.${name}`, {});
    for (const name of ['t4', 't5', 't6', 't7']) await child.call(`a.${name}`, {});
    expect(await child.compact()).toEqual({ demoted: ['a.t4'] });
    expect(await parent.compact()).toEqual({ demoted: ['a.t0'] });
    await close();
  });

  it('passes no limit when two instances meet it at once', async () => {
    const one = await budgetOf({});
    const other = await openToolbox(one.setup);
    await one.call('t0', 't1', 't2', 't3');
    one.clock.now += 10 * MINUTE;
    const both = [one.open(), other.open()];
    await Promise.all(both.flatMap((toolbox) => [toolbox.surface(), toolbox.surface()]));
    expect([...one.demoted(), ...other.eventsOf('tool.demoted').map(({ tool }) => tool.slice(2))]).toEqual(['t0']);
    const results = await Promise.all(TOOLS.flatMap((name) => both.map((toolbox) => toolbox.call(`a.${name}`, {}))));
    expect(results.filter((result) => result.ok && result.activated)).toHaveLength(1);
    expect((await one.open().surface()).tools).toHaveLength(4);
    await Promise.all([one.close(), other.close()]);
  });

  it('has no effect if everything is listed', async () => {
    const { toolbox, close } = await openToolbox({
      sources: [new FakeSource('a', TOOLS)],
      options: { exposure: 'all', activation: { whenFull: 'demote', maxTools: 1 } },
    });
    await toolbox.call('a.t0', {});
    expect(await toolbox.compact()).toEqual({ demoted: [] });
    expect((await toolbox.surface()).tools).toHaveLength(12);
    await close();
  });
});
