import { FakeSource, type FakeSourceTool, openToolbox, type ToolboxOptions } from '@tool-search/core/testing';

/* Prompt aids and examples as in PenguiFlow; rows PF-… of docs/parity.md. */

const example = (n: number, ...tags: string[]) => ({ args: { n }, description: `Number ${n}.`, tags });
const TOOLS: FakeSourceTool[] = [
  {
    name: 'create_ticket',
    description: 'Create a support ticket.',
    tags: ['support'],
    examples: [example(1, 'edge-case'), example(2), example(3, 'common'), example(4, 'minimal')],
  },
  { name: 'close_ticket', description: 'Close a support ticket.' },
  { name: 'status', description: 'Status of the help desk and its tickets.', loading: 'always' },
];
const opened = (options: ToolboxOptions, tools = TOOLS) =>
  openToolbox({ sources: [new FakeSource('desk', tools)], options });
const hinted = (hints: object) =>
  opened({ exposure: { mode: 'deferred', guidance: false, hints: { enabled: true, ...hints } } });
const hintsOf = async (hints: object, text = 'close a ticket') =>
  (await (await hinted(hints)).toolbox.surface({ text })).prompt.hints?.match(/desk\.\w+/g) ?? [];

describe('guidance', () => {
  it('explains how to search, unless the application turns it off', async () => {
    const { toolbox } = await opened({ exposure: 'deferred' });
    expect((await toolbox.surface()).prompt.guidance).toMatch(/tool_search.*tool_get/s);
    const { toolbox: own } = await opened({ exposure: { mode: 'deferred', guidance: false } });
    expect((await own.surface()).prompt).toEqual({});
  });

  it('says no number, so that its bytes stay when tools come and go: each search says it', async () => {
    const guidances: (string | undefined)[] = [];
    for (const tools of [TOOLS, TOOLS.slice(1)]) {
      const { toolbox } = await opened({ exposure: 'deferred' }, tools);
      guidances.push((await toolbox.surface()).prompt.guidance);
      const found = await toolbox.call('tool_search', { query: 'ticket' });
      expect(found).toMatchObject({ structured: { totalDeferred: tools.length - 1 } });
    }
    expect(guidances[0]).toBe(guidances[1]);
    expect(guidances[0]).not.toMatch(/\d/);
  });

  it('and a directory are rendered at each step from a view that contexts of one key share', async () => {
    let asked = 0;
    let hidden = 'none';
    const { open, policies } = await openToolbox({
      sources: [new FakeSource('desk', TOOLS)],
      visibility: {
        filter: (tools) => (asked++, tools.filter(({ name }) => name !== hidden)),
        cacheKey: () => 'all',
      },
      options: { exposure: { mode: 'deferred', directory: { enabled: true } } },
    });
    const prompt = async (userId: string) => JSON.stringify((await open({ userId, runId: userId }).surface()).prompt);
    const [one, two] = [await prompt('ada'), await prompt('bob')];
    expect([one === two, asked]).toEqual([true, 1]);
    expect(one).toContain('desk.close_ticket');
    hidden = 'desk.close_ticket';
    policies.setTenant('acme', { deny: ['none.*'] });
    expect(await prompt('ada')).not.toContain('desk.close_ticket');
    expect(asked).toBe(2);
  });

  it('is absent if no tool is deferred', async () => {
    const { toolbox } = await opened({ exposure: 'off' });
    expect((await toolbox.surface({ text: 'close a ticket' })).prompt).toEqual({});
  });
});

describe('hints', () => {
  it('are off by default, and then no tool is suggested', async () => {
    const { toolbox, eventsOf } = await opened({ exposure: { mode: 'deferred', guidance: false } });
    expect((await toolbox.surface({ text: 'close a ticket' })).prompt).toEqual({});
    expect(eventsOf('hints.rendered')).toEqual([]);
  });

  it('name up to 5 tools for the request, without those that are always loaded', async () => {
    expect(await hintsOf({})).toEqual(['desk.close_ticket', 'desk.create_ticket']);
    expect(await hintsOf({ topK: 1 })).toEqual(['desk.close_ticket']);
    expect(await hintsOf({ includeAlwaysLoaded: true })).toContain('desk.status');
    const many = Array.from({ length: 12 }, (_, id) => ({
      name: `t${id}`,
      description: `Frobnicate ${'abcdefghijkl'[id]}.`,
    }));
    const { toolbox } = await opened({ exposure: { mode: 'deferred', hints: { enabled: true, type: 'regex' } } }, many);
    expect((await toolbox.surface({ text: 'frobnicate' })).prompt.hints?.match(/desk\./g)).toHaveLength(5);
  });

  it('search with the configured type and limit', async () => {
    expect(await hintsOf({ type: 'exact' })).toEqual([]);
    expect(await hintsOf({ type: 'exact' }, 'close_ticket')).toEqual(['desk.close_ticket']);
  });

  it('are for the text of this very step: none without one, and a resumed run is given its text anew', async () => {
    const exposure = { mode: 'deferred', guidance: false, hints: { enabled: true, topK: 1 } } as const;
    const { open } = await opened({ exposure });
    const hints = async (toolbox: ReturnType<typeof open>, text?: string) =>
      (await toolbox.surface(text === undefined ? {} : { text })).prompt.hints?.match(/desk\.\w+/g) ?? [];
    const before = open();
    expect(await hints(before, 'close a ticket')).toEqual(['desk.close_ticket']);
    expect(await hints(before, 'create a ticket')).toEqual(['desk.create_ticket']);
    expect(await hints(before)).toEqual([]);
    await hints(before, 'close a ticket');
    await before.pause();
    const after = open();
    await after.resume();
    expect(await hints(after)).toEqual([]);
    expect(await hints(after, 'close a ticket')).toEqual(['desk.close_ticket']);
  });

  it('are one line a tool, and reported with their number', async () => {
    const { toolbox, eventsOf } = await hinted({});
    const { prompt } = await toolbox.surface({ text: 'close a ticket' });
    expect(prompt.hints?.split('\n')).toEqual([
      '<tool_hints>',
      expect.any(String),
      '- desk.close_ticket: Close a support ticket.',
      '- desk.create_ticket: Create a support ticket.',
      '</tool_hints>',
    ]);
    expect(eventsOf('hints.rendered')).toMatchObject([{ tools: 2 }]);
  });
});

describe('the directory', () => {
  const WIDE = Array.from({ length: 25 }, (_, group) =>
    Array.from({ length: 8 }, (__, id) => ({ name: `g${String(group).padStart(2, '0')}.t${id}`, namespace: '' })),
  ).flat();
  const directoryOf = async (directory: object, tools: FakeSourceTool[] = WIDE) => {
    const { toolbox } = await opened(
      { exposure: { mode: 'deferred', directory: { enabled: true, ...directory } } },
      tools,
    );
    return (await toolbox.surface()).prompt.directory?.split('\n').slice(2, -1) ?? [];
  };

  it('is off', async () => {
    const { toolbox } = await opened({ exposure: 'deferred' });
    expect((await toolbox.surface()).prompt.directory).toBeUndefined();
  });

  it('has at most 20 groups of at most 6 tools, with how many there are', async () => {
    const lines = await directoryOf({});
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe('- g00 (8): g00.t0, g00.t1, g00.t2, g00.t3, g00.t4, g00.t5, …');
  });

  it('has the configured number of groups and tools, also none, with or without counts', async () => {
    expect(await directoryOf({ maxGroups: 2 })).toHaveLength(2);
    expect((await directoryOf({ maxToolsPerGroup: 1 }))[0]).toBe('- g00 (8): g00.t0, …');
    expect((await directoryOf({ maxToolsPerGroup: 0 }))[0]).toBe('- g00 (8)');
    expect((await directoryOf({ includeToolCounts: false, maxToolsPerGroup: 1 }))[0]).toBe('- g00: g00.t0, …');
  });

  it('takes tools by namespace, tag, pattern and name, each into the first group that fits, with its trigger', async () => {
    const groups = [
      { title: 'By tag', tags: ['support'], trigger: 'a customer complains' },
      { title: 'By name', names: ['desk.close_ticket', 'desk.create_ticket'] },
      { title: 'By pattern', names: ['*.list_*'] },
      { title: 'By namespace', namespaces: ['desk'] },
    ];
    const tools = [...TOOLS, { name: 'list_agents' }, { name: 'assign' }];
    expect(await directoryOf({ groups }, tools)).toEqual([
      '- By tag (1) — a customer complains: desk.create_ticket',
      '- By name (1): desk.close_ticket',
      '- By pattern (1): desk.list_agents',
      '- By namespace (1): desk.assign',
    ]);
  });

  it('puts tools without a namespace first, as core', async () => {
    const tools = [{ name: 'plain', namespace: '' }, { name: 'b' }, { name: 'a', namespace: 'aaa' }];
    expect(await directoryOf({}, tools)).toEqual(['- core (1): plain', '- aaa (1): aaa.a', '- desk (1): desk.b']);
  });

  it('groups the remaining tools by namespace, unless that is turned off', async () => {
    const groups = [{ title: 'Mine', tags: ['support'] }];
    expect(await directoryOf({ groups }, TOOLS)).toEqual([
      '- Mine (1): desk.create_ticket',
      '- desk (1): desk.close_ticket',
    ]);
    expect(await directoryOf({ groups, includeDefaultGroups: false }, TOOLS)).toEqual([
      '- Mine (1): desk.create_ticket',
    ]);
  });
});

describe('examples', () => {
  const shownOf = async (examples: object) => {
    const { toolbox } = await opened({ exposure: 'deferred', examples });
    return (await toolbox.get(['desk.create_ticket'])).tools[0]?.examples;
  };

  it('are shown, three of a tool, minimal ones first, then common, edge cases and others', async () => {
    expect((await shownOf({}))?.map(({ args }) => args)).toEqual([{ n: 4 }, { n: 3 }, { n: 1 }]);
  });

  it('are limited by maxPerTool, with descriptions by default', async () => {
    expect(await shownOf({ maxPerTool: 1 })).toEqual([{ args: { n: 4 }, description: 'Number 4.', tags: ['minimal'] }]);
    expect(await shownOf({ maxPerTool: 1, includeDescriptions: false })).toEqual([
      { args: { n: 4 }, tags: ['minimal'] },
    ]);
  });

  it('can be switched off, and a tool without any is shown without', async () => {
    expect(await shownOf({ enabled: false })).toBeUndefined();
    const { toolbox } = await opened({ exposure: 'deferred' });
    expect((await toolbox.get(['desk.close_ticket'])).tools[0]).not.toHaveProperty('examples');
  });

  it('are in the description of a listed tool, compact and with sorted keys, where that is set', async () => {
    const tools = [{ ...TOOLS[0]!, examples: [{ args: { b: { d: 1, c: [2] }, a: 3 }, tags: [] }] }];
    for (const [options, text] of [
      [{ preset: 'penguiflow' }, '\n\nExamples:\n- {"a":3,"b":{"c":[2],"d":1}}'],
      [{ exposure: 'deferred', examples: { inDefinitions: true } }, '\n\nExamples:\n- {"a":3,"b":{"c":[2],"d":1}}'],
      [{ exposure: 'deferred' }, ''],
    ] as const) {
      const { toolbox } = await opened(options, tools);
      await toolbox.get(['desk.create_ticket']);
      expect((await toolbox.surface()).tools[0]!.description).toBe(`Create a support ticket.${text}`);
    }
  });

  it('are those of the schema for a tool that has none of its own, and its own otherwise', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, examples: [{ n: 1 }, { n: 2 }] };
    for (const [examples, expected] of [
      [undefined, [{ n: 1 }, { n: 2 }]],
      [[{ args: { n: 3 }, tags: [] }], [{ n: 3 }]],
      [[], []],
    ] as const) {
      const tools = [{ name: 'count', inputSchema, ...(examples && { examples }) }];
      const { toolbox } = await opened({ exposure: 'deferred' }, tools);
      const { tools: got } = await toolbox.get(['desk.count']);
      expect((got[0]!.examples ?? []).map(({ args }) => args)).toEqual(expected);
    }
  });

  it('have tags once each', async () => {
    const tools = [{ name: 'a', examples: [{ args: {}, tags: ['x', 'x', 'y'] }] }];
    const { toolbox } = await opened({ exposure: 'deferred' }, tools);
    expect((await toolbox.get(['desk.a'])).tools[0]?.examples).toEqual([{ args: {}, tags: ['x', 'y'] }]);
  });
});
