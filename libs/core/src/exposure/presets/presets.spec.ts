import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import { isObject } from '../../json/json.js';
import type { Toolbox } from '../../toolbox/toolbox.js';
import type { ToolboxOptions } from '../../runtime/toolbox-options.js';
import { metaNames, type PresetName } from './presets.js';

const LONG = `Refund an invoice, fully or in part. ${'It asks the bank first. '.repeat(20)}`;
const TOOLS: readonly FakeSourceTool[] = [
  {
    name: 'refund_invoice',
    description: LONG,
    tags: ['money'],
    sideEffects: 'write',
    authScopes: ['billing:write'],
    costHint: 'cheap',
    latencyHintMs: 20,
    safetyNotes: 'Moves money.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    extra: { team: 'secret' },
    examples: [{ args: { id: 'i-1' }, description: 'One invoice.', tags: ['minimal'] }, { args: { id: 'i-2' } }],
    run: ({ id }) => ({ refunded: id }),
  },
  { name: 'list_invoices', description: 'List invoices.' },
  { name: 'secret_refund_invoice', description: 'Refund an invoice in secret.' },
  { name: 'clock', description: 'Tell the time.', loading: 'always' },
];

async function opened(preset: PresetName, options: Partial<ToolboxOptions> = {}) {
  const source = new FakeSource('billing', TOOLS);
  const all = await openToolbox({
    sources: [source],
    policy: { deny: ['*secret*'] },
    options: { preset, ...options },
  });
  return { ...all, source };
}

async function answer(toolbox: Toolbox, name: string, input: object): Promise<Record<string, unknown>> {
  const result = await toolbox.call(name, input);
  if (!result.ok || !isObject(result.structured)) throw new Error(JSON.stringify(result));
  return result.structured;
}

const metaOf = async (toolbox: Toolbox, mode?: 'bridge' | 'deferred' | 'native' | 'all') =>
  (await toolbox.surface(mode ? { mode, canDefer: true } : {})).meta.map(({ name }) => name);

describe('the preset penguiflow', () => {
  it('searches with its arguments and answers with its keys, descriptions whole', async () => {
    const { toolbox } = await opened('penguiflow');
    const asked = { query: 'refund an invoice', search_type: 'fts', limit: 3, include_always_loaded: false };
    const found = await answer(toolbox, 'tool_search', asked);
    expect(found).toEqual({
      tools: expect.any(Array),
      total_deferred: 2,
      query: 'refund an invoice',
      search_type: 'fts',
    });
    expect((found['tools'] as object[])[0]).toEqual({
      name: 'billing.refund_invoice',
      description: LONG,
      score: expect.any(Number),
      match_type: 'fts',
      loading_mode: 'deferred',
    });
    const { toolbox: plain } = await openToolbox({ sources: [new FakeSource('billing', TOOLS)] });
    const { tools: hits } = await answer(plain, 'tool_search', { query: 'refund an invoice' });
    expect(Object.keys((hits as object[])[0]!)).toEqual(['name', 'description', 'score']);
    expect(await answer(toolbox, 'tool_search', { query: '^billing.*list', search_type: 'regex' })).toMatchObject({
      tools: [{ name: 'billing.list_invoices', match_type: 'regex' }],
      search_type: 'regex',
    });
    expect(
      await answer(toolbox, 'tool_search', {
        query: 'billing.clock',
        search_type: 'exact',
        include_always_loaded: true,
      }),
    ).toMatchObject({ tools: [{ name: 'billing.clock', match_type: 'exact', loading_mode: 'always' }] });
    expect(await answer(toolbox, 'tool_search', { query: 'hydrofoil', limit: 20 })).toEqual({
      tools: [],
      total_deferred: 2,
      query: 'hydrofoil',
      search_type: 'fts',
    });
  });

  it('takes bm25 for fts, and answers with the name that was asked for', async () => {
    const { toolbox } = await opened('penguiflow');
    const [search] = (await toolbox.surface()).meta;
    expect(search!.inputSchema['properties']).toMatchObject({
      search_type: { enum: ['fts', 'bm25', 'regex', 'exact'], default: 'fts' },
    });
    const found = async (search_type: string) =>
      answer(toolbox, 'tool_search', { query: 'refund an invoice', search_type });
    const byWords = await found('bm25');
    expect(byWords).toMatchObject({ search_type: 'bm25', tools: [{ match_type: 'bm25' }, { match_type: 'bm25' }] });
    expect(JSON.parse(JSON.stringify(byWords).replaceAll('"bm25"', '"fts"'))).toEqual(await found('fts'));
    const chosen = await opened('penguiflow', { search: { types: ['fts', 'exact'] } });
    expect(await chosen.toolbox.call('tool_search', { query: 'x', search_type: 'bm25' })).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      hint: 'Use one of fts, exact.',
    });
  });

  it('shows examples with each listed tool, which an option takes away', async () => {
    const listed = async (options: Partial<ToolboxOptions>) => {
      const { toolbox } = await opened('penguiflow', options);
      await toolbox.get(['billing.refund_invoice']);
      return (await toolbox.surface()).tools.find(({ name }) => name === 'billing.refund_invoice')!.description;
    };
    expect(await listed({})).toBe(`${LONG}\n\nExamples:\n- One invoice. (minimal): {"id":"i-1"}\n- {"id":"i-2"}`);
    for (const examples of [{ inDefinitions: false }, { enabled: false }])
      expect(await listed({ examples })).toBe(LONG);
    expect(await listed({ examples: { maxPerTool: 1 } })).not.toContain('i-2');
  });

  it('returns definitions with every key, and without the application’s own data', async () => {
    const { toolbox } = await opened('penguiflow');
    const names = ['billing.refund_invoice', 'billing.secret_refund_invoice', 'no.such'];
    expect(await answer(toolbox, 'tool_get', { names })).toEqual({
      tools: [
        {
          name: 'billing.refund_invoice',
          desc: LONG,
          side_effects: 'write',
          loading_mode: 'deferred',
          tags: ['money'],
          auth_scopes: ['billing:write'],
          cost_hint: 'cheap',
          latency_hint_ms: 20,
          safety_notes: 'Moves money.',
          args_schema: expect.objectContaining({ required: ['id'] }),
          out_schema: expect.objectContaining({ type: 'object' }),
          extra: {},
          examples: [
            { args: { id: 'i-1' }, description: 'One invoice.', tags: ['minimal'] },
            { args: { id: 'i-2' }, description: null, tags: [] },
          ],
        },
      ],
      requested: names,
      returned: 1,
      format: 'tool_record',
    });
    const bare = { names: ['billing.list_invoices'], include_schemas: false, include_examples: false };
    expect((await answer(toolbox, 'tool_get', bare))['tools']).toEqual([
      {
        name: 'billing.list_invoices',
        desc: 'List invoices.',
        side_effects: 'external',
        loading_mode: 'deferred',
        tags: [],
        auth_scopes: [],
        cost_hint: null,
        latency_hint_ms: null,
        safety_notes: null,
        args_schema: null,
        out_schema: null,
        extra: {},
        examples: [],
      },
    ]);
    const refusals = ['billing.secret_refund_invoice', 'no.such'].map((name) =>
      toolbox.call('tool_get', { names: [name] }),
    );
    const [hidden, unknown] = await Promise.all(refusals);
    expect(hidden).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(unknown));
  });

  it('activates by the first call, for the run though there is a session', async () => {
    const { open } = await opened('penguiflow');
    const toolbox = open({ sessionId: 's1' });
    await toolbox.call('billing.refund_invoice', { id: 'i-1' });
    expect(await toolbox.state()).toMatchObject({ scope: 'run', activated: [{ reason: 'first_use' }] });
    expect(await metaOf(toolbox)).toEqual(['tool_search', 'tool_get']);
    expect(await metaOf(toolbox, 'bridge')).toEqual(['tool_search', 'tool_get', 'tool_call']);
  });

  it.each([
    [{ query: 'x', type: 'fts' }, 'Unknown field "type".'],
    [{ query: 'x', search_type: 'vector' }, 'Unknown search type.'],
    [{ query: 7 }, 'query must be a text.'],
    [{ query: 'x', include_always_loaded: 'yes' }, 'include_always_loaded must be true or false.'],
    [{ query: 'x', limit: 0 }, 'limit must be a whole number from 1.'],
  ])('refuses %j in its own words', async (input, message) => {
    const { toolbox } = await opened('penguiflow');
    expect(await toolbox.call('tool_search', input)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS', message });
  });
});

describe('the preset praisonai', () => {
  it('is a bridge as soon as deferrable definitions take a tenth of the window', async () => {
    const { toolbox } = await opened('praisonai');
    expect(await toolbox.surface()).toMatchObject({ mode: 'all', reason: { asked: 'auto' }, meta: [] });
    const small = await toolbox.surface({ contextWindow: 1000 });
    expect(small).toMatchObject({ mode: 'bridge', reason: { measured: { thresholdTokens: 100 } } });
    expect(small.meta.map(({ name }) => name)).toEqual(['tool_search', 'tool_describe', 'tool_call']);
    expect(small.tools.map(({ name }) => name)).toEqual(['billing.clock']);
    const on = await opened('praisonai', { exposure: 'on' });
    expect((await on.toolbox.surface()).mode).toBe('bridge');
    const thresholds = await toolbox.surface({ mode: 'auto' });
    expect(thresholds.reason.measured).toMatchObject({ thresholdTokens: 2000, contextWindow: 20_000 });
  });

  it('searches, describes and calls with its arguments, and answers with its keys', async () => {
    const { toolbox, source } = await opened('praisonai', { exposure: 'on' });
    expect(await answer(toolbox, 'tool_search', { query: 'refund an invoice', limit: 1 })).toEqual({
      query: 'refund an invoice',
      results: [{ name: 'billing.refund_invoice', description: LONG }],
      total_available: 2,
    });
    expect(await answer(toolbox, 'tool_describe', { tool_name: 'billing.refund_invoice' })).toEqual({
      tool_name: 'billing.refund_invoice',
      schema: {
        type: 'function',
        function: {
          name: 'billing.refund_invoice',
          description: LONG,
          parameters: expect.objectContaining({ required: ['id'] }),
        },
      },
      found: true,
    });
    const called = { tool_name: 'billing.refund_invoice', tool_args: { id: 'i-1' } };
    expect(await toolbox.call('tool_call', called)).toMatchObject({ ok: true, structured: { refunded: 'i-1' } });
    expect(source.calls).toMatchObject([{ name: 'refund_invoice', input: { id: 'i-1' } }]);
    expect(await toolbox.call('tool_call', { tool_args: {} })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('describes what is denied as what does not exist', async () => {
    const { toolbox } = await opened('praisonai', { exposure: 'on' });
    const describe = async (name: string) =>
      JSON.stringify(await toolbox.call('tool_describe', { tool_name: name })).replaceAll(name, 'X');
    expect(await describe('billing.secret_refund_invoice')).toBe(await describe('no.such'));
    expect(await answer(toolbox, 'tool_describe', { tool_name: 'no.such' })).toEqual({
      tool_name: 'no.such',
      error: 'This tool is not available.',
      found: false,
    });
    expect(await toolbox.call('tool_describe', { tool_name: 'no*' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('never defers the 22 core tools, whose names count without their namespace', async () => {
    const core =
      'read_file write_file list_files get_file_info copy_file move_file delete_file execute_command list_processes ' +
      'kill_process get_system_info search_web web_search internet_search web_crawl crawl_web schedule_add ' +
      'schedule_list schedule_remove store_memory search_memory clarify';
    const names = core.split(' ');
    expect(names).toHaveLength(22);
    const others = ['read_files', 'my_read_file', 'read_file_2'];
    const bare = names.map((name) => ({ name, namespace: '' }));
    const sources = [
      new FakeSource('files', [...names, ...others], { loading: 'deferred' }),
      new FakeSource('mcp', [{ name: 'clarify', namespace: 'mcp.deep' }], { loading: 'deferred' }),
    ];
    const within = await openToolbox({ sources, options: { preset: 'praisonai', exposure: 'on' } });
    expect((await within.toolbox.list()).map(({ name }) => name).toSorted()).toEqual(
      [...names.map((name) => `files.${name}`), 'mcp.deep.clarify'].toSorted(),
    );
    const alone = await openToolbox({
      sources: [new FakeSource('agent', bare, { loading: 'deferred' })],
      options: { preset: 'praisonai', exposure: 'on' },
    });
    expect(await alone.toolbox.list()).toHaveLength(22);
  });

  it('defers no core tool, and answers sensibly in the other modes', async () => {
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('agent', [{ name: 'read_file', namespace: '' }, { name: 'list_pages' }])],
      options: { preset: 'praisonai', exposure: 'on' },
    });
    expect((await toolbox.list()).map(({ name }) => name)).toEqual(['read_file']);
    expect(await metaOf(toolbox, 'deferred')).toEqual(['tool_search', 'tool_describe']);
    expect(await metaOf(toolbox, 'native')).toEqual(['tool_search', 'tool_describe']);
    const loading = await opened('praisonai', { activation: { activateOn: 'load' }, exposure: 'on' });
    expect(await metaOf(loading.toolbox, 'deferred')).toEqual(['tool_search', 'tool_describe', 'tool_load']);
  });
});

describe('the preset mastra', () => {
  it('searches: description cut to 150, two decimals, five at most', async () => {
    const { toolbox } = await opened('mastra');
    const found = await answer(toolbox, 'search_tools', { query: 'refund an invoice' });
    expect(Object.keys(found)).toEqual(['results', 'message']);
    const [first] = found['results'] as { name: string; description: string; score: number }[];
    expect(Object.keys(first!)).toEqual(['name', 'description', 'score']);
    expect(first!.description).toBe(`${LONG.slice(0, 147)}...`);
    expect(Math.round(first!.score * 100)).toBeCloseTo(first!.score * 100, 10);
    expect(found['message']).toContain('load_tool');
    expect(await answer(toolbox, 'search_tools', { query: 'hydrofoil' })).toEqual({
      results: [],
      message: expect.stringMatching(/^No tools found\./),
    });
    expect(await metaOf(toolbox)).toEqual(['search_tools', 'load_tool']);
    expect(await metaOf(toolbox, 'bridge')).toEqual(['search_tools', 'tool_get', 'tool_call']);
  });

  it('loads one name in the old shape', async () => {
    const { toolbox } = await opened('mastra');
    const load = (toolName: string) => answer(toolbox, 'load_tool', { toolName });
    expect(await load('billing.refund_invoice')).toEqual({
      success: true,
      message: expect.stringContaining('is loaded'),
      toolName: 'billing.refund_invoice',
      loaded: ['billing.refund_invoice'],
    });
    expect(await load('billing.refund_invoice')).toEqual({
      success: true,
      message: expect.stringContaining('already loaded'),
      toolName: 'billing.refund_invoice',
      loaded: ['billing.refund_invoice'],
    });
    expect((await toolbox.list()).map(({ name }) => name)).toEqual(['billing.clock', 'billing.refund_invoice']);
    expect(await load('refund_invoice')).toEqual({
      success: false,
      message: 'Tool "refund_invoice" not found. Did you mean: billing.refund_invoice?',
      toolName: 'refund_invoice',
    });
    expect(await load('billing.secret_refund_invoice')).toEqual({
      success: false,
      message: 'Tool "billing.secret_refund_invoice" not found. Use search_tools to find available tools.',
      toolName: 'billing.secret_refund_invoice',
    });
  });

  it('loads several names, each in one list', async () => {
    const { toolbox } = await opened('mastra');
    await answer(toolbox, 'load_tool', { toolName: 'billing.list_invoices' });
    const toolNames = ['billing.refund_invoice', 'billing.list_invoices', 'billing.secret_refund_invoice'];
    expect(await answer(toolbox, 'load_tool', { toolNames, toolName: 'no.such' })).toEqual({
      success: false,
      message: expect.stringContaining('Not found: billing.secret_refund_invoice, no.such'),
      loadedCount: 1,
      loaded: ['billing.refund_invoice'],
      notFound: ['billing.secret_refund_invoice', 'no.such'],
      alreadyLoaded: ['billing.list_invoices'],
    });
    const full = await opened('mastra', { activation: { maxTools: 1 } });
    expect(await answer(full.toolbox, 'load_tool', { toolNames: toolNames.slice(0, 2) })).toEqual({
      success: false,
      message: 'Loaded: billing.refund_invoice | No room left for: billing.list_invoices',
      loadedCount: 1,
      loaded: ['billing.refund_invoice'],
    });
    for (const input of [{}, { toolNames: [] }, { toolNames: 'x' }, { toolNames: [7] }, { toolName: '' }]) {
      expect(await toolbox.call('load_tool', input)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
    }
  });

  it('loads what it finds, with a receipt, where that is asked for', async () => {
    const { toolbox } = await opened('mastra', { activation: { activateOn: 'search' } });
    expect(await metaOf(toolbox)).toEqual(['search_tools']);
    const found = await answer(toolbox, 'search_tools', { query: 'list invoices' });
    const loaded = (found['results'] as { name: string }[]).map(({ name }) => name);
    expect(loaded).toContain('billing.list_invoices');
    expect(found['activation']).toEqual({ type: 'tool-search-auto-load', version: 1, loaded });
    expect((await toolbox.state()).activated.map(({ name }) => name).toSorted()).toEqual(loaded.toSorted());
  });

  it('returns no hit below the minimum score, which the application can set', async () => {
    const { toolbox } = await opened('mastra', { search: { minScore: 1 } });
    expect((await answer(toolbox, 'search_tools', { query: 'customers of an invoice' }))['results']).toEqual([]);
  });

  it('forgets after an hour', async () => {
    let clock = 1_000_000;
    const { open } = await openToolbox({
      now: () => clock,
      sources: [new FakeSource('billing', TOOLS)],
      options: { preset: 'mastra' },
    });
    await open().activate(['billing.list_invoices']);
    clock += 3_600_000;
    expect((await open().state()).activated).toHaveLength(1);
    clock += 1;
    expect((await open().state()).activated).toHaveLength(0);
  });
});

describe('a preset', () => {
  it('yields to each option that the application sets, and to no other', async () => {
    const { search, exposure, metaTools, activations } = await opened('penguiflow', {
      search: { limit: 3 },
      exposure: { hints: { enabled: true }, metaTools: { search: 'find_tools' } },
      activation: { activateOn: undefined as never },
    });
    expect(search).toMatchObject({ limit: 3, maxLimit: 10, types: ['fts', 'bm25', 'regex', 'exact'] });
    expect(exposure.configured).toBe('deferred');
    expect(exposure.hints).toEqual({ topK: 5, includeAlwaysLoaded: false, type: 'fts' });
    expect([...metaTools.byName.keys()]).toEqual(['find_tools', 'tool_get', 'tool_call', 'tool_result']);
    expect(activations.activateOn).toBe('call');
  });

  it('can be switched off like everything else', async () => {
    const { toolbox } = await opened('mastra', { exposure: false });
    expect(await toolbox.surface()).toMatchObject({ mode: 'all', meta: [], prompt: {} });
    expect(await toolbox.call('search_tools', { query: 'refund' })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('refuses names that two meta tools would have', () => {
    expect(() => metaNames('mastra', { search: 'load_tool' })).toThrow(/two meta tools are named load_tool/);
    expect(() => metaNames(undefined, { get: 'a.b' })).toThrow(/exposure.metaTools.get must be a name/);
    expect(metaNames('mastra', { load: undefined as never }).load).toBe('load_tool');
  });
});
