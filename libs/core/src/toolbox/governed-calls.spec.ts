import { setImmediate as turn } from 'node:timers/promises';
import { MemoryControlStore } from '../access/control/memory-control-store.js';
import type { FilterPhase } from '../access/narrowing.js';
import type { ToolVisibilityPolicy } from '../access/visibility-policy.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../testing/open-toolbox.js';
import type { ControlRecord } from '../access/control/control-store.js';
import type { ToolCall } from '../tool/tool-source.js';

const BECAUSE = { actor: 'olga', reason: 'incident 7' };
const UNAVAILABLE = { ok: false, code: 'TOOL_NOT_AVAILABLE' };

/** A promise that stays pending until a test resolves it. */
function latch() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const pass = () => {
    reach();
    return opened;
  };
  return { pass, reached, open };
}

/** Changes that may happen while a call waits. The decision uses them as soon as they resolve. */
const CHANGES: [string, (opened: OpenToolbox, source: FakeSource) => Promise<unknown>][] = [
  [
    'a switch for the tool',
    ({ killSwitches }) => killSwitches.engage({ ...BECAUSE, kind: 'tool', value: 'crm.delete' }),
  ],
  [
    'a switch for the tenant alone',
    ({ killSwitches }) => killSwitches.engage({ ...BECAUSE, kind: 'namespace', value: 'crm', tenantId: 'acme' }),
  ],
  [
    "the tenant's stored policy",
    ({ storedPolicies }) => storedPolicies.set({ tenantId: 'acme' }, { deny: ['crm.*'] }, BECAUSE),
  ],
  [
    'a stored policy that asks for an approval',
    ({ storedPolicies }) => storedPolicies.set({ tenantId: 'acme' }, { approval: ['crm.*'] }, BECAUSE),
  ],
  ["the tenant's policy", async ({ policies }) => policies.setTenant('acme', { allow: [] })],
  [
    'the catalog, which lost the tool',
    async ({ catalog }, source) => {
      source.setTools(['read']);
      await catalog.refresh();
    },
  ],
  [
    'the definition of the tool',
    async ({ catalog }, source) => {
      source.setTools([{ name: 'delete', description: 'Deletes something else.' }]);
      await catalog.refresh();
    },
  ],
];

describe.each(CHANGES)('once %s is changed', (_, change) => {
  it('a call that waited in the validation of its arguments does not run', async () => {
    const { pass, reached, open } = latch();
    const source = new FakeSource('crm', [
      { name: 'delete', validate: async (value) => (await pass(), { value }) },
      'read',
    ]);
    const opened = await openToolbox({ sources: [source] });
    const call = opened.toolbox.call('crm.delete', {});
    await reached;
    await change(opened, source);
    open();
    expect(await call).toMatchObject(UNAVAILABLE);
    expect(source.calls).toEqual([]);
    await opened.close();
  });

  it.each(['call', 'admit'] as const)('a %s that waited for the rule of the application is refused', async (how) => {
    const { pass, reached, open } = latch();
    let isWaiting = false;
    const visibility: ToolVisibilityPolicy = { filter: async (tools) => (isWaiting && (await pass()), tools) };
    const source = new FakeSource('crm', ['delete', 'read']);
    const opened = await openToolbox({ sources: [source], visibility });
    isWaiting = true;
    const answer = opened.toolbox[how]('crm.delete', {}).catch((error: unknown) => error);
    await reached;
    await change(opened, source);
    open();
    // A call that now needs an approval gets this code if the check is not too late.
    expect((await answer) as object).toMatchObject({
      code: expect.stringMatching(/^(TOOL_NOT_AVAILABLE|APPROVAL_REQUIRED)$/),
    });
    expect(source.calls).toEqual([]);
    await opened.close();
  });
});

it('a route that waited for the store of approvals is refused once the tool is off', async () => {
  const { pass, reached, open } = latch();
  class SlowStore extends MemoryControlStore {
    override async find(kind: ControlRecord['kind'], key: string) {
      if (kind === 'approval') await pass();
      return super.find(kind, key);
    }
  }
  const source = new FakeSource('crm', ['delete']);
  const opened = await openToolbox({
    sources: [source],
    policy: { approval: [{ tools: 'crm.*', scope: 'session' }] },
    controlStore: new SlowStore(),
  });
  open();
  await expect(opened.toolbox.admit('crm.delete')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  const [wish] = await opened.approvals.list({ limit: 1 });
  await opened.approvals.approve(wish!.id, BECAUSE);
  expect(await opened.toolbox.admit('crm.delete')).toMatchObject({ name: 'crm.delete' });
  const again = latch();
  jest.spyOn(SlowStore.prototype, 'find').mockImplementation(async function (this: MemoryControlStore, kind, key) {
    await again.pass();
    return MemoryControlStore.prototype.find.call(this, kind, key);
  });
  const admitted = opened.toolbox.admit('crm.delete').catch((error: unknown) => error);
  await again.reached;
  await opened.killSwitches.engage({ ...BECAUSE, kind: 'glob', value: 'crm.*' });
  again.open();
  expect(await admitted).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  await reached;
  await opened.close();
});

describe('after a switch is engaged', () => {
  it('64 loops that call all the time are not admitted once in 10,000 calls', async () => {
    let started = 0;
    const source = new FakeSource('crm', [
      { name: 'delete', validate: async (value) => (await turn(), { value }), run: () => void (started += 1) },
    ]);
    const visibility: ToolVisibilityPolicy = { filter: async (tools) => (await turn(), tools) };
    const opened = await openToolbox({ sources: [source], visibility });
    let isOff = false;
    let after = 0;
    let ran = 0;
    const loop = async () => {
      while (after < 10_000) {
        const began = isOff;
        const result = await opened.toolbox.call('crm.delete', {});
        if (began) after += 1;
        if (result.ok) ran += 1;
        if (began && result.ok) throw new Error('a call was admitted after the switch');
      }
    };
    const loops = Array.from({ length: 64 }, loop);
    while (ran < 200) await turn();
    await opened.killSwitches.engage({ ...BECAUSE, kind: 'tool', value: 'crm.delete' });
    isOff = true;
    const before = started;
    await Promise.all(loops);
    // Calls that were admitted and waiting at that moment did not start either.
    expect(started).toBe(before);
    expect(after).toBeGreaterThanOrEqual(10_000);
    await opened.close();
  });

  it('gives up running calls where it says so, discards what they answer later, and leaves the others alone', async () => {
    const calls: Record<string, { signal: AbortSignal; finish: (value: string) => void }> = {};
    const run =
      (name: string) =>
      (_input: unknown, _context: unknown, { signal }: ToolCall) =>
        new Promise<string>((finish) => (calls[name] = { signal, finish }));
    const source = new FakeSource('crm', [
      { name: 'stubborn', tags: ['slow'], run: run('stubborn') },
      { name: 'other', run: run('other') },
    ]);
    const opened = await openToolbox({ sources: [source] });
    const mine = opened.toolbox.call('crm.stubborn', {});
    const others = opened.toolbox.call('crm.other', {});
    while (!calls['stubborn'] || !calls['other']) await turn();
    // By default a kill switch lets running calls finish.
    await opened.killSwitches.engage({ ...BECAUSE, kind: 'tag', value: 'slow' });
    expect(calls['stubborn'].signal.aborted).toBe(false);
    await opened.killSwitches.engage({
      ...BECAUSE,
      kind: 'tag',
      value: 'slow',
      tenantId: 'globex',
      abortRunning: true,
    });
    expect(calls['stubborn'].signal.aborted).toBe(false);
    await opened.killSwitches.engage({ ...BECAUSE, kind: 'tag', value: 'slow', abortRunning: true });
    expect(calls['stubborn'].signal.aborted).toBe(true);
    calls['stubborn'].finish('secret of late');
    const result = await mine;
    expect(result).toMatchObject({
      ok: false,
      code: 'TOOL_CANCELLED',
      message: expect.stringContaining('may have taken effect'),
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    calls['other'].finish('done');
    expect(await others).toMatchObject({ ok: true });
    await opened.close();
  });
});

describe('a toolbox that was narrowed', () => {
  const tools = ['read', 'write', 'delete'];

  it('never shows what its parent agents may not see, under any agent id', async () => {
    const seen: Record<string, readonly string[]> = {
      '': ['crm.read', 'crm.write'],
      planner: ['crm.read', 'crm.delete'],
      writer: ['crm.read', 'crm.write', 'crm.delete'],
    };
    for (const cacheKey of [undefined, ({ agentId = '' }: { agentId?: string }) => agentId]) {
      const visibility: ToolVisibilityPolicy = {
        filter: (all, { agentId = '' }) => all.filter(({ name }) => seen[agentId]!.includes(name)),
        ...(cacheKey && { cacheKey }),
      };
      const opened = await openToolbox({ sources: [new FakeSource('crm', tools)], visibility });
      const { toolbox } = opened;
      const planner = toolbox.narrow({ agentId: 'planner' });
      const namesOf = async (box: typeof toolbox) => (await box.visible()).map(({ name }) => name.slice(4)).toSorted();
      expect(await namesOf(toolbox)).toEqual(['read', 'write']);
      expect(await namesOf(planner)).toEqual(['read']);
      expect(await namesOf(planner.narrow({}))).toEqual(['read']);
      expect(await namesOf(planner.narrow({ agentId: 'writer' }))).toEqual(['read']);
      expect(await namesOf(toolbox.narrow({ agentId: 'writer' }))).toEqual(['read', 'write']);
      expect(await planner.narrow({ agentId: 'writer' }).call('crm.delete', {})).toMatchObject(UNAVAILABLE);
      expect(await planner.narrow({}).call('crm.write', {})).toMatchObject(UNAVAILABLE);
      expect((await planner.narrow({ agentId: 'writer' }).context()).agentId).toBe('writer');
      await opened.close();
    }
  });

  it('keeps the stored policies of every agent on the way', async () => {
    const opened = await openToolbox({
      sources: [new FakeSource('crm', tools)],
      context: { tenantId: 'acme', agentId: 'boss' },
    });
    await opened.storedPolicies.set({ agentId: 'boss' }, { deny: ['crm.delete'] }, BECAUSE);
    await opened.storedPolicies.set({ agentId: 'planner', tenantId: 'acme' }, { deny: ['crm.write'] }, BECAUSE);
    const writer = opened.toolbox.narrow({ agentId: 'planner' }).narrow({ agentId: 'writer' });
    expect((await writer.visible()).map(({ name }) => name)).toEqual(['crm.read']);
    expect(await writer.call('crm.write', {})).toMatchObject(UNAVAILABLE);
    await opened.close();
  });

  it('opens what is searched to no later phase than the filter says: search holds load holds active', async () => {
    const takes: Record<string, FilterPhase> = { 'crm.write': 'load', 'crm.delete': 'active' };
    const asked = (name: string, phase: FilterPhase) => takes[name] !== phase;
    const opened = await openToolbox({
      sources: [new FakeSource('crm', tools)],
      options: { exposure: 'deferred', activation: { activateOn: 'load' } },
    });
    const box = opened.toolbox.narrow({ filter: ({ name }, phase) => asked(name, phase) });
    expect((await box.visible()).map(({ name }) => name)).toEqual(['crm.delete', 'crm.read', 'crm.write']);
    expect(await box.activate(tools.map((name) => `crm.${name}`))).toMatchObject({
      activated: ['crm.read', 'crm.delete'],
      unavailable: ['crm.write'],
    });
    expect((await box.list()).map(({ name }) => name)).toEqual(['crm.read']);
    expect(await box.call('crm.delete', {})).toMatchObject(UNAVAILABLE);
    expect(await box.call('crm.write', {})).toMatchObject(UNAVAILABLE);
    expect(await box.call('crm.read', {})).toMatchObject({ ok: true });
    await opened.close();
  });

  it('takes away what a filter throws at, or does not answer with true, now or later', async () => {
    const opened = await openToolbox({ sources: [new FakeSource('crm', tools)] });
    const answers: Record<string, () => unknown> = {
      'crm.read': () => JSON.parse('{'),
      'crm.write': () => Promise.resolve(false),
      'crm.delete': () => 1,
    };
    const box = opened.toolbox.narrow({ filter: ({ name }) => answers[name]!() as boolean });
    expect(await box.visible()).toEqual([]);
    for (const name of tools) expect(await box.call(`crm.${name}`, {})).toMatchObject(UNAVAILABLE);
    await opened.close();
  });
});
