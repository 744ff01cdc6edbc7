import { ingest } from '../../../catalog/ingest/ingest.js';
import { FakeSource, type FakeSourceTool } from '../../../testing/fakes/fake-source.js';
import { openToolbox } from '../../../testing/open-toolbox.js';
import type { ToolContext } from '../../../tool/tool-context.js';
import type { ToolEvent } from '../../../tool/tool-event.js';
import { ToolSearchError } from '../../../tool/tool-search.error.js';
import type { ToolSource } from '../../../tool/tool-source.js';
import { withDefaults } from '../../../options/options.js';
import type { CallOptions } from '../../call/call-options.js';
import { Toolbox } from '../../toolbox.js';
import { CachedResults } from './cached-results.js';
import { type ResultCacheOptions, resultCacheSchema } from './cache-rules.js';
import type { ResultCache } from './result-cache.js';

const ANY = { type: 'object' } as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Toolboxes with a cache, and a source of the tools `read` and `write`. */
async function opened(
  options: ResultCacheOptions,
  tool: Partial<FakeSourceTool> = {},
  { cache: port }: { cache?: ResultCache } = {},
) {
  const happened: ToolEvent[] = [];
  const faults: unknown[] = [];
  const cache = new CachedResults(
    withDefaults(resultCacheSchema, options),
    port,
    (_, error) => void faults.push(error),
  );
  const source = new FakeSource('crm', [
    { name: 'read', sideEffects: 'read', inputSchema: ANY, ...tool },
    { name: 'write', sideEffects: 'write', inputSchema: ANY },
  ]);
  const world = await openToolbox({
    sources: [source],
    options: { exposure: 'all', calls: { maxResultBytes: 5000 }, results: false, record: false },
  });
  world.events.on('tool.called', (event) => void happened.push(event));
  const call = (context: ToolContext, input: object = {}, { tool = 'read', agents = [], ...more }: CallSetup = {}) => {
    let toolbox = new Toolbox({ ...world, cachedResults: cache }, () => context);
    for (const agentId of agents) toolbox = toolbox.narrow({ agentId });
    return toolbox.call(`crm.${tool}`, input, more);
  };
  return { ...world, call, source, cache, happened, faults };
}

interface CallSetup extends Pick<CallOptions, 'signal' | 'confirm'> {
  readonly tool?: 'read' | 'write';
  /** For which the toolbox is narrowed, one after the other. */
  readonly agents?: readonly string[];
}

async function load(source: FakeSource) {
  const declarations = await source.load(new AbortController().signal);
  return Object.fromEntries(
    ingest(source, declarations, () => 'always').tools.map((each) => [each.executor.localName, each]),
  );
}

const READ: ResultCacheOptions = { tools: [{ match: ['crm.read'], ttlMs: 60_000 }] };
const SHARED = (shared: 'tenant' | 'all'): ResultCacheOptions => ({
  tools: [{ match: ['crm.read'], ttlMs: 60_000, shared }],
});
const ANN: ToolContext = { tenantId: 'acme', userId: 'ann' };
const BOB: ToolContext = { tenantId: 'acme', userId: 'bob' };
const EVE: ToolContext = { tenantId: 'globex', userId: 'eve' };

/** Answers with the number of the call. */
const counting = (): Partial<FakeSourceTool> => {
  let calls = 0;
  return { run: () => ({ call: ++calls }) };
};

describe('a stored result', () => {
  it('answers the same call of the same caller, byte for byte, and is recorded', async () => {
    const { call, source, happened } = await opened(READ, counting());
    const first = await call(ANN, { id: 1, deep: { a: 1, b: 2 } });
    expect(await call(ANN, { deep: { b: 2, a: 1 }, id: 1 })).toEqual(first);
    expect(await call(ANN, { id: 2 })).toMatchObject({ structured: { call: 2 } });
    expect(source.calls).toHaveLength(2);
    expect(happened).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok', cached: true }, { outcome: 'ok' }]);
    expect('cached' in happened[0]!).toBe(false);
  });

  it('cannot be changed by the callers that it was given to', async () => {
    const { call } = await opened(READ, counting());
    const first = (await call(ANN)) as unknown as { structured: { call: number } };
    first.structured.call = 99;
    const second = (await call(ANN)) as unknown as { content: unknown[] };
    second.content.length = 0;
    expect(await call(ANN)).toMatchObject({ structured: { call: 1 }, content: [{ text: '{"call":1}' }] });
  });

  it.each<[string, ToolContext, (readonly string[])?, (readonly string[])?]>([
    ['tenant', { ...ANN, tenantId: 'globex' }],
    ['user', BOB],
    ['roles', { ...ANN, roles: ['admin'] }],
    ['session', { ...ANN, sessionId: 's1' }],
    ['agent', { ...ANN, agentId: 'a1' }],
    ['agents above', ANN, ['lead', 'a1'], ['a1']],
    ['rights', { ...ANN, admin: true }],
    ['field of the application', { ...ANN, tier: 'gold' } as ToolContext],
  ])('is not used for another %s', async (_, other, agents = [], before = []) => {
    const { call, source } = await opened(READ, counting());
    await call(ANN, {}, { agents: before });
    await call(other, {}, { agents });
    expect(source.calls).toHaveLength(2);
    await call(ANN, {}, { agents: before });
    await call(other, {}, { agents });
    expect(source.calls).toHaveLength(2);
  });

  it('is used in another run, and with roles in another order', async () => {
    const { call, source } = await opened(READ, counting());
    await call({ ...ANN, runId: 'r1', roles: ['a', 'b'] });
    await call({ ...ANN, runId: 'r2', roles: ['b', 'a'] });
    expect(source.calls).toHaveLength(1);
  });

  it('is shared by a tenant or by all, only if the application says so', async () => {
    const ofTenant = await opened(SHARED('tenant'), counting());
    for (const who of [ANN, BOB, EVE]) await ofTenant.call(who);
    expect(ofTenant.source.calls).toHaveLength(2);
    const ofAll = await opened(SHARED('all'), counting());
    for (const who of [ANN, BOB, EVE]) await ofAll.call(who);
    expect(ofAll.source.calls).toHaveLength(1);
  });

  it('of a tenant’s own tool never leaves the tenant', async () => {
    const source = new FakeSource('crm', [{ name: 'read', sideEffects: 'read' }], { owner: 'acme' });
    const { definition: tool, executor } = (await load(source))['read']!;
    const cache = new CachedResults(withDefaults(resultCacheSchema, SHARED('all')));
    const own = { id: '1', signal: new AbortController().signal, deadline: Infinity, progress: () => undefined };
    let calls = 0;
    const fetch = async () => ({ output: { content: [], structured: ++calls, truncated: false }, isError: false });
    const input = {};
    for (const context of [ANN, BOB, EVE]) {
      await cache.answer({ tool, executor, context, input, value: input }, own, fetch);
    }
    expect(calls).toBe(2);
  });

  it('has the key of the application in place of its fields of the context', async () => {
    const key = (context: ToolContext) => String((context as { plan?: string }).plan);
    const { call, source } = await opened({ tools: [{ match: ['crm.*'], ttlMs: 60_000, key }] }, counting());
    const asking = (more: object) => call({ ...ANN, ...more } as ToolContext);
    await asking({ plan: 'pro', trace: '1' });
    await asking({ plan: 'pro', trace: '2' });
    await asking({ plan: 'free', trace: '3' });
    expect(source.calls).toHaveLength(2);
  });

  it.each([
    ['throws', () => JSON.parse('{')],
    ['returns no text', () => 7],
  ])('is neither stored nor used where the key of the application %s', async (_, key) => {
    const { call, source, faults } = await opened({ tools: [{ match: ['crm.*'], ttlMs: 60_000, key }] }, counting());
    await call(ANN);
    expect(await call(ANN)).toMatchObject({ ok: true });
    expect(source.calls).toHaveLength(2);
    expect(faults).toHaveLength(2);
  });

  it('is not used after its source was loaded again, even if the definition is what it was', async () => {
    const { call, source, catalog } = await opened(READ, counting());
    await call(ANN);
    await catalog.refresh('crm');
    expect(await call(ANN)).toMatchObject({ structured: { call: 2 } });
    expect(source.calls).toHaveLength(2);
  });

  it('is not given to a caller for whom the tool was turned off', async () => {
    const { call, killSwitches } = await opened(READ, counting());
    await call(ANN);
    const confirm = async () => {
      await killSwitches.engage({ kind: 'tool', value: 'crm.read', actor: 'olga', reason: 'stop' });
      return undefined;
    };
    expect(await call(ANN, {}, { confirm })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('is not given to a caller whom the guards of the tool refuse, who see the arguments that the tool receives', async () => {
    const { call, source } = await opened(SHARED('tenant'), {
      ...counting(),
      validate: (input) => ({ value: { account: (input as { account: string }).account.toLowerCase() } }),
    });
    (source as ToolSource).admit = async (_name, input, { userId }) => {
      const { account } = input as { account: string };
      if (account === 'secret' && userId !== 'ann') throw new ToolSearchError('TOOL_FORBIDDEN', 'No.');
    };
    expect(await call(ANN, { account: 'SECRET' })).toMatchObject({ structured: { call: 1 } });
    expect(await call(BOB, { account: 'SECRET' })).toMatchObject({ code: 'TOOL_FORBIDDEN' });
    expect(await call(ANN, { account: 'SECRET' })).toMatchObject({ structured: { call: 1 } });
  });

  it('is not given to a caller whose arguments do not fit', async () => {
    const { call } = await opened(READ, {
      ...counting(),
      validate: (input) => (input ? { issues: [] } : { value: 1 }),
    });
    expect(await call(ANN)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it.each<[string, Partial<FakeSourceTool>]>([
    ['fails', { run: () => Promise.reject(new Error('down')) }],
    ['reports an error', { run: () => ({ content: [{ type: 'text', text: 'no' }], isError: true }) }],
    ['returns more than fits', { run: () => 'x'.repeat(6000) }],
    ['writes', { sideEffects: 'write' }],
    ['has effects outside', { sideEffects: 'external' }],
  ])('is none where the tool %s', async (_, tool) => {
    const { call, source } = await opened({ tools: [{ match: ['*'], ttlMs: 60_000 }] }, tool);
    const first = await call(ANN);
    expect(await call(ANN)).toEqual(first);
    expect(source.calls).toHaveLength(2);
  });

  it('comes from a call with the same context: an answer of one caller is not for the others', async () => {
    const { call: asking } = await opened(READ, {
      run: (_, __, call) => ({ asks: call.asks, canAsk: 'ask' in call }),
    });
    expect(await asking(ANN)).toMatchObject({ structured: { asks: [], canAsk: false } });
  });

  it('costs no call when the cache fails', async () => {
    const broken = () => Promise.reject(new Error('connection lost'));
    const cache = { read: broken, write: broken, remove: broken, removeTools: broken } as ResultCache;
    const { call, faults } = await opened(READ, counting(), { cache });
    expect(await call(ANN)).toMatchObject({ ok: true });
    expect(await call(ANN)).toMatchObject({ ok: true });
    expect(faults).toHaveLength(4);
  });
});

describe('equal calls at the same time', () => {
  const held = () => {
    const ends: {
      readonly resolve: (value: unknown) => void;
      readonly reject: (error: Error) => void;
      readonly signal: AbortSignal;
    }[] = [];
    const run: FakeSourceTool['run'] = (_, __, { signal }) =>
      new Promise((resolve, reject) => ends.push({ resolve, reject, signal }));
    return { ends, tool: { run } };
  };

  it('are one call; the others are recorded as cached', async () => {
    const { ends, tool } = held();
    const { call, source, happened } = await opened(READ, tool);
    const all = Array.from({ length: 50 }, () => call(ANN));
    await settled();
    expect(source.calls).toHaveLength(1);
    ends[0]!.resolve({ found: 7 });
    const results = await Promise.all(all);
    expect(results.every((result) => result.ok && JSON.stringify(result.structured) === '{"found":7}')).toBe(true);
    expect(happened.filter((event) => 'cached' in event)).toHaveLength(49);
  });

  it('go on when the caller that began leaves, and end when all have left', async () => {
    const { ends, tool } = held();
    const { call, source } = await opened(READ, tool);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = call(ANN, {}, { signal: one.signal });
    const second = call(ANN, {}, { signal: two.signal });
    await settled();
    one.abort();
    expect(await first).toMatchObject({ code: 'TOOL_CANCELLED' });
    expect(ends[0]!.signal.aborted).toBe(false);
    ends[0]!.resolve('answer');
    expect(await second).toMatchObject({ ok: true, content: [{ text: 'answer' }] });

    const third = call(BOB, {}, { signal: two.signal });
    await settled();
    two.abort();
    expect(await third).toMatchObject({ code: 'TOOL_CANCELLED' });
    expect(ends[1]!.signal.aborted).toBe(true);
    // Who comes then asks anew.
    const fourth = call(BOB);
    await settled();
    expect(source.calls).toHaveLength(3);
    ends[2]!.resolve('anew');
    expect(await fourth).toMatchObject({ content: [{ text: 'anew' }] });
  });

  it.each<[string, (end: ReturnType<typeof held>['ends'][number]) => void]>([
    ['answered', ({ resolve }) => resolve('late')],
    ['failed', ({ reject }) => reject(new Error('down'))],
  ])('end without an answer where the tool was turned off before the equal call %s', async (_, end) => {
    const { ends, tool } = held();
    const { call, source, killSwitches } = await opened(SHARED('all'), tool);
    const calls = [call(ANN), call(EVE)];
    await settled();
    await killSwitches.engage({ kind: 'tool', value: 'crm.read', tenantId: 'globex', actor: 'olga', reason: 'stop' });
    end(ends[0]!);
    expect(await calls[1]).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await calls[0];
    expect(source.calls).toHaveLength(1);
  });

  it.each<[string, (end: ReturnType<typeof held>['ends'][number], who: string) => void]>([
    ['reports an error', ({ resolve }, who) => resolve({ content: [{ type: 'text', text: who }], isError: true })],
    ['fails', ({ reject }, who) => reject(new Error(who))],
  ])('share an error only with callers of the same context, where the call %s', async (_, end) => {
    const { ends, tool } = held();
    const { call, source } = await opened(SHARED('all'), tool);
    const calls = [call(ANN), call({ ...ANN, runId: 'r2' }), call(EVE)];
    await settled();
    expect(source.calls).toHaveLength(1);
    end(ends[0]!, 'a secret of ann');
    await settled();
    expect(source.calls).toHaveLength(2);
    expect(source.calls[1]!.context).toBe(EVE);
    ends[1]!.resolve('for eve');
    const [first, second, third] = await Promise.all(calls);
    expect(first).toMatchObject({ code: 'TOOL_FAILED' });
    expect(second).toEqual(first);
    expect(third).toMatchObject({ ok: true, content: [{ text: 'for eve' }] });
  });
});

describe('a write', () => {
  const RULES: ResultCacheOptions = {
    tools: [{ match: ['crm.read'], ttlMs: 60_000 }],
    writes: [{ match: ['crm.wri*'], invalidates: ['crm.*'] }],
  };

  it('discards what it names, of its tenant', async () => {
    const { call, source } = await opened(RULES, counting());
    for (const who of [ANN, BOB, EVE]) await call(who);
    await call(BOB, {}, { tool: 'write' });
    for (const who of [ANN, BOB, EVE]) await call(who);
    expect(source.calls.filter(({ name }) => name === 'read').map(({ context }) => context.userId)).toEqual([
      'ann',
      'bob',
      'eve',
      'ann',
      'bob',
    ]);
  });

  it('discards what all tenants share, and leaves what it does not name', async () => {
    const all = await opened({ ...RULES, ...SHARED('all') }, counting());
    await all.call(EVE);
    await all.call(ANN, {}, { tool: 'write' });
    await all.call(EVE);
    expect(all.source.calls.filter(({ name }) => name === 'read')).toHaveLength(2);
    const other = await opened({ ...RULES, writes: [{ match: ['crm.write'], invalidates: ['erp.*'] }] }, counting());
    await other.call(ANN);
    await other.call(ANN, {}, { tool: 'write' });
    await other.call(ANN);
    expect(other.source.calls.filter(({ name }) => name === 'read')).toHaveLength(1);
  });

  it('keeps a read that began before it from being stored, or given to later callers', async () => {
    const answers: ((value: unknown) => void)[] = [];
    const { call, source } = await opened(RULES, { run: () => new Promise((resolve) => answers.push(resolve)) });
    const before = call(ANN);
    await settled();
    await call(ANN, {}, { tool: 'write' });
    const after = call(ANN);
    await settled();
    answers[1]!('new');
    expect(await after).toMatchObject({ content: [{ text: 'new' }] });
    answers[0]!('old');
    expect(await before).toMatchObject({ content: [{ text: 'old' }] });
    expect(await call(ANN)).toMatchObject({ content: [{ text: 'new' }] });
    expect(source.calls.filter(({ name }) => name === 'read')).toHaveLength(2);
  });
});

/** In the quick tier a tenth, as of a property. */
const OPERATIONS = process.env['TOOL_SEARCH_TEST_PROPERTIES'] === 'full' ? 100_000 : 10_000;

describe('random operations of many callers', () => {
  it('give no caller the result or error of another, nothing stale, and leave no state behind', async () => {
    let seed = 20_240_314;
    const random = (max: number) => {
      // The linear congruential generator of Numerical Recipes.
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * max);
    };
    const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
    const source = new FakeSource('crm', [
      { name: 'own', sideEffects: 'read' },
      { name: 'tenant', sideEffects: 'read' },
      { name: 'all', sideEffects: 'read' },
      { name: 'write', sideEffects: 'write' },
    ]);
    const rules = (['own', 'tenant', 'all'] as const).map((name) => ({
      match: [`crm.${name}`],
      ttlMs: 60_000,
      ...(name !== 'own' && { shared: name }),
    }));
    const options = {
      tools: rules,
      writes: [{ match: ['crm.write'], invalidates: ['crm.*'] }],
      maxEntries: 200,
      maxEntriesPerTenant: 60,
    };
    const cache = new CachedResults(withDefaults(resultCacheSchema, options));
    let loaded = await load(source);
    let version = 0;
    const data = new Map<string, number>();
    const written = (tenant: string) => data.get(tenant) ?? 0;
    const contexts = ['a', 'b', 'c'].flatMap((tenantId) =>
      ['u', 'v', undefined].flatMap((userId) =>
        ['s', undefined].flatMap((sessionId) =>
          ['x', undefined].map((agentId) => JSON.parse(JSON.stringify({ tenantId, userId, sessionId, agentId }))),
        ),
      ),
    ) as ToolContext[];
    const nameOf = (context: ToolContext) => JSON.stringify(context);
    let hits = 0;
    let operations = 0;
    const operate = async () => {
      operations += 1;
      const context = pick(contexts);
      const abort = new AbortController();
      const name = pick(['own', 'tenant', 'all'] as const);
      const { definition: tool, executor } = loaded[name]!;
      const input = { id: random(3) };
      const begun = { version, data: written(context.tenantId) };
      const own = { id: '1', signal: abort.signal, deadline: Date.now() + 30_000, progress: () => undefined };
      const how = random(20);
      if (how === 0) queueMicrotask(() => abort.abort());
      const from = { name: nameOf(context), id: input.id, version, data: begun.data };
      const text = JSON.stringify(from);
      const asked = cache.answer({ tool, executor, context, input, value: input }, own, async () => {
        for (let turn = random(6); turn > 0; turn--) await Promise.resolve();
        if (how === 1) throw new Error(text);
        return { output: { content: [{ type: 'text', text }], truncated: false }, isError: how === 2 };
      });
      const outcome = await asked.catch((error: Error) => error);
      if (outcome instanceof Error && outcome.message === 'aborted') return;
      const isError = outcome instanceof Error || (typeof outcome.answer !== 'string' && outcome.answer.isError);
      const said =
        outcome instanceof Error
          ? outcome.message
          : (outcome.answer as unknown as { output: { content: [{ text: string }] } }).output.content[0].text;
      const given = JSON.parse(said) as typeof from;
      if (!(outcome instanceof Error) && outcome.cached) hits += 1;
      const sharing = isError || name === 'own' ? 'own' : name;
      const isAllowed =
        sharing === 'all' ||
        (sharing === 'tenant'
          ? (JSON.parse(given.name) as ToolContext).tenantId === context.tenantId
          : given.name === nameOf(context));
      const isFresh = given.version === begun.version && (name === 'all' || given.data === begun.data);
      // Not an expectation each time: a hundred thousand of them take most of the time.
      if (!isAllowed || !isFresh || given.id !== input.id) throw new Error(`${nameOf(context)} was given ${said}`);
    };
    while (operations < OPERATIONS) {
      await Promise.all(Array.from({ length: 1 + random(8) }, operate));
      if (random(40) === 0) {
        // The definitions change.
        version += 1;
        loaded = await load(source);
      }
      if (random(20) === 0) {
        const tenantId = pick(['a', 'b', 'c']);
        const { definition, executor } = loaded['write']!;
        await cache.following(
          definition,
          executor,
          tenantId,
          async () => void data.set(tenantId, written(tenantId) + 1),
        );
      }
    }
    expect(hits).toBeGreaterThan(OPERATIONS / 20);
    expect(cache.running).toBe(0);
  });
});
