import fc from 'fast-check';
import { MemoryActivationStore } from '../../activation/memory-activation-store.js';
import { MemoryPausedRunStore } from './memory-paused-run-store.js';
import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { ON_DRIFT, type OnDrift } from './run-pauses.js';
import type { Toolbox } from '../toolbox.js';

const DAY = 86_400_000;
const TOOLS: readonly FakeSourceTool[] = [
  { name: 'list_files', description: 'Lists files.', loading: 'always' },
  { name: 'read_file', description: 'Reads a file.' },
  { name: 'write_file', description: 'Writes a file.' },
  { name: 'copy_file', description: 'Copies a file.' },
];

/** Two instances of an application with shared stores and a clock. */
async function instances(setup: Partial<ToolboxSetup> = {}) {
  const clock = { now: 1_800_000_000_000 };
  const store = new MemoryActivationStore();
  const pausedRuns = new MemoryPausedRunStore();
  const start = async () => {
    const source = new FakeSource('files', TOOLS);
    const opened = await openToolbox({
      sources: [source],
      store,
      pausedRuns,
      now: () => clock.now,
      ...setup,
    });
    const change = async (tools: readonly FakeSourceTool[]) => {
      source.setTools(tools);
      await opened.catalog.refresh();
    };
    return { ...opened, change };
  };
  const [here, there] = [await start(), await start()];
  const close = () => Promise.all([here.close(), there.close()]);
  return { here, there, clock, store, pausedRuns, close };
}

/** Offers two tools and activates the second, so that order and state both matter. */
async function work(toolbox: Toolbox): Promise<void> {
  await toolbox.get(['files.write_file']);
  await toolbox.get(['files.read_file']);
  await toolbox.call('files.read_file', {});
}

const names = async (toolbox: Toolbox) =>
  (await toolbox.list()).map(({ name, active }) => `${name}${active ? '*' : ''}`);
const OPERATOR = { actor: 'olga', reason: 'an incident' };
const IN_PLAY = ['files.list_files', 'files.write_file', 'files.read_file*'];
const without = (...gone: readonly string[]) => TOOLS.filter(({ name }) => !gone.includes(name));
const changed = (...some: readonly string[]) =>
  TOOLS.map((tool) => (some.includes(tool.name) ? { ...tool, description: `${tool.description} Anew.` } : tool));
const refusal = (code: string) => expect.objectContaining({ code, hint: expect.stringMatching(/.+/) });

describe('a run that pauses', () => {
  it('says what is in play, and keeps names and hashes of that alone', async () => {
    const { here, pausedRuns, clock, close } = await instances();
    await work(here.toolbox);
    expect(await here.toolbox.pause()).toEqual({
      runId: 'run-1',
      pausedAt: clock.now,
      tools: [
        { name: 'files.write_file', state: 'offered' },
        { name: 'files.read_file', state: 'activated' },
      ],
    });
    const kept = await pausedRuns.find({ tenantId: 'acme', userId: 'ada', runId: 'run-1' });
    expect(JSON.stringify(kept)).not.toMatch(/file\.|Reads|properties|list_files/);
    expect(here.eventsOf('run.paused')).toMatchObject([{ tenantId: 'acme', runId: 'run-1', tools: 2 }]);
    await close();
  });

  it('needs an id', async () => {
    const { here, close } = await instances({ context: { tenantId: 'acme' } });
    await expect(here.toolbox.pause()).rejects.toThrow(refusal('INVALID_SESSION'));
    await expect(here.toolbox.resume()).rejects.toThrow(refusal('INVALID_SESSION'));
    await close();
  });

  it('is that of a narrowed toolbox with a run of its own, and not of one without', async () => {
    const { here, there, close } = await instances();
    const narrow = ({ toolbox }: Pick<OpenToolbox, 'toolbox'>) =>
      toolbox.narrow({ runId: 'sub', deny: ['files.copy_*'] });
    await work(narrow(here));
    expect(await narrow(here).pause()).toMatchObject({ runId: 'sub', tools: [{}, { state: 'activated' }] });
    await expect(there.toolbox.resume()).rejects.toThrow(refusal('RUN_NOT_FOUND'));
    expect(await narrow(there).resume()).toMatchObject({ catalogChanged: false });
    expect(await names(narrow(there))).toEqual(IN_PLAY);
    await expect(here.toolbox.narrow({}).pause()).rejects.toThrow(refusal('INVALID_SESSION'));
    await close();
  });

  it('stores no tool that it may not see any more', async () => {
    const { here, close } = await instances();
    await work(here.toolbox);
    here.policies.setTenant('acme', { deny: ['files.write_*'] });
    expect((await here.toolbox.pause()).tools).toEqual([{ name: 'files.read_file', state: 'activated' }]);
    await close();
  });

  it('stores no tools if everything is listed', async () => {
    const { here, there, close } = await instances({ options: { exposure: 'all' } });
    expect((await here.toolbox.pause()).tools).toEqual([]);
    expect(await there.toolbox.resume()).toMatchObject({ tools: [] });
    expect(await names(there.toolbox)).toHaveLength(4);
    await close();
  });
});

describe('a run that resumes', () => {
  it('has its list again, in its order, on another instance', async () => {
    const { here, there, clock, close } = await instances();
    await work(here.toolbox);
    expect(await names(here.toolbox)).toEqual(IN_PLAY);
    const { pausedAt } = await here.toolbox.pause();
    clock.now += DAY / 2;
    expect(await names(there.toolbox)).toEqual(['files.list_files', 'files.read_file*']);
    const reply = await there.toolbox.resume();
    expect(reply).toEqual({
      runId: 'run-1',
      pausedAt,
      tools: [
        { name: 'files.write_file', drift: 'same' },
        { name: 'files.read_file', drift: 'same' },
      ],
      catalogChanged: false,
      policyChanged: false,
    });
    expect(await names(there.toolbox)).toEqual(IN_PLAY);
    expect(there.eventsOf('run.resumed')).toMatchObject([{ runId: 'run-1', same: 2, changed: 0, gone: 0 }]);
    expect(await there.toolbox.resume()).toEqual(reply);
    expect(await names(there.toolbox)).toEqual(IN_PLAY);
    await close();
  });

  it('is offered what it had activated when the activation has been forgotten meanwhile', async () => {
    const { here, there, clock, close } = await instances();
    await work(here.toolbox);
    await here.toolbox.pause();
    clock.now += 3 * DAY;
    await there.toolbox.resume();
    expect(await names(there.toolbox)).toEqual(['files.list_files', 'files.write_file', 'files.read_file']);
    expect(await there.toolbox.call('files.read_file', {})).toMatchObject({ ok: true, activated: true });
    await close();
  });

  it.each([
    // [activated, offered after that, kept]
    [100, 200, 200],
    [250, 60, 250],
  ])('has all that the pause has kept, with %i activated and %i offered tools', async (activated, offered, kept) => {
    const tools = Array.from({ length: activated + offered }, (_, tool) => `t${tool}`);
    const { toolbox, activations, close } = await openToolbox({
      sources: [new FakeSource('x', tools)],
      options: { exposure: 'deferred', activation: { maxTools: 0 } },
    });
    for (let at = 0; at < tools.length; at += 10) {
      const some = tools.slice(at, at + 10).map((name) => `x.${name}`);
      await (at < activated ? toolbox.activate(some) : toolbox.get(some));
    }
    const receipt = (await toolbox.pause()).tools.map(({ name }) => name);
    expect(receipt).toHaveLength(kept);
    expect(receipt).toEqual(expect.arrayContaining(tools.slice(0, activated).map((name) => `x.${name}`)));
    // The longest pause that is allowed: the activations have expired meanwhile.
    await activations.revokeAll({});
    const resumed = (await toolbox.resume()).tools;
    expect(resumed).toEqual(receipt.map((name) => ({ name, drift: 'same' })));
    expect((await toolbox.list()).map(({ name }) => name)).toEqual(receipt);
    await close();
  });

  it('continues where it was paused, with any later offers', async () => {
    const { here, close } = await instances();
    await work(here.toolbox);
    await here.toolbox.pause();
    await here.toolbox.get(['files.copy_file']);
    await here.toolbox.resume();
    expect(await names(here.toolbox)).toEqual(IN_PLAY);
    await here.toolbox.get(['files.copy_file']);
    await here.toolbox.pause();
    expect((await here.toolbox.resume()).tools).toHaveLength(3);
    await close();
  });

  it('is not found if it is unknown, expired or another user’s, with one answer', async () => {
    const { here, there, clock, close } = await instances();
    await work(here.toolbox);
    await here.toolbox.pause();
    const answers = [];
    const others: readonly Partial<ToolContext>[] = [
      { runId: 'run-2' },
      { tenantId: 'globex' },
      { userId: 'bob' },
      { userId: undefined },
    ];
    const failed = (toolbox: Toolbox) =>
      toolbox.resume().then(
        () => 'resumed',
        ({ code, message, hint }: Error & { code: string; hint: string }) => JSON.stringify({ code, message, hint }),
      );
    for (const other of others) answers.push(await failed(there.open(other)));
    clock.now += 7 * DAY;
    expect(await failed(there.toolbox)).toBe('resumed');
    clock.now += 1;
    answers.push(await failed(there.toolbox));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('RUN_NOT_FOUND');
    await close();
  });

  it('stays in its session', async () => {
    const { here, there, close } = await instances({
      context: { tenantId: 'acme', userId: 'ada', sessionId: 's1', runId: 'run-1' },
    });
    await work(here.toolbox);
    await here.toolbox.pause();
    await expect(there.open({ sessionId: 's2' }).resume()).rejects.toThrow(refusal('INVALID_SESSION'));
    await there.toolbox.resume();
    expect(await names(there.toolbox)).toEqual(IN_PLAY);
    await close();
  });

  it('learns that the catalog or what operators decided is not what it was', async () => {
    const { here, there, close } = await instances();
    await here.toolbox.pause();
    await there.killSwitches.engage({ kind: 'tool', value: 'no.such_tool', ...OPERATOR });
    // A rule that concerns no tool of this run is not reported.
    expect(await there.toolbox.resume()).toMatchObject({ catalogChanged: false, policyChanged: false });
    await there.killSwitches.engage({ kind: 'tool', value: 'files.copy_file', ...OPERATOR });
    expect(await there.toolbox.resume()).toMatchObject({ catalogChanged: true, policyChanged: true });
    await there.change(changed('copy_file'));
    expect(await there.toolbox.resume()).toMatchObject({ catalogChanged: true, policyChanged: true });
    await close();
  });

  it('is refused a way to treat drift that does not exist', async () => {
    const { here, close } = await instances();
    await here.toolbox.pause();
    await expect(here.toolbox.resume({ onDrift: 'ignore' as OnDrift })).rejects.toThrow(refusal('INVALID_ARGUMENTS'));
    await close();
  });

  it('can be swept once it cannot be resumed any more', async () => {
    const { here, there, clock, pausedRuns, close } = await instances({
      options: { exposure: 'deferred', runs: { ttlMs: 1000 } },
    });
    for (let run = 0; run < 450; run += 1) await here.open({ runId: `old-${run}` }).pause();
    clock.now += 1001;
    await here.toolbox.pause();
    expect(await there.pauses.sweep()).toBe(450);
    expect(await pausedRuns.find({ tenantId: 'acme', userId: 'ada', runId: 'run-1' })).toBeDefined();
    await close();
    const forEver = await instances({ options: { exposure: 'deferred', runs: { ttlMs: 0 } } });
    await forEver.here.toolbox.pause();
    forEver.clock.now += 1000 * DAY;
    expect(await forEver.there.pauses.sweep()).toBe(0);
    expect(await forEver.there.toolbox.resume()).toMatchObject({ runId: 'run-1' });
    await forEver.close();
  });
});

describe('a tool that is not what it was', () => {
  const drifted = async (onDrift?: OnDrift) => {
    const made = await instances();
    await work(made.here.toolbox);
    await made.here.toolbox.pause();
    await made.there.change(changed('read_file'));
    return { ...made, resumed: made.there.toolbox.resume(onDrift && { onDrift }) };
  };

  it.each([undefined, 'search_again' as const])('has to be found again (%s)', async (onDrift) => {
    const { there, resumed, close } = await drifted(onDrift);
    expect((await resumed).tools).toEqual([
      { name: 'files.write_file', drift: 'same' },
      { name: 'files.read_file', drift: 'changed' },
    ]);
    expect(await names(there.toolbox)).toEqual(['files.list_files', 'files.write_file']);
    expect(there.eventsOf('activation.revoked')).toMatchObject([{ tenantId: 'acme', removed: 1 }]);
    await there.toolbox.get(['files.read_file']);
    expect(await names(there.toolbox)).toEqual(['files.list_files', 'files.write_file', 'files.read_file']);
    await close();
  });

  it('stays with its new definition where the run continues', async () => {
    const { there, resumed, close } = await drifted('continue');
    expect((await resumed).tools).toContainEqual({ name: 'files.read_file', drift: 'changed' });
    expect(await names(there.toolbox)).toEqual(IN_PLAY);
    expect((await there.toolbox.list()).at(-1)?.description).toBe('Reads a file. Anew.');
    await close();
  });

  it('fails for a drifted tool before anything is restored', async () => {
    const { there, resumed, store, close } = await drifted('fail');
    await expect(resumed).rejects.toMatchObject({
      code: 'RUN_DRIFTED',
      message: 'Tools of this run are not what they were: files.read_file (changed).',
      hint: expect.stringContaining('search_again'),
    });
    expect(await names(there.toolbox)).toEqual(['files.list_files', 'files.read_file*']);
    expect((await store.stats(0)).activations).toBe(1);
    expect(there.eventsOf('run.resumed')).toEqual([]);
    await close();
  });

  it('does not stop a run whose tools are the same, though others changed', async () => {
    const { here, there, close } = await instances();
    await work(here.toolbox);
    await here.toolbox.pause();
    await there.change(without('copy_file'));
    expect(await there.toolbox.resume({ onDrift: 'fail' })).toMatchObject({ catalogChanged: true });
    await close();
  });

  it('uses the module’s option by default', async () => {
    const { here, there, close } = await instances({ options: { exposure: 'deferred', runs: { onDrift: 'fail' } } });
    await work(here.toolbox);
    await here.toolbox.pause();
    await there.change(changed('read_file', 'write_file'));
    await expect(there.toolbox.resume()).rejects.toThrow(refusal('RUN_DRIFTED'));
    await there.toolbox.resume({ onDrift: 'continue' });
    expect(await names(there.toolbox)).toEqual(IN_PLAY);
    await close();
  });

  it('is withdrawn under the name that its record has, though that is an alias now', async () => {
    const { here, there, close } = await instances();
    await work(here.toolbox);
    await there.change([...without('read_file'), { name: 'load_file', aliases: ['files.read_file'] }]);
    expect(await names(there.toolbox)).toEqual(['files.list_files', 'files.load_file*']);
    await there.toolbox.pause();
    await there.change([...without('read_file'), { name: 'load_file', aliases: ['files.read_file'], tags: ['new'] }]);
    await there.toolbox.resume();
    expect(await names(there.toolbox)).toEqual(['files.list_files']);
    await close();
  });
});

describe('a tool that is hidden when the run resumes', () => {
  type Instance = Awaited<ReturnType<typeof instances>>['there'];
  /** Ways to remove a tool, each with the way to bring it back. */
  const ways: readonly ((there: Instance) => Promise<() => unknown>)[] = [
    async ({ change }) => {
      await change(without('read_file'));
      return () => change(TOOLS);
    },
    async ({ policies }) => {
      policies.setTenant('acme', { deny: ['files.read_file'] });
      return () => policies.setTenant('acme', {});
    },
    async ({ storedPolicies }) => {
      await storedPolicies.set({ tenantId: 'acme' }, { deny: ['files.read_file'] }, OPERATOR);
      return () => storedPolicies.set({ tenantId: 'acme' }, {}, OPERATOR);
    },
    async ({ killSwitches }) => {
      const { killSwitch, revision } = await killSwitches.engage({
        kind: 'tool',
        value: 'files.read_file',
        ...OPERATOR,
      });
      return () => killSwitches.release(killSwitch.id, { ...OPERATOR, expectedRevision: revision });
    },
  ];

  it.each(ON_DRIFT)(
    'leaves no trace but the name that the run knew, as one that was withdrawn (%s)',
    async (onDrift) => {
      const outcomes = [];
      for (const hide of ways) {
        const { here, there, close } = await instances();
        await work(here.toolbox);
        await here.toolbox.pause();
        const bringBack = await hide(there);
        const reply = await there.toolbox.resume({ onDrift }).then(
          ({ policyChanged: _operators, ...rest }) => rest,
          ({ code, message, hint }) => ({ code, message, hint }),
        );
        const surface = await there.toolbox.surface({ text: 'read a file' });
        const called = await there.toolbox.call('files.read_file', {});
        expect(JSON.stringify([reply, surface, called])).not.toContain('Reads a file');
        if (onDrift !== 'fail') expect(reply).toMatchObject({ tools: [{ drift: 'same' }, { drift: 'gone' }] });
        await bringBack();
        outcomes.push({ reply, surface: JSON.stringify(surface), called, after: await names(there.toolbox) });
        await close();
      }
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
      // The tool does not come back by itself: it was withdrawn from this run.
      expect(outcomes[0]!.after.includes('files.read_file*')).toBe(onDrift === 'fail');
    },
  );

  it('by a policy that fails is not withdrawn: the run can try again', async () => {
    const policy = { isDown: false };
    const { here, there, close } = await instances({
      visibility: {
        filter: (tools) => {
          if (policy.isDown) throw new Error('down');
          return tools;
        },
      },
    });
    await work(here.toolbox);
    await here.toolbox.pause();
    policy.isDown = true;
    await expect(there.open().resume()).rejects.toThrow(refusal('GATE_CLOSED'));
    await expect(there.open().pause()).rejects.toThrow(refusal('GATE_CLOSED'));
    policy.isDown = false;
    const again = there.open();
    expect((await again.resume()).tools).toHaveLength(2);
    expect(await names(again)).toEqual(IN_PLAY);
    await close();
  });
});

describe('a store that fails', () => {
  class Broken extends MemoryPausedRunStore {
    override async find(): Promise<never> {
      throw new Error('password=hunter2');
    }
    override async save(): Promise<never> {
      throw new Error('password=hunter2');
    }
    override async sweep(): Promise<never> {
      throw new Error('password=hunter2');
    }
  }

  it('is answered with one code and none of its words', async () => {
    const { here, close } = await instances({ pausedRuns: new Broken() });
    for (const doing of [() => here.toolbox.pause(), () => here.toolbox.resume(), () => here.pauses.sweep()]) {
      const error = await doing().then(
        () => undefined,
        (fault: unknown) => fault as Error & { code: string; hint: string },
      );
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', hint: expect.stringMatching(/.+/) });
      expect(`${error?.message} ${error?.hint}`).not.toContain('hunter2');
    }
    expect(here.happened.filter(({ type }) => type.startsWith('run.'))).toEqual([]);
    await close();
  });
});

describe('for any changes while a run is paused', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f'];
  const some = fc.uniqueArray(fc.constantFrom(...all));
  const fate = fc.constantFrom('same', 'reworded', 'removed', 'always', 'denied', 'hidden', 'renamed');

  it('the run lists no more than a new one with the same tools would, and only the newest definitions', async () => {
    await fc.assert(
      fc.asyncProperty(
        some,
        some,
        fc.tuple(...all.map(() => fate)),
        fc.constantFrom(...ON_DRIFT),
        some,
        async (offered, activated, fates, onDrift, revoked) => {
          const fateOf = new Map(all.map((name, index) => [name, fates[index]!]));
          const hidden = new Set<string>();
          const source = new FakeSource(
            'x',
            all.map((name) => ({ name, description: 'OLD' })),
          );
          const app: OpenToolbox = await openToolbox({
            sources: [source],
            visibility: {
              filter: (tools) => tools.filter(({ name }) => !hidden.has(name)),
              cacheKey: () => String(hidden.size),
            },
          });
          const run = app.toolbox;
          if (offered.length > 0) await run.get(offered.map((name) => `x.${name}`));
          if (activated.length > 0) await run.activate(activated.map((name) => `x.${name}`));
          const inPlay = (await run.pause()).tools.map(({ name }) => name);

          const tools: FakeSourceTool[] = [];
          for (const [name, what] of fateOf) {
            const base = { name, description: 'OLD' };
            if (what === 'reworded') tools.push({ ...base, description: 'NEW' });
            else if (what === 'always') tools.push({ ...base, loading: 'always' });
            else if (what === 'renamed') tools.push({ ...base, name: `${name}2`, aliases: [`x.${name}`] });
            else if (what !== 'removed') tools.push(base);
            if (what === 'hidden') hidden.add(`x.${name}`);
          }
          source.setTools(tools);
          await app.catalog.refresh();
          const denied = all.filter((name) => fateOf.get(name) === 'denied').map((name) => `x.${name}`);
          app.policies.setTenant('acme', { deny: denied });
          for (const name of revoked) await app.activations.revokeAll({ tool: `x.${name}` });

          const before = await run.list();
          const reply = await run.resume({ onDrift }).catch((error: { code: string }) => error.code);
          const listed = await app.open().list();
          const newest = new Map(app.catalog.current().tools.map((tool) => [tool.name, tool]));
          for (const { name, definition } of listed) expect(definition).toBe(newest.get(name));

          const fresh = app.open({ runId: 'fresh' });
          if (inPlay.length > 0) await fresh.activate(inPlay);
          const legal = (await fresh.list()).map(({ name }) => name);
          expect(legal).toEqual(expect.arrayContaining(listed.map(({ name }) => name)));

          if (reply === 'RUN_DRIFTED') {
            expect(onDrift).toBe('fail');
            expect(listed).toEqual(before);
          } else if (typeof reply === 'object') {
            expect(reply.tools.map(({ name }) => name)).toEqual(inPlay);
            const deferred = listed.filter(({ loading }) => loading === 'deferred').map(({ definition }) => definition);
            for (const { name, drift } of reply.tools) {
              const today = deferred.some((tool) => tool.name === name || tool.aliases.includes(name));
              if (drift === 'same') expect(today).toBe(true);
              else if (drift === 'gone' || onDrift === 'search_again') expect(today).toBe(false);
            }
          } else {
            expect(reply).toBe('');
          }
          await app.close();
        },
      ),
      { numRuns: 150 },
    );
  });
});
