import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import type { JsonObject } from '../../json/json.js';
import { estimateTokens } from '../../tool/token-count.js';
import { contentText, resultText, type ToolResult } from '../../tool/tool-result.js';
import { Toolbox } from '../toolbox.js';

/** About 1 MB of JSON. */
const ITEMS = Array.from({ length: 12_000 }, (_, id) => ({ id, name: `Item ${id}`, note: `note ${id} `.repeat(4) }));
const REPORT = { total: ITEMS.length, items: ITEMS };
const LOG = Array.from({ length: 20_000 }, (_, line) => `line ${line} of the log`).join('\n');
const PIXEL = { type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' } as const;

const reports = () =>
  new FakeSource('reports', [
    { name: 'list', run: () => REPORT },
    { name: 'log', run: () => LOG },
    { name: 'small', run: () => ({ a: 1 }) },
    { name: 'photo', run: () => 'unused' },
  ]);

const open = (setup: ToolboxSetup = {}) => openToolbox({ sources: [reports()], ...setup });
type World = Awaited<ReturnType<typeof open>>;
const text = (result: ToolResult) => (result.ok ? contentText(result.content) : JSON.stringify(result));
const json = (result: ToolResult) => JSON.parse(text(result)) as JsonObject;
const handleIn = (result: ToolResult) => result.handle ?? 'none';
const shown = async ({ toolbox }: World, mode?: 'all' | 'bridge' | 'deferred' | 'native') =>
  (await toolbox.surface(mode ? { mode } : {})).tools.map(({ name }) => name);

it('a result of 1 MB has at most 2,000 tokens for a model, with its note, and stays valid JSON', async () => {
  const world = await open();
  const result = await world.toolbox.call('reports.list', {});
  expect(JSON.stringify(REPORT).length).toBeGreaterThan(900_000);
  expect(estimateTokens(resultText(result))).toBeLessThanOrEqual(2000);
  expect(estimateTokens(resultText(result))).toBeGreaterThan(1500);
  expect(json(result)).toMatchObject({ total: 12_000, items: expect.arrayContaining([ITEMS[0]]) });
  expect(result).not.toHaveProperty('structured');
  expect(result).not.toHaveProperty('truncated');
  const chars = JSON.stringify(REPORT).length;
  expect(result.note).toMatch(
    new RegExp(
      `^\\[Shortened: the whole result has ${chars} characters and is kept for 60 min\\. Read on: tool_result `,
    ),
  );
  expect(world.eventsOf('result.shortened')).toEqual([
    expect.objectContaining({ tool: 'reports.list', chars, held: true }),
  ]);
});

it('a result within the bound is left as it is', async () => {
  const { toolbox } = await open();
  expect(await toolbox.call('reports.small', {})).toMatchObject({
    content: [{ type: 'text', text: '{"a":1}' }],
    structured: { a: 1 },
  });
});

it('a program gets the whole result', async () => {
  const { toolbox } = await open();
  const result = await toolbox.call('reports.list', {}, { whole: true });
  expect(json(result)).toEqual(REPORT);
  expect(result.handle).toBeUndefined();
});

it('the note names arguments with which the model reads on', async () => {
  const { toolbox } = await open();
  const result = await toolbox.call('reports.list', {});
  const args = JSON.parse(/Read on: tool_result (\{.*?\})\. /.exec(result.note ?? '')?.[1] ?? '{}');
  expect(args).toEqual({ handle: result.handle, pointer: '/items', offset: expect.any(Number) });
  const { items, next } = json(await toolbox.call('tool_result', args)) as { items: { id: number }[]; next: number };
  expect(items[0]).toEqual(ITEMS[args.offset]);
  expect(next).toBe(args.offset + items.length);
});

it('in a bridge the note names the call through the bridge, in the words of the preset', async () => {
  for (const [preset, pattern] of [
    [undefined, /Read on: tool_call (\{"name":"tool_result","arguments":\{.*?\}\})\. /],
    ['praisonai', /Read on: tool_call (\{"tool_name":"tool_result","tool_args":\{.*?\}\})\. /],
  ] as const) {
    const world = await open({ options: { exposure: 'bridge', ...(preset && { preset }) } });
    const result = await world.toolbox.call('reports.list', {});
    const args = JSON.parse(pattern.exec(result.note ?? '')?.[1] ?? '{}');
    expect(json(await world.toolbox.call('tool_call', args))).toHaveProperty('next');
    expect(await shown(world)).not.toContain('tool_result');
  }
});

describe('reading on', () => {
  let world: World;
  let handle: string;
  const read = (args: JsonObject = {}) => world.toolbox.call('tool_result', { handle, ...args });
  beforeAll(async () => {
    world = await open();
    handle = handleIn(await world.toolbox.call('reports.list', {}));
  });

  it('gives one item by its pointer, and slices of a list', async () => {
    expect(json(await read({ pointer: '/items/4711' }))).toEqual({ value: ITEMS[4711] });
    expect(json(await read({ pointer: '/items', offset: 4711, limit: 2 }))).toEqual({
      total: 12_000,
      offset: 4711,
      items: ITEMS.slice(4711, 4713),
      next: 4713,
    });
    expect(json(await read({ pointer: '/items', offset: 11_999 }))).toEqual({
      total: 12_000,
      offset: 11_999,
      items: ITEMS.slice(-1),
    });
  });

  it('gives the members of an object, and the characters of a text', async () => {
    expect(json(await read({ offset: 0, limit: 1 }))).toEqual({
      total: 2,
      offset: 0,
      members: { total: 12_000 },
      next: 1,
    });
    expect(json(await read({ pointer: '/items/7/name', offset: 2, limit: 3 }))).toEqual({
      total: 6,
      offset: 2,
      text: 'em ',
      next: 5,
    });
  });

  it('finds a text in any case and says where', async () => {
    expect(json(await read({ search: 'ITEM 4711' }))).toEqual({
      matches: [{ pointer: '/items/4711/name', text: 'Item 4711' }],
    });
    const { matches, next } = json(await read({ search: 'item 11' })) as {
      matches: { pointer: string }[];
      next: number;
    };
    expect(matches.map(({ pointer }) => pointer).slice(0, 2)).toEqual(['/items/11/name', '/items/110/name']);
    expect(next).toBe(20);
    const more = json(await read({ search: 'item 11', offset: 20 })) as { matches: { pointer: string }[] };
    expect(more.matches[0]?.pointer).toBe('/items/1109/name');
    expect(json(await read({ search: 'total' }))).toEqual({ matches: [{ pointer: '/total', text: '12000' }] });
    expect(json(await read({ search: '.*' }))).toEqual({ matches: [] });
  });

  it('answers within the bound, for any request', async () => {
    const asked: readonly JsonObject[] = [
      {},
      { pointer: '' },
      { pointer: '/items' },
      { pointer: '/items', limit: 5000 },
      { search: 'n' },
    ];
    for (const args of asked) {
      const answer = text(await read(args));
      expect(estimateTokens(answer)).toBeLessThanOrEqual(2000);
      expect(JSON.parse(answer)).toBeDefined();
    }
  });

  it.each([
    [{ pointer: '/items/12000' }, 'a list of 12000 items'],
    [{ pointer: '/items/01' }, 'a list of 12000 items'],
    [{ pointer: '/items/-' }, 'a list of 12000 items'],
    [{ pointer: '/rows' }, 'the whole result is an object with the keys "total", "items"'],
    [{ pointer: '/total/x' }, 'a number'],
    [{ pointer: '/constructor' }, 'an object with the keys'],
    [{ pointer: 'items' }, 'pointer must be a JSON Pointer'],
    [{ offset: -1 }, 'offset must be'],
    [{ limit: 0 }, 'limit must be'],
    [{ search: '' }, 'search must be'],
    [{ page: 2 }, 'Unknown field "page"'],
    [{ handle: 7 }, 'handle must be a text'],
  ])('refuses %j and says what there is', async (args, message) => {
    expect(await read(args)).toMatchObject({ code: 'INVALID_ARGUMENTS', message: expect.stringContaining(message) });
  });

  it('pages through a plain text without a gap', async () => {
    const log = await world.toolbox.call('reports.log', {});
    expect(text(log)).toMatch(
      /^line 0 of the log\n[^]*\n… \d+ of \d+ characters left out …\n[^]*line 19999 of the log$/,
    );
    let [read, offset] = ['', 0];
    while (offset < 40_000) {
      const page = text(await world.toolbox.call('tool_result', { handle: handleIn(log), offset }));
      expect(estimateTokens(page)).toBeLessThanOrEqual(2000);
      read += page.slice(page.indexOf('\n') + 1);
      offset = Number(/read on with offset (\d+)\]/.exec(page)?.[1]);
    }
    expect(LOG.startsWith(read)).toBe(true);
    const found = json(await world.toolbox.call('tool_result', { handle: handleIn(log), search: 'line 4711 ' }));
    expect(found).toEqual({
      matches: [{ offset: LOG.indexOf('line 4711 '), text: expect.stringContaining('line 4711 of') }],
    });
    expect(await world.toolbox.call('tool_result', { handle: handleIn(log), pointer: '/a' })).toMatchObject({
      message: 'The result is plain text.',
    });
  });
});

describe('a handle', () => {
  const GONE = { ok: false, code: 'RESULT_NOT_AVAILABLE' };

  it('belongs to tenant, user and agent', async () => {
    const world = await open();
    const handle = handleIn(await world.toolbox.call('reports.list', {}));
    const as = async (toolbox: Toolbox) => toolbox.call('tool_result', { handle });
    expect(await as(world.open({ runId: 'run-2', sessionId: 's2' }))).toMatchObject({ ok: true });
    const forged = await world.toolbox.call('tool_result', { handle: `r_${'A'.repeat(22)}` });
    expect(forged).toMatchObject(GONE);
    for (const other of [
      world.open({ tenantId: 'globex' }),
      world.open({ userId: 'grace' }),
      world.open({ agentId: 'reader' }),
      world.toolbox.narrow({ agentId: 'reader' }),
    ]) {
      expect(await as(other)).toEqual(forged);
    }
    for (const wrong of ['', 'r_', `${handle} `, `r_${'é'.repeat(22)}`, 'x'.repeat(9000)]) {
      expect(await world.toolbox.call('tool_result', { handle: wrong })).toEqual(forged);
    }
  });

  it('passes the gate of its tool, with the same answer as one that never was', async () => {
    const source = reports();
    const world = await open({
      sources: [source],
      visibility: { filter: (tools, { roles }) => (roles?.[0] === 'none' ? [] : tools) },
    });
    const handle = handleIn(await world.toolbox.call('reports.list', {}));
    const read = (toolbox = world.toolbox) => toolbox.call('tool_result', { handle });
    const forged = await world.toolbox.call('tool_result', { handle: `r_${'A'.repeat(22)}` });
    expect(await read(world.open({ roles: ['none'] }))).toEqual(forged);
    expect(await read(world.toolbox.narrow({ deny: ['reports.*'] }))).toEqual(forged);
    expect(await read()).toMatchObject({ ok: true });
    await world.killSwitches.engage({ kind: 'tool', value: 'reports.list', actor: 'olga', reason: 'x' });
    expect(await read()).toEqual(forged);
    expect(world.eventsOf('tool.denied').map(({ tool }) => tool)).toEqual(Array(3).fill('reports.list'));
  });

  it('is gone with its tool', async () => {
    const world = await open({ sources: [] });
    const { toolbox } = world;
    const handle = handleIn(await (await toolbox.with(reports())).call('reports.list', {}));
    expect(await (await toolbox.with(reports())).call('tool_result', { handle })).toMatchObject({ ok: true });
    expect(await toolbox.call('tool_result', { handle })).toMatchObject(GONE);
  });

  it('is not given where the store is down, and the result is shortened all the same', async () => {
    const down = { hold: () => Promise.reject(new Error('down')), find: async () => undefined, sweep: async () => 0 };
    const world = await open({ heldResults: down });
    const result = await world.toolbox.call('reports.list', {});
    expect(result).toMatchObject({ ok: true, note: expect.stringContaining('could not be kept') });
    expect(estimateTokens(resultText(result))).toBeLessThanOrEqual(2000);
    expect(result).not.toHaveProperty('handle');
    expect(world.faults).toEqual([
      { tool: 'reports.list', error: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) },
    ]);
  });
});

describe('the meta tool is listed', () => {
  it.each(['all', 'deferred', 'native'] as const)('in %s once the run holds a result, at the end', async (mode) => {
    const world = await open({ options: { exposure: mode } });
    await world.toolbox.surface();
    await world.toolbox.call('reports.small', {});
    const before = await shown(world);
    expect(before).not.toContain('tool_result');
    await world.toolbox.call('reports.list', {});
    const after = await shown(world);
    expect(after).toContain('tool_result');
    expect(after.slice(0, before.length)).toEqual(before);
    // A tool that is found later comes after it.
    if (mode !== 'all') {
      await world.toolbox.call('reports.log', {});
      expect((await shown(world)).slice(0, after.length)).toEqual(after);
    }
    const other = await world.open({ runId: 'run-2' }).surface();
    expect(other.tools.map(({ name }) => name)).not.toContain('tool_result');
  });

  it('is never in a bridge, and from the start where a list must not grow', async () => {
    const world = await open({ options: { exposure: 'deferred' } });
    const names = async (mode: 'all' | 'bridge' | 'deferred') =>
      (await world.toolbox.surface({ mode, listsResultTool: true })).tools.map(({ name }) => name);
    expect(await names('bridge')).toEqual([]);
    expect(await names('all')).toContain('tool_result');
    expect(await names('deferred')).toEqual(['tool_result']);
  });

  it('on another instance that has the store of activations, or the conversation', async () => {
    const first = await open();
    const result = await first.toolbox.call('reports.list', {});
    const second = await open();
    const list = async (toolResults: readonly string[]) =>
      (await second.toolbox.surface({ toolResults })).tools.map(({ name }) => name);
    expect(await list(['a result'])).toEqual([]);
    expect(await list(['a result', resultText(result)])).toEqual(['tool_result']);
    const store = new (await import('../../activation/memory-activation-store.js')).MemoryActivationStore();
    const third = await open({ store });
    await third.toolbox.call('reports.list', {});
    expect(await shown(await open({ store }))).toEqual(['reports.list', 'tool_result']);
  });

  it('not in what a run saves, counts or explains as its tools', async () => {
    const world = await open();
    await world.toolbox.call('reports.list', {});
    expect((await world.toolbox.pause()).tools.map(({ name }) => name)).toEqual(['reports.list']);
    const { activated, offered } = await world.toolbox.state();
    expect([...activated.map(({ name }) => name), ...offered]).toEqual(['reports.list']);
  });
});

it('rules of single tools override the bounds, and false turns them off', async () => {
  const perTool = [
    { tools: 'reports.log', maxTokens: 1_000_000 },
    { tools: 'reports.*', shapedTokens: 800 },
  ];
  const world = await open({ options: { results: { perTool } } });
  expect(text(await world.toolbox.call('reports.log', {}))).toBe(LOG);
  expect(estimateTokens(resultText(await world.toolbox.call('reports.list', {})))).toBeLessThanOrEqual(800);
  const off = await open({ options: { exposure: 'all', results: false } });
  expect(json(await off.toolbox.call('reports.list', {}))).toEqual(REPORT);
  expect(await off.toolbox.call('tool_result', { handle: 'x' })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
});

it('a tool promises its output schema only if its results are never shortened', async () => {
  const outputSchema = { type: 'object' };
  const source = () => new FakeSource('s', [{ name: 'a', outputSchema, run: () => ({}) }]);
  const [on, off] = [
    await openToolbox({ sources: [source()] }),
    await openToolbox({ sources: [source()], options: { results: { perTool: [{ tools: 's.a', shorten: false }] } } }),
  ];
  const [tool] = await on.toolbox.visible();
  expect([on.toolbox.outputSchemaOf(tool!), off.toolbox.outputSchemaOf(tool!)]).toEqual([undefined, outputSchema]);
});

it('images stay and do not count; an error is shortened as well', async () => {
  const source = new FakeSource('s', ['photo', 'fails']);
  source.call = async (name) =>
    name === 'photo'
      ? { content: [PIXEL, { type: 'text', text: 'x' }] }
      : { content: [{ type: 'text', text: LOG }], isError: true };
  const { toolbox } = await openToolbox({ sources: [source] });
  expect(await toolbox.call('s.photo', {})).toEqual(
    expect.objectContaining({ content: [PIXEL, { type: 'text', text: 'x' }] }),
  );
  const failed = await toolbox.call('s.fails', {});
  expect(failed).toMatchObject({ code: 'TOOL_FAILED', handle: expect.stringMatching(/^r_/) });
  expect(estimateTokens(resultText(failed))).toBeLessThan(2100);
  expect(resultText(failed)).toContain('Read on: tool_result');
  expect(text(await toolbox.call('tool_result', { handle: handleIn(failed), search: 'line 4711 ' }))).toContain(
    'offset',
  );
});
