import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../../testing/open-toolbox.js';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { CodeSource } from '../../nest/tools/code.source.js';
import { defineTool } from '../../nest/decorators/define-tool.js';
import { withDefaults } from '../../options/options.js';
import { type TenantSourceOptions, tenantSourceOptions, type TenantSourceTuning } from './tenant-source-options.js';
import { TenantSources } from './tenant-sources.js';
import { Toolbox } from '../toolbox.js';

const TENANTS = Array.from({ length: 20 }, (_, index) => `tenant${index}`);

let world: OpenToolbox;
let tenantSources: TenantSources;
let now: number;
let faults: unknown[];
afterEach(async () => {
  await Promise.all([tenantSources.close(), world.close()]);
});

/** An application with tenant sources and a controlled clock. */
async function start(
  { waitMs = 60_000, ...options }: TenantSourceOptions & TenantSourceTuning,
  sources: readonly ToolSource[] = [],
) {
  now = 0;
  faults = [];
  world = await openToolbox({
    sources,
    options: { exposure: 'deferred', catalog: { bootWaitMs: 60_000 }, tuning: { catalog: { refreshEveryMs: 1 } } },
  });
  const { catalog, events, running } = world;
  tenantSources = new TenantSources(
    { waitMs, ...withDefaults(tenantSourceOptions, options), isOn: true },
    {
      catalog,
      events,
      running,
      retryMinMs: 4,
      retryMaxMs: 20,
      reportFault: (_what, error) => void faults.push(error),
      now: () => now,
    },
  );
}

const open = (tenantId: string, of: Partial<ToolContext> = {}) => {
  const context = toolContext({ tenantId, ...of });
  return new Toolbox({ ...world, tenantSources }, () => context);
};
const names = async (tenantId: string) => (await open(tenantId).visible()).map(({ name }) => name);
const own = (tenantId: string) =>
  new FakeSource('crm', [
    { name: 'find', description: `Finds the customers of ${tenantId}.`, run: () => `${tenantId} found` },
    { name: `only_${tenantId}` },
  ]);
const sourcesOf = (tenantId: string) => world.catalog.sources().filter(({ owner }) => owner === tenantId);
const event = (type: 'tenant_sources.degraded' | 'catalog.published') =>
  new Promise<void>((resolve) => {
    const stop = world.events.on(type, () => {
      stop();
      resolve();
    });
  });

describe('TenantSources', () => {
  it('are loaded at the tenant’s first request of any kind', async () => {
    await start({ load: (tenantId) => [own(tenantId)] });
    const kinds: [string, (toolbox: Toolbox) => Promise<unknown>, unknown][] = [
      ['visible', async (toolbox) => (await toolbox.visible()).length, 2],
      ['list', async (toolbox) => (await toolbox.list()).length, 0],
      ['surface', async (toolbox) => (await toolbox.surface({ text: 'customers' })).mode, 'deferred'],
      ['search', async (toolbox) => (await toolbox.search({ query: 'customers' })).tools[0]?.name, 'crm.find'],
      ['get', async (toolbox) => (await toolbox.get(['crm.find'])).tools.length, 1],
      ['activate', async (toolbox) => (await toolbox.activate(['crm.find'])).activated, ['crm.find']],
      ['call', async (toolbox) => (await toolbox.call('crm.find', {})).ok, true],
      ['admit', async (toolbox) => (await toolbox.admit('crm.find')).name, 'crm.find'],
      ['explain', async (toolbox) => (await toolbox.explain('crm.find')).outcome, 'allow'],
      ['narrow', async (toolbox) => (await toolbox.narrow({ allow: ['crm.find'] }).visible()).length, 1],
    ];
    for (const [kind, use, outcome] of kinds) {
      expect([kind, await use(open(kind, { runId: 'r' }))]).toEqual([kind, outcome]);
      expect([kind, sourcesOf(kind).length]).toEqual([kind, 1]);
    }
  });

  it('ask once for all who come at once, and not again as long as the tenant is there', async () => {
    const asked: unknown[] = [];
    await start({ load: async (tenantId, { userId }) => (asked.push([tenantId, userId]), [own(tenantId)]) });
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, user) => open('acme', { userId: `u${user}` }).visible()),
    );
    expect(new Set(all.map((tools) => tools.length))).toEqual(new Set([2]));
    await names('acme');
    expect(asked).toEqual([['acme', 'u0']]);
  });

  it('are not loaded for the context alone, and never without a tenant', async () => {
    const load = jest.fn(() => []);
    await start({ load });
    expect(await open('acme').context()).toEqual({ tenantId: 'acme' });
    expect(tenantSources.ready({ tenantId: '' })).toBeUndefined();
    expect(load).not.toHaveBeenCalled();
  });

  describe('keep tenants apart', () => {
    const shown = async (tenantId: string) => {
      const toolbox = open(tenantId, { runId: 'r' });
      const parts = [
        await toolbox.visible(),
        await toolbox.list(),
        await toolbox.surface({ text: `find customers of ${TENANTS.join(' ')}` }),
        await toolbox.search({ query: 'customers' }),
        await Promise.all(TENANTS.map((other) => toolbox.search({ query: `only ${other}` }))),
        await toolbox.get(['crm.find']),
        await toolbox.call('crm.find', {}),
      ];
      // The tenant's own query words may appear; the answers must contain nothing of another tenant.
      return JSON.stringify(parts, (key, value: unknown) => (key === 'unmatched' ? undefined : value));
    };
    const leaks = (tenantId: string, text: string) =>
      TENANTS.filter((other) => other !== tenantId && new RegExp(`${other}(?!\\d)`).test(text));

    it('twenty at once, whose sources and tools have equal names, going and coming back', async () => {
      await start({ load: async (tenantId) => [own(tenantId)], maxTenants: 12 });
      for (let round = 0; round < 3; round += 1) {
        now += 20_000;
        await Promise.all(
          TENANTS.map(async (tenantId, index) => {
            const text = await shown(tenantId);
            expect(leaks(tenantId, text)).toEqual([]);
            expect(text).toContain(`${tenantId} found`);
            if ((index + round) % 4 === 0) await tenantSources.forget(tenantId);
            if ((index + round) % 4 === 1) await tenantSources.refresh(tenantId);
          }),
        );
      }
    });

    it("answer about another tenant's tool as about one that never was", async () => {
      await start({ load: (tenantId) => [own(tenantId)] });
      await names('globex');
      const acme = open('acme', { runId: 'r' });
      const [theirs, unknown] = await Promise.all(
        ['crm.only_globex', 'crm.only_nobody'].map((name) => acme.call(name, {})),
      );
      expect(theirs).toEqual(unknown);
      await expect(acme.get(['crm.only_globex'])).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    });

    it('leave no statistic of one tenant in the scores of another', async () => {
      const scores = async (others: readonly string[]) => {
        await start({ load: (tenantId) => [own(tenantId)] });
        for (const other of others) await names(other);
        const { tools } = await open('acme').search({ query: 'find customers' });
        await Promise.all([tenantSources.close(), world.close()]);
        return tools.map(({ name, score }) => [name, score]);
      };
      expect(await scores(TENANTS)).toEqual(await scores([]));
    });

    it('refuse a source that names another owner, or a name that is taken, and take the rest', async () => {
      const shared = new FakeSource('crm', ['find'], { owner: 'acme' });
      const crossed = new FakeSource('theirs', ['spy'], { owner: 'globex' });
      await start(
        {
          load: (tenantId) => [
            crossed,
            own(tenantId),
            new FakeSource('files', ['read']),
            new FakeSource('files', ['write']),
            new FakeSource('mine', ['see'], { owner: tenantId }),
            'no source' as never,
            null as never,
          ],
        },
        [shared],
      );
      expect(await names('acme')).toEqual(['crm.find', 'files.read', 'mine.see']);
      expect(await names('globex')).toEqual(['crm.find', 'crm.only_globex', 'files.read', 'mine.see', 'theirs.spy']);
      const told = world.eventsOf('tenant_sources.degraded').filter(({ tenantId }) => tenantId === 'acme');
      expect(told.map(({ code, reason, retryInMs }) => [code, /gave (.*)\./.exec(reason)?.[1], retryInMs])).toEqual([
        ['INVALID_CONFIGURATION', 'the source theirs, which names another owner', 0],
        ['INVALID_CONFIGURATION', 'the source crm, whose name the tenant has already', 0],
        ['INVALID_CONFIGURATION', 'the source files, whose name the tenant has already', 0],
        ['INVALID_CONFIGURATION', 'something that is no tool source', 0],
        ['INVALID_CONFIGURATION', 'something that is no tool source', 0],
      ]);
      // `forget` must not remove a source that another part of the application added.
      await tenantSources.forget('acme');
      expect(sourcesOf('acme').map(({ source }) => source)).toEqual(['crm']);
      expect(shared.closed).toBe(false);
    });
  });

  it('refuse a source with a wrong setting alone, at a first request and at a refresh', async () => {
    const wrong = (settings: object) => Object.assign(new FakeSource('wrong', ['a']), settings);
    let sources: ToolSource[] = [wrong({ callTimeoutMs: -1 }), own('acme')];
    await start({ load: () => sources });
    expect(await names('acme')).toEqual(['crm.find', 'crm.only_acme']);
    sources = [...sources.slice(1), new FakeSource('files', ['read']), wrong({ limits: { tools: 'many' } })];
    await tenantSources.refresh('acme');
    expect(await names('acme')).toEqual(['crm.find', 'crm.only_acme', 'files.read']);
    expect(world.eventsOf('tenant_sources.degraded')).toMatchObject([
      { code: 'INVALID_CONFIGURATION', reason: expect.stringContaining('callTimeoutMs must be'), retryInMs: 0 },
      { code: 'INVALID_CONFIGURATION', reason: expect.stringContaining('limits.tools must be'), retryInMs: 0 },
    ]);
  });

  it('make a source their own that has private state', async () => {
    const tools = [defineTool({ name: 'ping', description: 'Answers.', run: (_input, { tenantId }) => tenantId })];
    await start({ load: () => [new CodeSource({ name: 'code', tools })] });
    expect(await open('acme').call('code.ping', {})).toMatchObject({ content: [{ text: 'acme' }] });
    expect(sourcesOf('acme')).toMatchObject([{ source: 'code', state: 'ready' }]);
    expect(sourcesOf('')).toEqual([]);
  });

  describe('hold up no request for long', () => {
    it('where a source is slow: it arrives later', async () => {
      let answer!: () => void;
      const slow = new FakeSource('slow', ['late']);
      const load = slow.load.bind(slow);
      slow.load = async (signal) => {
        await new Promise<void>((resolve) => (answer = resolve));
        return load(signal);
      };
      await start({ load: () => [slow, new FakeSource('quick', ['now'])], waitMs: 20 });
      while ((await names('acme')).length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(await names('acme')).toEqual(['quick.now']);
      const published = event('catalog.published');
      answer();
      await published;
      expect(await names('acme')).toEqual(['quick.now', 'slow.late']);
    });

    it('where load() hangs: who comes later does not wait at all, and other tenants not either', async () => {
      await start({
        load: (tenantId) => (tenantId === 'acme' ? new Promise<never>(() => undefined) : [own(tenantId)]),
        waitMs: 1_500,
      });
      expect(await names('acme')).toEqual([]);
      expect(tenantSources.ready({ tenantId: 'acme' })).toBeUndefined();
      expect(await names('globex')).toHaveLength(2);
    });

    it('where a source is down', async () => {
      const down = own('acme');
      down.failWith(new Error('ECONNREFUSED'));
      await start({ load: () => [down] });
      expect(await names('acme')).toEqual([]);
      expect(sourcesOf('acme')).toMatchObject([{ state: 'degraded' }]);
    });

    it('where load() throws: it is tried again with a growing wait, and no request fails', async () => {
      let tries = 0;
      await start({
        load: (tenantId) => {
          tries += 1;
          if (tries <= 3) throw new Error('no configuration: secret');
          return [own(tenantId)];
        },
      });
      const found = event('catalog.published');
      expect(await names('acme')).toEqual([]);
      await found;
      expect(await names('acme')).toHaveLength(2);
      expect(tries).toBe(4);
      const told = world.eventsOf('tenant_sources.degraded');
      expect(told.map(({ tenantId, code, reason }) => [tenantId, code, reason])).toEqual(
        Array.from({ length: 3 }, () => ['acme', 'SOURCE_UNAVAILABLE', 'tenantSources.load() failed']),
      );
      const waits = told.map(({ retryInMs }) => retryInMs);
      expect(waits[2]).toBeGreaterThan(waits[0]!);
      expect(faults).toHaveLength(3);
    });

    it('where load() gives no list', async () => {
      await start({ load: () => own('acme') as never });
      expect(await names('acme')).toEqual([]);
      expect(world.eventsOf('tenant_sources.degraded')[0]).toMatchObject({ code: 'INVALID_CONFIGURATION' });
    });
  });

  describe('go', () => {
    it('when the tenant has been idle for so long, and come back when it does', async () => {
      const made: FakeSource[] = [];
      await start({ load: (tenantId) => (made.push(own(tenantId)), [made.at(-1)!]), idleMs: 1_000 });
      const lasting = open('acme', { runId: 'r' });
      await lasting.visible();
      await names('globex');
      now = 900;
      // A toolbox in use keeps its tenant's sources loaded.
      await lasting.visible();
      now = 1_500;
      tenantSources.sweep();
      await tenantSources.forget('globex');
      expect(made.map(({ closed }) => closed)).toEqual([false, true]);
      expect(sourcesOf('globex')).toEqual([]);
      now = 1_900;
      tenantSources.sweep();
      expect(sourcesOf('acme')).toEqual([]);
      expect((await lasting.call('crm.find', {})).ok).toBe(true);
      expect(made.map(({ closed }) => closed)).toEqual([true, true, false]);
    });

    it('never while a call of theirs is running', async () => {
      let end!: (said: string) => void;
      const running = new Promise<string>((resolve) => (end = resolve));
      let begun!: () => void;
      const begin = new Promise<void>((resolve) => (begun = resolve));
      await start({
        load: () => [new FakeSource('crm', [{ name: 'slow', run: () => (begun(), running) }])],
        idleMs: 1_000,
        maxTenants: 1,
      });
      const call = open('acme', { runId: 'r' }).call('crm.slow', {});
      await begin;
      now = 5_000;
      tenantSources.sweep();
      await names('globex');
      expect(sourcesOf('acme')).toHaveLength(1);
      end('done');
      expect(await call).toMatchObject({ ok: true });
      tenantSources.sweep();
      expect(sourcesOf('acme')).toEqual([]);
      expect(sourcesOf('globex')).toHaveLength(1);
    });

    it('when there are too many, those first that were not used for longest', async () => {
      await start({ load: (tenantId) => [own(tenantId)], maxTenants: 3 });
      for (const tenantId of ['a', 'b', 'c', 'a', 'd']) {
        now += 20_000;
        await names(tenantId);
      }
      const owners = () => [...new Set(world.catalog.sources().map(({ owner }) => owner))].toSorted();
      expect(owners()).toEqual(['a', 'c', 'd']);
      now += 20_000;
      // A tenant that has just arrived is not removed for the next one.
      await Promise.all(TENANTS.map(names));
      expect(owners()).toEqual(TENANTS.toSorted());
      now += 20_000;
      tenantSources.sweep();
      expect(owners()).toHaveLength(3);
    });

    it('at once when they are forgotten, also while they are on their way', async () => {
      const made: FakeSource[] = [];
      let give!: () => void;
      const gate = new Promise<void>((resolve) => (give = resolve));
      await start({
        load: async (tenantId) => {
          if (made.length === 0) {
            made.push(own('first'));
            await gate;
            return [made[0]!];
          }
          made.push(own(tenantId));
          return [made.at(-1)!];
        },
        waitMs: 1_500,
      });
      expect(await names('acme')).toEqual([]);
      await tenantSources.forget('acme');
      expect(await names('acme')).toEqual(['crm.find', 'crm.only_acme']);
      give();
      while (!made[0]?.closed) await new Promise((resolve) => setImmediate(resolve));
      expect(made.map(({ closed }) => closed)).toEqual([true, false]);
      await tenantSources.forget('acme');
      await tenantSources.forget('nobody');
      expect(sourcesOf('acme')).toEqual([]);
      expect(made.map(({ closed }) => closed)).toEqual([true, true]);
    });

    it('for good at shutdown', async () => {
      const load = jest.fn((tenantId: string) => [own(tenantId)]);
      await start({ load });
      await names('acme');
      await Promise.all([tenantSources.close(), world.close()]);
      expect(tenantSources.ready({ tenantId: 'globex' })).toBeUndefined();
      expect(load).toHaveBeenCalledTimes(1);
    });
  });

  describe('are exchanged when a configuration has changed', () => {
    it('without a moment in which a request misses them', async () => {
      let tools = ['one'];
      const kept = new FakeSource('kept', ['stays']);
      const made: FakeSource[] = [];
      await start({
        load: async () => {
          made.push(new FakeSource('crm', tools));
          return [made.at(-1)!, kept];
        },
      });
      expect(await names('acme')).toEqual(['crm.one', 'kept.stays']);
      tools = ['two'];
      let isOver = false;
      const seen = new Set<string>();
      const look = async () => {
        while (!isOver) {
          seen.add((await names('acme')).join());
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const looking = look();
      await tenantSources.refresh('acme');
      isOver = true;
      await looking;
      expect(await names('acme')).toEqual(['crm.two', 'kept.stays']);
      expect([...seen].filter((each) => !['crm.one,kept.stays', 'crm.two,kept.stays'].includes(each))).toEqual([]);
      expect(made.map(({ closed }) => closed)).toEqual([true, false]);
      expect([kept.closed, kept.loads]).toEqual([false, 2]);
    });

    it('one after the other, so that the last change counts', async () => {
      let version = 0;
      await start({ load: async () => [new FakeSource('crm', [`v${version}`])] });
      await names('acme');
      const changes: Promise<void>[] = [];
      for (version = 1; version <= 5; version += 1) changes.push(tenantSources.refresh('acme'));
      version = 5;
      await Promise.all(changes);
      expect(await names('acme')).toEqual(['crm.v5']);
    });

    it('unless load() throws: then they stay, and it is tried again', async () => {
      let fault: Error | undefined;
      let tools = ['one'];
      await start({
        load: () => {
          if (fault) throw fault;
          return [new FakeSource('crm', tools)];
        },
      });
      await names('acme');
      [fault, tools] = [new Error('down'), ['two']];
      await expect(tenantSources.refresh('acme')).rejects.toThrow('down');
      expect(await names('acme')).toEqual(['crm.one']);
      fault = undefined;
      while ((await names('acme'))[0] !== 'crm.two') await event('catalog.published');
      expect(await names('acme')).toEqual(['crm.two']);
    });

    it('not for a tenant that is not there', async () => {
      const load = jest.fn(() => []);
      await start({ load });
      await tenantSources.refresh('acme');
      expect(load).not.toHaveBeenCalled();
    });
  });
});
