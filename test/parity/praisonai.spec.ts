import { Test } from '@nestjs/testing';
import { type Toolbox, ToolEvents, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { plain } from '@tool-search/agents/plain';
import { estimateTokens, type ExposureChoice } from '@tool-search/core/internal';
import {
  FakeSource,
  type FakeSourceTool,
  openToolbox,
  type ToolboxOptions,
  TrigramEmbedder,
} from '@tool-search/core/testing';

/* Guarantees of PraisonAI's tool search that hold here; rows PR-… of docs/parity.md. */

const ISSUES: FakeSourceTool[] = [
  { name: 'mcp_github_create_issue', description: 'Opens a ticket in a repository.', inputSchema: { type: 'object' } },
  { name: 'mcp_github_list_issues', description: 'Shows all tickets of a repository.' },
  { name: 'read_file', description: 'Reads a file.', loading: 'always' },
];
const opened = (options: ToolboxOptions = {}, tools = ISSUES) =>
  openToolbox({ sources: [new FakeSource('tools', tools)], options });
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const HUGE = Array.from({ length: 60 }, (_, id) => ({
  name: `t${id}`,
  description: `Tool ${id}. ${'word '.repeat(200)}`,
}));
const shown = async (options: ToolboxOptions, tools = ISSUES) => {
  const { mode, tools: listed, meta, reason } = await (await opened(options, tools)).toolbox.surface();
  return { mode, listed: namesOf(listed), meta: namesOf(meta), reason };
};

describe('the switch', () => {
  it('is auto by default, which lists everything while that is cheap', async () => {
    expect(await shown({})).toMatchObject({ mode: 'all', meta: [], reason: { asked: 'auto' } });
    expect(await shown({}, HUGE)).toMatchObject({ mode: 'deferred', listed: [] });
  });

  it.each<[ExposureChoice, string, string]>([
    [true, 'all', 'deferred'],
    ['auto', 'all', 'deferred'],
    ['on', 'deferred', 'deferred'],
    [false, 'all', 'all'],
    ['off', 'all', 'all'],
    [{ mode: true }, 'all', 'deferred'],
    [{ mode: 'on', deferral: 'bridge' }, 'bridge', 'bridge'],
    [{ deferral: 'bridge' }, 'all', 'bridge'],
  ])('%j shows few tools as %s and many as %s, at every level alike', async (choice, few, many) => {
    for (const [tools, mode] of [
      [ISSUES, few],
      [HUGE, many],
    ] as const) {
      expect((await shown({ exposure: choice }, tools)).mode).toBe(mode);
      const { toolbox } = await opened({}, tools);
      expect((await toolbox.surface({ mode: choice })).mode).toBe(mode);
    }
  });

  it('counts what could be deferred alone against 10 percent of 128,000 tokens, and says so', async () => {
    const { reason } = await shown({}, HUGE);
    expect(reason.measured).toMatchObject({ thresholdTokens: 12_800, contextWindow: 128_000 });
    expect(reason.measured!.deferrableTokens).toBeGreaterThan(12_800);
    const always = HUGE.map((tool) => ({ ...tool, loading: 'always' as const }));
    expect((await shown({}, always)).reason.measured).toMatchObject({ deferrableTokens: 0 });
  });

  it('defers from the threshold on, in percent of the given context window', async () => {
    const countTokens = () => 100;
    const modeAt = async (contextWindow: number, thresholdPct: number) =>
      (await shown({ countTokens, exposure: { contextWindow, thresholdPct } })).mode;
    expect(await modeAt(2000, 10)).toBe('deferred');
    expect(await modeAt(2001, 10)).toBe('all');
    expect(await modeAt(2000, 15)).toBe('all');
    expect(await modeAt(4000, 5)).toBe('deferred');
  });

  it('counts a definition by its length / 4.3, or as the application counts it', async () => {
    expect([0, 1, 43, 44, 430].map((length) => estimateTokens('x'.repeat(length)))).toEqual([0, 1, 10, 11, 100]);
    const { toolbox } = await opened({ tokenizer: 'estimate' });
    const definitions = (await toolbox.visible())
      .filter(({ loading }) => loading === 'deferred')
      .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, parameters: inputSchema }));
    const sum = (count: (text: string) => number) => definitions.reduce((all, text) => all + count(text), 0);
    const measured = async (options: ToolboxOptions) => (await shown(options)).reason.measured;
    expect(await measured({ tokenizer: 'estimate' })).toMatchObject({
      deferrableTokens: sum((text) => Math.ceil(text.length / 4.3)),
      tokenizer: 'estimate',
    });
    const countTokens = (text: string) => Math.ceil(text.length / 3.5);
    expect(await measured({ countTokens })).toMatchObject({ deferrableTokens: sum(countTokens), tokenizer: 'custom' });
  });

  it('costs nothing if it is not needed: the bytes of a plain list, no index, no tokenizer, no state', async () => {
    const embedder = new TrigramEmbedder();
    const module = await Test.createTestingModule({
      imports: [
        ToolSearchModule.forRoot({
          context: () => ({ tenantId: 'acme' }),
          exposure: 'auto',
          sources: [new FakeSource('tools', ISSUES)],
          search: { embedder },
        }),
      ],
    })
      .setLogger(false as never)
      .compile();
    await module.init();
    const open = (exposure?: ExposureChoice) =>
      module.get(ToolSearchService).open({ tenantId: 'acme', sessionId: 's', runId: 'r' }, exposure);
    const happened: string[] = [];
    module.get(ToolEvents).on('*', ({ type }) => void happened.push(type));
    const toolbox = open();
    const shownBy = async (box: Toolbox) => {
      const { mode, tools, meta, prompt, reason } = await box.surface({ text: 'create an issue' });
      const list = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      return { mode, list: JSON.stringify(list), meta, prompt, tokenizer: reason.measured?.tokenizer };
    };
    const plain = (await toolbox.visible()).map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    // Long enough for a tokenizer that is loaded in the background to take over.
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    const first = await shownBy(toolbox);
    expect(first).toEqual({ mode: 'all', list: JSON.stringify(plain), meta: [], prompt: {}, tokenizer: 'estimate' });
    expect(await toolbox.get(['tools.mcp_github_list_issues'])).toMatchObject({ tools: { length: 1 } });
    expect(await shownBy(toolbox)).toEqual(first);
    expect((await toolbox.state()).offered).toEqual([]);
    expect(happened).not.toContain('tool.offered');
    // The index and its vectors are made when something is searched.
    expect(embedder.asked).toEqual([]);
    expect((await open('deferred').search({ query: 'create issue' })).tools).not.toEqual([]);
    expect(embedder.asked).not.toEqual([]);
    await module.close();
  });
});

describe('tools that are core, and tools that may be deferred', () => {
  it('never defers what is always loaded, in any mode', async () => {
    for (const mode of ['deferred', 'bridge', 'native'] as const) {
      const { toolbox } = await opened({ exposure: mode });
      expect(namesOf((await toolbox.surface({ canDefer: true })).tools)).toContain('tools.read_file');
    }
  });

  it('takes the names of core tools as globs', async () => {
    const { listed } = await shown({ exposure: 'on', alwaysLoaded: ['tools.mcp_github_list_*'] });
    expect(listed).toEqual(['tools.mcp_github_list_issues', 'tools.read_file']);
  });

  it('defers no tool because of its name: a tool without a declaration stays visible', async () => {
    const source = new FakeSource('x', ['mcp_tool', 'other'], { loading: undefined as never });
    const { toolbox } = await openToolbox({ sources: [source] });
    expect(namesOf(await toolbox.list())).toEqual(['x.mcp_tool', 'x.other']);
  });

  it('defers all tools of a source that says so, and a single tool that says so', async () => {
    const source = new FakeSource('x', [{ name: 'own', loading: 'deferred' }, 'other'], { loading: 'always' });
    const { toolbox } = await openToolbox({
      sources: [source, new FakeSource('mcp', ['a', 'b'], { loading: 'deferred' })],
    });
    expect(namesOf(await toolbox.list())).toEqual(['x.other']);
  });
});

describe('the bridge', () => {
  it('has a fixed list: core tools, and three meta tools that come first', async () => {
    const { toolbox } = await opened({ exposure: 'bridge' });
    const before = await toolbox.surface();
    expect(namesOf(before.meta)).toEqual(['tool_search', 'tool_get', 'tool_call']);
    await toolbox.call('tool_search', { query: 'create issue' });
    await toolbox.call('tool_get', { names: ['tools.mcp_github_create_issue'] });
    await toolbox.call('tool_call', { name: 'tools.mcp_github_create_issue', arguments: {} });
    const after = await toolbox.surface();
    expect(JSON.stringify([after.meta, namesOf(after.tools)])).toBe(
      JSON.stringify([before.meta, namesOf(before.tools)]),
    );
  });

  it('sends the meta tools first, then the tools by name: the same bytes for any order of sources', async () => {
    const sent = async (...order: string[]) => {
      const { toolbox } = await openToolbox({
        sources: order.map((name) => new FakeSource(name, ['b', 'a', 'B2'], { loading: 'always' })),
        options: { exposure: 'bridge' },
      });
      return JSON.stringify((await plain(toolbox).step({})).tools);
    };
    const first = await sent('x', 'y', 'w');
    expect(await sent('y', 'w', 'x')).toBe(first);
    const names = (JSON.parse(first) as { name: string }[]).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['tool_search', 'tool_get', 'tool_call']);
    expect(names.slice(3)).toEqual(['w__B2', 'w__a', 'w__b', 'x__B2', 'x__a', 'x__b', 'y__B2', 'y__a', 'y__b']);
  });

  it('costs a tool that is not listed two more round trips, searching and reading, where `deferred` costs it one', async () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const knows = (value: unknown) => JSON.stringify(value).includes('"required":["id"]');
    for (const [exposure, trips] of [
      ['bridge', 2],
      ['deferred', 1],
    ] as const) {
      const { toolbox } = await openToolbox({
        sources: [new FakeSource('crm', [{ name: 'read_order', inputSchema }])],
        options: { exposure },
      });
      // A model can call the tool as soon as it has seen its arguments, in the list or in an answer.
      const steps = [{ query: 'read order' }, { names: ['crm.read_order'] }] as const;
      let made = 0;
      let isKnown = knows((await toolbox.surface()).tools);
      while (!isKnown && made < steps.length) {
        const answer = await toolbox.call(made === 0 ? 'tool_search' : 'tool_get', steps[made]);
        made += 1;
        isKnown = knows([answer, (await toolbox.surface()).tools.map((tool) => tool.inputSchema)]);
      }
      expect([isKnown, made]).toEqual([true, trips]);
      const call =
        exposure === 'bridge'
          ? ['tool_call', { name: 'crm.read_order', arguments: { id: 7 } }]
          : ['crm.read_order', { id: 7 }];
      expect(await toolbox.call(call[0] as string, call[1])).toMatchObject({ ok: true });
    }
  });

  it('calls the named tool, with its arguments validated and its call reported under its own name', async () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const source = new FakeSource('crm', [{ name: 'read', inputSchema }]);
    const { toolbox, eventsOf } = await openToolbox({ sources: [source], options: { exposure: 'bridge' } });
    const call = (args: object) => toolbox.call('tool_call', { name: 'crm.read', arguments: args });
    expect(await call({ id: 'x' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await call({ id: 7 })).toMatchObject({ ok: true });
    expect(source.calls).toMatchObject([{ name: 'read', input: { id: 7 } }]);
    expect(eventsOf('tool.called').map(({ tool }) => tool)).toEqual(['crm.read', 'crm.read']);
  });

  it('asks for the approval of the named tool', async () => {
    const { toolbox, eventsOf } = await openToolbox({
      sources: [new FakeSource('crm', ['delete'])],
      policy: { approval: ['crm.delete'] },
      options: { exposure: 'bridge' },
    });
    expect(await toolbox.call('tool_call', { name: 'crm.delete' })).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(eventsOf('approval.asked')).toMatchObject([{ tool: 'crm.delete' }]);
  });

  it('describes into the history: each answer holds a whole definition and is counted, and the list does not grow', async () => {
    const options = { preset: 'praisonai', exposure: 'on', countTokens: (text: string) => text.length } as const;
    const { toolbox, eventsOf } = await opened(options, HUGE.slice(0, 3));
    const listed = async () => {
      const { tools, meta } = await toolbox.surface();
      return JSON.stringify([tools, meta]);
    };
    const before = await listed();
    let history = 0;
    for (const { name, description } of HUGE.slice(0, 3)) {
      const input = { tool_name: `tools.${name}` };
      const answer = await toolbox.call('tool_describe', input);
      expect(answer).toMatchObject({ structured: { schema: { function: { description } } } });
      history += JSON.stringify(input).length + JSON.stringify((answer as { structured: object }).structured).length;
    }
    expect(await listed()).toBe(before);
    expect(history).toBeGreaterThan(3 * 1000);
    const counted = eventsOf('meta_tool.answered').map(({ kind, tokens }) => [kind, tokens] as const);
    expect(counted.map(([kind]) => kind)).toEqual(['get', 'get', 'get']);
    expect(counted.reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(history);
  });

  it('calls core tools as well, and no hidden tool', async () => {
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('tools', ISSUES)],
      policy: { deny: ['*create*'] },
      options: { exposure: 'bridge' },
    });
    expect(await toolbox.call('tool_call', { name: 'tools.read_file' })).toMatchObject({ ok: true });
    const denied = await toolbox.call('tool_call', { name: 'tools.mcp_github_create_issue' });
    expect(denied).toEqual(await toolbox.call('tool_call', { name: 'no.such' }));
    expect(denied).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
  });

  it('reports searching and reading like everything else', async () => {
    const { toolbox, eventsOf } = await opened({ exposure: 'bridge' });
    await toolbox.call('tool_search', { query: 'create issue' });
    await toolbox.call('tool_get', { names: ['tools.mcp_github_create_issue'] });
    expect([eventsOf('tool.searched').length, eventsOf('tool.described').length]).toEqual([1, 1]);
  });
});

describe('searching', () => {
  it('has a default and an upper limit of its own', async () => {
    const tools = Array.from({ length: 30 }, (_, id) => ({ name: `page_${id}`, description: 'Page.' }));
    const { toolbox } = await opened({ exposure: 'on', search: { limit: 8, maxLimit: 25 } }, tools);
    const count = async (limit?: number) =>
      (await toolbox.search({ query: 'page', type: 'regex', ...(limit !== undefined && { limit }) })).tools.length;
    expect([await count(), await count(25), await count(99)]).toEqual([8, 25, 25]);
  });

  it('finds by words of a name that are joined by underscores', async () => {
    const { toolbox } = await opened({ exposure: 'on' });
    const { tools } = await toolbox.search({ query: 'create issue' });
    expect(tools[0]!.name).toBe('tools.mcp_github_create_issue');
  });

  it('finds the one tool of a catalog of one, and by a word that most tools have', async () => {
    const { toolbox } = await opened({ exposure: 'on' }, [{ name: 'weather', description: 'Forecast for a place.' }]);
    expect(namesOf((await toolbox.search({ query: 'forecast' })).tools)).toEqual(['tools.weather']);
    const { toolbox: both } = await opened({ exposure: 'on' });
    expect((await both.search({ query: 'repository tickets' })).tools).toHaveLength(2);
  });

  it('takes a query of two letters for a word, and not for a part of one', async () => {
    const tools = [
      { name: 'open_pr', description: 'Opens one.' },
      { name: 'price', description: 'Says the price.' },
    ];
    const { toolbox } = await opened({ exposure: 'on' }, tools);
    expect(namesOf((await toolbox.search({ query: 'PR' })).tools)).toEqual(['tools.open_pr']);
    expect(namesOf((await toolbox.search({ query: 'pr', type: 'regex' })).tools).toSorted()).toEqual([
      'tools.open_pr',
      'tools.price',
    ]);
  });

  it('returns no denied tool, nor does reading', async () => {
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('tools', ISSUES)],
      policy: { deny: ['*create*'] },
      options: { exposure: 'bridge' },
    });
    const answers = [
      await toolbox.call('tool_search', { query: 'create issue', limit: 20 }),
      await toolbox.call('tool_get', { names: ['tools.mcp_github_create_issue'] }),
      await toolbox.surface({ text: 'create issue' }),
    ];
    expect(JSON.stringify(answers)).not.toContain('create_issue');
  });
});
