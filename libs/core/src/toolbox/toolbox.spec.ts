import fc from 'fast-check';
import type { ToolIndex } from '../search/tool-index.js';
import { FakeSource, type FakeSourceTool } from '../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import type { ToolVisibilityPolicy } from '../access/visibility-policy.js';
import { MemoryActivationStore } from '../activation/memory-activation-store.js';
import type { ToolContext } from '../tool/tool-context.js';
import { Toolbox } from './toolbox.js';

const BILLING: FakeSourceTool[] = [
  { name: 'get_invoice', description: 'Read one invoice.', tags: ['money'], aliases: ['billing.read_invoice'] },
  {
    name: 'refund_invoice',
    description: 'Refund an invoice, fully or in part.',
    tags: ['money'],
    sideEffects: 'write',
  },
  { name: 'list_customers', description: 'List all customers.', loading: 'always' },
];
const FILES: FakeSourceTool[] = [
  { name: 'read_file', description: 'Read a file.', run: () => 'contents' },
  { name: 'delete_file', description: 'Delete a file for good.', run: () => 'deleted' },
];

/** An application with two small sources; `billing.list_customers` is always loaded. */
function application(setup: ToolboxSetup = {}) {
  return openToolbox({ sources: [new FakeSource('billing', BILLING), new FakeSource('files', FILES)], ...setup });
}
const deferred = { exposure: 'deferred' } as const;
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const listOf = async (toolbox: Toolbox) => namesOf(await toolbox.list());
/** A policy that hides the tools in a set. Changes of the set have an effect at once. */
function hiding(hidden: Set<string>): ToolVisibilityPolicy {
  return { filter: (tools) => tools.filter(({ name }) => !hidden.has(name)) };
}

describe('the way of a tool', () => {
  it('deferred, then offered when found, then activated by its first call', async () => {
    const { toolbox, happened } = await application();
    expect(await listOf(toolbox)).toEqual(['billing.list_customers']);

    const found = await toolbox.search({ query: 'refund an invoice' });
    expect(found).toMatchObject({ verdict: 'found', totalDeferred: 4, unmatched: [] });
    expect(found.tools[0]).toMatchObject({
      name: 'billing.refund_invoice',
      loading: 'deferred',
      active: false,
      match: 'bm25',
    });
    const listed = await toolbox.list();
    expect(listed.find(({ name }) => name === 'billing.refund_invoice')).toMatchObject({ active: false });

    expect(await toolbox.call('billing.refund_invoice', {})).toMatchObject({ ok: true, activated: true });
    expect(await toolbox.call('billing.refund_invoice', {})).not.toHaveProperty('activated');
    expect((await toolbox.list()).find(({ name }) => name === 'billing.refund_invoice')).toMatchObject({
      active: true,
    });
    expect(happened.filter(({ type }) => type.startsWith('tool.')).map(({ type }) => type)).toEqual([
      'tool.searched',
      'tool.offered',
      'tool.activated',
      'tool.called',
      'tool.called',
    ]);
  });

  it('offered also when it is read with tool_get', async () => {
    const { toolbox } = await application();
    await toolbox.get(['files.read_file']);
    expect(await listOf(toolbox)).toEqual(['billing.list_customers', 'files.read_file']);
  });

  it('called without ever having been found, if it may be seen', async () => {
    const { toolbox } = await application();
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true, activated: true });
    expect(await listOf(toolbox)).toContain('files.read_file');
  });

  it('read, activated and called under an alias as well', async () => {
    const { toolbox, eventsOf } = await application();
    expect(namesOf((await toolbox.get(['billing.read_invoice', 'billing.get_invoice'])).tools)).toEqual([
      'billing.get_invoice',
    ]);
    expect(await toolbox.call('billing.read_invoice', {})).toMatchObject({ ok: true });
    expect(eventsOf('tool.activated')).toMatchObject([{ tool: 'billing.get_invoice' }]);
    expect(await listOf(toolbox)).toEqual(['billing.list_customers', 'billing.get_invoice']);
  });

  it('listed once after it was renamed, though records hold both names', async () => {
    const source = new FakeSource('billing', ['old_name']);
    const { toolbox, catalog } = await openToolbox({ sources: [source] });
    await toolbox.get(['billing.old_name']);
    await toolbox.call('billing.old_name', {});
    source.setTools([{ name: 'new_name', aliases: ['billing.old_name'] }]);
    await catalog.refresh();
    expect(await toolbox.list()).toMatchObject([{ name: 'billing.new_name', active: true }]);
    await toolbox.get(['billing.new_name']);
    await toolbox.call('billing.new_name', {});
    expect(await listOf(toolbox)).toEqual(['billing.new_name']);
  });

  it('dormant while it is hidden: not listed, not callable, and back afterwards', async () => {
    const hidden = new Set<string>();
    const { toolbox, open, catalog, eventsOf } = await application({ visibility: hiding(hidden) });
    await toolbox.call('files.read_file', {});
    hidden.add('files.read_file');
    expect(await listOf(open())).toEqual(['billing.list_customers']);
    expect(await open().call('files.read_file', {})).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(eventsOf('tool.denied')).toMatchObject([{ tool: 'files.read_file', layer: 'visibility', rule: 'filter' }]);
    hidden.clear();
    expect(await open().list()).toContainEqual(expect.objectContaining({ name: 'files.read_file', active: true }));
    await catalog.remove('files');
    expect(await listOf(open())).toEqual(['billing.list_customers']);
  });

  it('not run once it was withdrawn, even by a toolbox that has listed it', async () => {
    const files = new FakeSource('files', FILES);
    const { toolbox, catalog } = await openToolbox({ sources: [files] });
    await toolbox.search({ query: 'read file' });
    expect(await listOf(toolbox)).toContain('files.read_file');
    files.setTools(['delete_file']);
    await catalog.refresh();
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(files.calls).toEqual([]);
  });
});

describe('a run and a session', () => {
  const session = (sessionId: string, runId: string) => ({ sessionId, runId });

  it('a session keeps its tools over its runs; offers end with the run', async () => {
    const { open } = await application();
    const first = open(session('s', 'r1'));
    await first.search({ query: 'delete file' });
    await first.call('files.read_file', {});
    expect(await listOf(open(session('s', 'r2')))).toEqual(['billing.list_customers', 'files.read_file']);
    expect(await listOf(open(session('t', 'r3')))).toEqual(['billing.list_customers']);
  });

  it('a run keeps offers and tools over its requests', async () => {
    const { open } = await application();
    await open().search({ query: 'delete file' });
    await open().call('files.read_file', {});
    expect(await listOf(open())).toEqual(['billing.list_customers', 'files.delete_file', 'files.read_file']);
    expect(await listOf(open({ runId: 'run-2' }))).toEqual(['billing.list_customers']);
    expect(await listOf(open({ userId: 'bob' }))).toEqual(['billing.list_customers']);
    expect(await listOf(open({ tenantId: 'globex' }))).toEqual(['billing.list_customers']);
  });

  it('a run without id lasts one request', async () => {
    const { open } = await application({ context: { tenantId: 'acme' } });
    const [one, other] = [open(), open()];
    await one.search({ query: 'delete file' });
    await one.call('files.read_file', {});
    expect(await listOf(one)).toEqual(['billing.list_customers', 'files.delete_file', 'files.read_file']);
    expect(await listOf(other)).toEqual(['billing.list_customers']);
  });

  it('a session can be required: without its id no state is shared', async () => {
    const { open } = await application({ options: { ...deferred, activation: { scope: 'session' } } });
    await expect(open().list()).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
    expect(await open().call('files.read_file', {})).toMatchObject({ ok: false, code: 'SESSION_REQUIRED' });
    expect(await open({ sessionId: 's' }).call('files.read_file', {})).toMatchObject({ ok: true });
  });

  it('a session holds so many tools and no more', async () => {
    const { toolbox } = await application({ options: { ...deferred, activation: { maxTools: 1 } } });
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
    expect(await toolbox.call('files.delete_file', {})).toMatchObject({ ok: false, code: 'ACTIVATION_LIMIT' });
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
    await expect(toolbox.activate(['files.delete_file'])).rejects.toMatchObject({ code: 'ACTIVATION_LIMIT' });
    expect(await toolbox.activate(['files.read_file', 'billing.list_customers', 'no.such'])).toEqual({
      activated: [],
      alreadyActive: ['billing.list_customers', 'files.read_file'],
      unavailable: ['no.such'],
      overLimit: [],
    });
  });
});

describe('what activates a tool', () => {
  const of = (activateOn: 'call' | 'load' | 'search') =>
    application({ options: { ...deferred, activation: { activateOn } } });

  it('by default its first call; being found only offers it', async () => {
    const { toolbox, eventsOf } = await of('call');
    await toolbox.search({ query: 'read file' });
    expect(eventsOf('tool.activated')).toEqual([]);
    expect(namesOf((await toolbox.surface()).meta)).toEqual(['tool_search', 'tool_get']);
  });

  it('an explicit load, where it is asked for: found tools are not even listed', async () => {
    const { toolbox, eventsOf } = await of('load');
    await toolbox.search({ query: 'read file' });
    await toolbox.get(['files.read_file']);
    expect(await listOf(toolbox)).toEqual(['billing.list_customers']);
    expect(namesOf((await toolbox.surface()).meta)).toEqual(['tool_search', 'tool_get', 'tool_load']);
    expect(await toolbox.call('tool_load', { names: ['files.read_file', 'x.y'] })).toMatchObject({
      ok: true,
      structured: { activated: ['files.read_file'], unavailable: ['x.y'] },
    });
    expect(eventsOf('tool.activated')).toMatchObject([{ tool: 'files.read_file', reason: 'load' }]);
    expect(await listOf(toolbox)).toEqual(['billing.list_customers', 'files.read_file']);
  });

  it('being found, where that is asked for', async () => {
    const { toolbox, eventsOf } = await of('search');
    const { tools } = await toolbox.search({ query: 'read file' });
    expect(tools[0]).toMatchObject({ name: 'files.read_file', active: true });
    expect(eventsOf('tool.activated')).toContainEqual(
      expect.objectContaining({ tool: 'files.read_file', reason: 'search' }),
    );
  });
});

describe('meta tools', () => {
  it('answer through call() like any other tool', async () => {
    const { toolbox } = await application();
    const found = await toolbox.call('tool_search', { query: 'delete file', limit: 1 });
    expect(found).toMatchObject({ ok: true, structured: { verdict: 'found', tools: [{ name: 'files.delete_file' }] } });
    expect(found.ok && JSON.parse((found.content[0] as { text: string }).text)).toEqual(found.ok && found.structured);
    expect(await toolbox.call('tool_get', { names: ['files.delete_file'], includeSchemas: false })).toMatchObject({
      ok: true,
      structured: { tools: [{ name: 'files.delete_file', description: 'Delete a file for good.' }] },
    });
    expect(await listOf(toolbox)).toContain('files.delete_file');
  });

  it('search only in the ways the application offers to models', async () => {
    const { toolbox } = await application();
    const regex = { query: 'file$', type: 'regex' as const };
    expect(await toolbox.call('tool_search', regex)).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      hint: 'Use one of bm25, exact.',
    });
    expect(namesOf((await toolbox.search(regex)).tools)).toEqual(['files.delete_file', 'files.read_file']);
    const { toolbox: open } = await application({ options: { ...deferred, search: { types: ['regex'] } } });
    expect(await open.call('tool_search', regex)).toMatchObject({ ok: true });
  });

  it('take several queries at once, and say what each of them found', async () => {
    const { toolbox } = await application();
    const queries = ['refund an invoice', 'teleport', 'delete a file'];
    expect(await toolbox.call('tool_search', { queries })).toMatchObject({
      ok: true,
      structured: {
        verdict: 'found',
        tools: [{ name: 'billing.refund_invoice', queries: [0] }, { name: 'files.delete_file', queries: [2] }, {}, {}],
        queries: [
          { index: 0, verdict: 'found', unmatched: [] },
          { index: 1, verdict: 'none', unmatched: ['teleport'] },
          { index: 2, verdict: 'found', unmatched: [] },
        ],
      },
    });
    expect(await toolbox.search({ queries: ['refund'] })).not.toHaveProperty('queries');
  });

  // Without words of their own the tools would be near-copies, which share one hit.
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu'];
  const word = (n: number) => [n, Math.floor(n / 10), 3 * n].map((digit) => syllables[digit % 10]).join('');
  const distinct = (n: number) => [word(n), word(n + 37), word(n + 61)].join(' ');

  it('count the limit for each query, 20 hits in all, and say which query found which tool', async () => {
    const nouns = ['invoice', 'ticket', 'parcel', 'contract', 'meeting'];
    const tools = nouns.flatMap((noun) =>
      Array.from({ length: 6 }, (_, n) => ({
        name: `${noun}_${word(n)}`,
        description: `Archive an ${noun} ${distinct(n)}.`,
      })),
    );
    const source = new FakeSource('many', [
      ...tools,
      { name: 'archive', description: 'Archive a ticket or an invoice.' },
    ]);
    const { toolbox, close } = await openToolbox({ sources: [source] });
    const two = await toolbox.search({ queries: ['archive ticket', 'archive invoice'], limit: 3 });
    expect(two.tools.map(({ queries }) => queries)).toEqual(expect.arrayContaining([[0], [1]]));
    expect(two.tools.length).toBeGreaterThan(3);
    expect(two.tools.length).toBeLessThanOrEqual(6);
    const both = await toolbox.search({ queries: ['archive ticket', 'ticket or invoice'], limit: 20 });
    expect(both.tools.find(({ name }) => name === 'many.archive')?.queries).toEqual([0, 1]);
    const all = await toolbox.search({ queries: nouns.map((noun) => `archive ${noun}`), limit: 5 });
    expect(all.tools).toHaveLength(20);
    expect(new Set(all.tools.flatMap(({ queries }) => queries))).toEqual(new Set([0, 1, 2, 3, 4]));
    await close();
  });

  it('say how many tools match beyond those that are shown, unless these are very many', async () => {
    const of = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        name: `file_${word(n)}`,
        description: `Moves a file ${distinct(n)}.`,
      }));
    const structuredOf = async (count: number) => {
      const { toolbox, close } = await openToolbox({ sources: [new FakeSource('files', of(count))] });
      const answer = await toolbox.call('tool_search', { query: 'move file' });
      const { matching } = await toolbox.search({ query: 'move file' });
      await close();
      return [(answer as { structured: { shown?: string } }).structured.shown, matching];
    };
    expect(await structuredOf(4)).toEqual([undefined, 4]);
    expect(await structuredOf(23)).toEqual(['5 of 23', 23]);
    expect(await structuredOf(80)).toEqual([undefined, 60]);
  });

  it('refuse a model the fields that only programs have', async () => {
    const { toolbox } = await application();
    for (const more of [{ explain: true }, { fields: ['name'] }]) {
      expect(await toolbox.call('tool_search', { query: 'file', ...more })).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        hint: 'Known fields: query, queries, type, limit, namespace, includeAlwaysLoaded.',
      });
    }
    const { toolbox: byPattern } = await application({ options: { ...deferred, search: { types: ['regex'] } } });
    const named = await byPattern.call('tool_search', { query: 'invoice', fields: ['description'] });
    expect(named).toMatchObject({ ok: true, structured: { tools: [{ score: 0.75 }, { score: 0.75 }] } });
  });

  it('are not available by a name that is not shown', async () => {
    const { toolbox } = await application();
    for (const name of ['tool_load', 'TOOL_SEARCH']) {
      expect(await toolbox.call(name, {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    }
  });

  it('bridge to every tool, which is called, reported and refused as itself', async () => {
    const { toolbox, eventsOf, faults } = await application();
    expect(namesOf((await toolbox.surface({ mode: 'bridge' })).meta)).toEqual(['tool_search', 'tool_get', 'tool_call']);
    const before = namesOf((await toolbox.surface({ mode: 'bridge' })).tools);
    const [name] = namesOf((await toolbox.visible()).filter(({ loading }) => loading === 'deferred'));
    const direct = await toolbox.call(name!, {});
    expect(await toolbox.call('tool_call', { name, arguments: {} })).toEqual({ ...direct, activated: undefined });
    expect(eventsOf('tool.called').map(({ tool }) => tool)).toEqual([name, name]);
    expect(namesOf((await toolbox.surface({ mode: 'bridge' })).tools)).toEqual(before);
    expect(await toolbox.call('tool_call', { name: 'no.such' })).toEqual(await toolbox.call('no.such', {}));
    // The model made this error: it gets a hint, and nothing is logged for the operator.
    for (const input of [{ name: 'tool_call', arguments: { name } }, { name: 'tool_call' }]) {
      expect(await toolbox.call('tool_call', input)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    }
    expect(faults).toEqual([]);
    for (const faulty of [undefined, [], {}, { name: 7 }, { name, args: {} }]) {
      expect(await toolbox.call('tool_call', faulty)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    }
  });

  it('describe themselves with a schema that their own examples fit', async () => {
    const { toolbox } = await application({ options: { ...deferred, search: { limit: 3, maxLimit: 7 } } });
    const { meta } = await toolbox.surface();
    expect(meta[0]?.inputSchema).toMatchObject({
      properties: { limit: { default: 3, maximum: 7 }, type: { enum: ['bm25', 'exact'] }, queries: { maxItems: 5 } },
      additionalProperties: false,
    });
    expect(meta[0]?.inputSchema).not.toHaveProperty('properties.fields');
    expect(await toolbox.call('tool_search', { query: 'file', limit: 100 })).toMatchObject({
      ok: true,
      structured: { notice: 'limit was lowered to 7, the maximum' },
    });
  });
});

describe('search', () => {
  it('finds what is deferred; always loaded tools on request', async () => {
    const { toolbox } = await application();
    expect((await toolbox.search({ query: 'customers' })).tools).toEqual([]);
    const all = await toolbox.search({ query: 'customers', includeAlwaysLoaded: true });
    expect(all.tools[0]).toMatchObject({ name: 'billing.list_customers', loading: 'always' });
    expect(await listOf(toolbox)).toEqual(['billing.list_customers']);
  });

  it('can be confined to a namespace and merges several wordings', async () => {
    const { toolbox } = await application();
    expect(namesOf((await toolbox.search({ query: 'read', namespace: 'files' })).tools)).toEqual(['files.read_file']);
    const merged = await toolbox.search({ queries: ['refund', 'delete file'], limit: 1 });
    expect(namesOf(merged.tools)).toEqual(['billing.refund_invoice', 'files.delete_file']);
  });

  it('returns the unmatched words, and that there are no hits', async () => {
    const { toolbox } = await application();
    expect(await toolbox.search({ query: 'teleport' })).toMatchObject({
      tools: [],
      verdict: 'none',
      unmatched: ['teleport'],
    });
  });

  it('falls back from full text where the engine has none, and says so', async () => {
    const { toolbox, eventsOf } = await application();
    expect((await toolbox.search({ query: 'file', type: 'fts' })).searchType).toEqual({
      requested: 'fts',
      effective: 'bm25',
    });
    expect(eventsOf('tool.searched')).toMatchObject([{ requestedType: 'fts', effectiveType: 'bm25', results: 2 }]);
  });

  it('leaves queries out of events', async () => {
    const { toolbox, happened } = await application();
    await toolbox.search({ query: 'file hunter2' });
    await toolbox.call('hunter2 is no name', {});
    expect(JSON.stringify(happened)).not.toContain('hunter2');
  });
});

describe('the surface', () => {
  it('lists everything without meta tools or prompt where exposure is off, and builds no index', async () => {
    const { toolbox, happened } = await application({ options: { exposure: 'off' } });
    const surface = await toolbox.surface({ mode: 'deferred', text: 'delete a file' });
    expect(surface).toMatchObject({ mode: 'all', meta: [], prompt: {} });
    expect(namesOf(surface.tools)).toEqual(namesOf(await toolbox.visible()));
    expect(happened.findLast(({ type }) => type === 'catalog.published')).toMatchObject({ engine: 'none' });
    expect(await toolbox.call('tool_search', { query: 'file' })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await expect(toolbox.search({ query: 'file' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
  });

  it('defers by itself once what could be deferred is large for the model', async () => {
    const countTokens = () => 100;
    const { toolbox } = await application({ options: { exposure: 'auto', countTokens } });
    // Four tools could be deferred; always-loaded tools cost the same in both modes.
    expect((await toolbox.surface({ contextWindow: 4000 })).mode).toBe('deferred');
    expect((await toolbox.surface({ contextWindow: 4001 })).mode).toBe('all');
    expect((await toolbox.surface()).mode).toBe('all');
    expect((await toolbox.surface({ mode: 'deferred' })).mode).toBe('deferred');
    const { toolbox: eager } = await application({
      options: { exposure: { thresholdPct: 1, contextWindow: 40_000 }, countTokens },
    });
    expect((await eager.surface()).mode).toBe('deferred');
    expect((await eager.surface({ mode: 'all' })).mode).toBe('all');
  });

  it('names every listed tool as a provider can take it, without ambiguity', async () => {
    const { toolbox } = await application({ options: { exposure: 'all' } });
    const { tools, wireNames } = await toolbox.surface();
    expect([...wireNames.keys()]).toEqual(namesOf(tools));
    expect(new Set(wireNames.values()).size).toBe(tools.length);
    expect(wireNames.get('files.read_file')).toBe('files__read_file');
  });

  it('has the same bytes for the same state, so that a prompt cache holds', async () => {
    const options = { exposure: { mode: 'deferred', hints: { enabled: true }, directory: { enabled: true } } } as const;
    const { toolbox, open } = await application({ options });
    await toolbox.search({ query: 'file' });
    const bytesOf = async (of: Toolbox) => JSON.stringify(await of.surface({ text: 'delete a file' }));
    expect(await bytesOf(open())).toBe(await bytesOf(toolbox));
    const { toolbox: elsewhere } = await application({ options });
    await elsewhere.search({ query: 'file' });
    expect(await bytesOf(elsewhere)).toBe(await bytesOf(toolbox));
  });

  it('suggests and groups from what is visible alone', async () => {
    const options = { exposure: { mode: 'deferred', hints: { enabled: true }, directory: { enabled: true } } } as const;
    const { toolbox, eventsOf } = await application({ options, policy: { deny: ['files.delete_*'] } });
    const { prompt } = await toolbox.surface({ text: 'please delete a file' });
    expect(prompt.guidance).toContain('tool_search');
    expect(prompt.hints).toContain('- files.read_file: Read a file.');
    expect(prompt.directory).toBe(
      [
        '<tool_directory>',
        'Tools you can find with tool_search:',
        '- billing (2): billing.get_invoice, billing.refund_invoice',
        '- files (1): files.read_file',
        '</tool_directory>',
      ].join('\n'),
    );
    expect(JSON.stringify(prompt)).not.toContain('delete_file');
    expect(eventsOf('directory.rendered')).toMatchObject([{ groups: 2, tools: 3 }]);
    expect(eventsOf('hints.rendered')).toMatchObject([{ tools: 1 }]);
  });

  it('has no hints where the words make no query', async () => {
    const options = { exposure: { mode: 'deferred', guidance: false, hints: { enabled: true } } } as const;
    const { toolbox } = await application({ options });
    for (const text of [undefined, '', ' \n', '\u200b', '?!'])
      expect((await toolbox.surface({ text } as object)).prompt).toEqual({});
    expect((await toolbox.surface({ text: `delete a file ${'x '.repeat(5000)}` })).prompt.hints).toContain(
      'files.delete_file',
    );
  });
});

describe('the order of the list', () => {
  it('is append-only over a run, for any calls of the model', async () => {
    const names = ['billing.get_invoice', 'billing.refund_invoice', 'files.read_file', 'files.delete_file'];
    const step = fc.record({
      kind: fc.constantFrom('search', 'get', 'call', 'activate'),
      name: fc.constantFrom(...names),
    });
    const { open } = await application();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const runId = `run ${run++}`;
        let before: string[] = await listOf(open({ runId }));
        expect(before).toEqual(['billing.list_customers']);
        for (const { kind, name } of steps) {
          const toolbox = open({ runId });
          if (kind === 'search') await toolbox.search({ query: name, type: 'exact' });
          else if (kind === 'get') await toolbox.get([name]);
          else if (kind === 'call') await toolbox.call(name, {});
          else await toolbox.activate([name]);
          const now = await listOf(open({ runId }));
          expect(now.slice(0, before.length)).toEqual(before);
          expect(now.length - before.length).toBeLessThanOrEqual(1);
          expect(now).toContain(name);
          before = now;
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('at the same time', () => {
  it('50 first calls of one toolbox all run, and activate the tool once', async () => {
    const { toolbox, eventsOf } = await application();
    const results = await Promise.all(Array.from({ length: 50 }, () => toolbox.call('files.read_file', {})));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(results.filter((result) => result.ok && result.activated)).toHaveLength(1);
    expect(eventsOf('tool.activated')).toHaveLength(1);
    expect(new Set(eventsOf('tool.called').map(({ callId }) => callId)).size).toBe(50);
    expect(await listOf(toolbox)).toEqual(['billing.list_customers', 'files.read_file']);
  });

  it('different operations of one toolbox do not disturb each other', async () => {
    const { toolbox } = await application();
    const [found, got, called, listed] = await Promise.all([
      toolbox.search({ query: 'refund invoice' }),
      toolbox.get(['files.delete_file']),
      toolbox.call('files.read_file', {}),
      toolbox.list(),
    ]);
    expect(found.tools[0]?.name).toBe('billing.refund_invoice');
    expect(namesOf(got.tools)).toEqual(['files.delete_file']);
    expect(called).toMatchObject({ ok: true });
    expect(listed[0]?.name).toBe('billing.list_customers');
    const after = await listOf(toolbox);
    expect(new Set(after).size).toBe(after.length);
    expect(after).toEqual(expect.arrayContaining(['billing.refund_invoice', 'files.delete_file', 'files.read_file']));
  });

  it('limits hold under parallel calls', async () => {
    const many = Array.from({ length: 30 }, (_, id) => `t${id}`);
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('x', many)],
      options: { ...deferred, activation: { maxTools: 10 } },
    });
    const results = await Promise.all(many.map((name) => toolbox.call(`x.${name}`, {})));
    expect(results.filter(({ ok }) => ok)).toHaveLength(10);
    expect(results.filter((result) => !result.ok && result.code === 'ACTIVATION_LIMIT')).toHaveLength(20);
    expect(await toolbox.list()).toHaveLength(10);
  });

  it('tenants keep to their own', async () => {
    const shared = new FakeSource('shared', [{ name: 'whoami', run: (_, { tenantId }) => tenantId }]);
    const own = ['acme', 'globex'].map(
      (owner) =>
        new FakeSource('own', [{ name: 'secret', run: (_, { tenantId }) => `${owner} for ${tenantId}` }], { owner }),
    );
    const { open } = await openToolbox({ sources: [shared, ...own] });
    const tenants = Array.from({ length: 60 }, (_, turn) => ['acme', 'globex', 'initech'][turn % 3]!);
    const answers = await Promise.all(
      tenants.map(async (tenantId) => {
        const toolbox = open({ tenantId });
        const [whoami, secret, found] = await Promise.all([
          toolbox.call('shared.whoami', {}),
          toolbox.call('own.secret', {}),
          toolbox.search({ query: 'secret' }),
        ]);
        return [tenantId, whoami.content, secret.content, namesOf(found.tools)];
      }),
    );
    const text = (words: string) => [{ type: 'text', text: words }];
    for (const [tenantId, whoami, secret, found] of answers) {
      const has = tenantId !== 'initech';
      expect(whoami).toEqual(text(tenantId as string));
      expect(secret).toEqual(has ? text(`${tenantId as string} for ${tenantId as string}`) : undefined);
      expect(found).toEqual(has ? ['own.secret'] : []);
    }
  });
});

describe('the view', () => {
  it('is asked for once per toolbox without a key, and shared by all contexts with one', async () => {
    const asked = { unkeyed: 0, keyed: 0 };
    const unkeyed: ToolVisibilityPolicy = { filter: (tools) => ((asked.unkeyed += 1), tools) };
    const keyed: ToolVisibilityPolicy = { filter: (tools) => ((asked.keyed += 1), tools), cacheKey: () => 'all' };
    for (const [visibility, requests] of [
      [unkeyed, 3],
      [keyed, 3],
    ] as const) {
      const { open } = await application({ visibility });
      for (let request = 0; request < requests; request++) {
        const toolbox = open({ runId: `r${request}` });
        await Promise.all([toolbox.list(), toolbox.list()]);
        await toolbox.search({ query: 'file' });
      }
    }
    expect(asked).toEqual({ unkeyed: 3, keyed: 1 });
  });

  it('is never shared between tenants, for any key', async () => {
    const plan: ToolVisibilityPolicy = {
      filter: (tools, { tenantId }) => tools.filter(({ namespace }) => tenantId === 'acme' || namespace === 'files'),
      cacheKey: () => 'same',
    };
    const { open } = await application({ visibility: plan });
    expect(await open().visible()).toHaveLength(5);
    expect(await open({ tenantId: 'globex' }).visible()).toHaveLength(2);
  });

  it('follows a new policy and a new catalog at once, shared or not', async () => {
    for (const cacheKey of [undefined, () => 'all']) {
      const files = new FakeSource('files', FILES);
      const visibility: ToolVisibilityPolicy = { filter: (tools) => tools, ...(cacheKey && { cacheKey }) };
      const { toolbox, policies, catalog } = await openToolbox({ sources: [files], visibility });
      expect(await toolbox.visible()).toHaveLength(2);
      policies.setTenant('acme', { deny: ['files.delete_*'] });
      expect(namesOf(await toolbox.visible())).toEqual(['files.read_file']);
      files.setTools([...FILES, 'new_file']);
      await catalog.refresh();
      expect(namesOf(await toolbox.visible())).toEqual(['files.new_file', 'files.read_file']);
      policies.setTenant('acme', undefined);
      expect(await toolbox.visible()).toHaveLength(3);
    }
  });

  it('does not remember what a failing policy hid', async () => {
    for (const cacheKey of [undefined, () => 'all']) {
      let fails = true;
      const flaky: ToolVisibilityPolicy = {
        filter: (tools) => (fails ? JSON.parse('{') : tools),
        ...(cacheKey && { cacheKey }),
      };
      const { toolbox } = await application({ visibility: flaky });
      expect(await toolbox.visible()).toEqual([]);
      fails = false;
      expect(await toolbox.visible()).toHaveLength(5);
    }
  });

  it('names the tools that it leaves out to the application, under all of their names', async () => {
    const globex = new FakeSource('globex', ['read_book'], { owner: 'globex' });
    const sources = [new FakeSource('billing', BILLING), new FakeSource('files', FILES), globex];
    const visibility = hiding(new Set(['billing.get_invoice', 'globex.read_book']));
    const { open, killSwitches } = await openToolbox({ sources, visibility, policy: { deny: ['files.delete_*'] } });
    const hiddenNames = async (toolbox: Toolbox) => (await toolbox.hiddenNames()).toSorted();
    const hidden = ['billing.get_invoice', 'billing.read_invoice', 'files.delete_file'];
    expect(await hiddenNames(open())).toEqual(hidden);
    expect(await hiddenNames(open({ tenantId: 'globex' }))).toEqual([...hidden, 'globex.read_book']);
    expect(await hiddenNames(open().narrow({ deny: ['files.*'] }))).toEqual([...hidden, 'files.read_file']);
    await killSwitches.engage({ kind: 'tool', value: 'files.read_file', reason: 'broken', actor: 'olga' });
    expect(await open().hiddenNames()).toContain('files.read_file');
  });

  it('reports to operators how many tools each layer removed', async () => {
    const { toolbox, eventsOf } = await application({
      policy: { deny: ['billing.*'] },
      visibility: hiding(new Set(['files.delete_file'])),
    });
    await toolbox.list();
    expect(eventsOf('policy.filtered').map(({ layer, removed, visible }) => [layer, removed, visible])).toEqual([
      ['policy', 3, 1],
      ['visibility', 1, 1],
    ]);
  });
});

describe('the context', () => {
  it('is asked for once, at the first use', async () => {
    const { open } = await application();
    const context = await open({ runId: 'r' }).context();
    expect(context).toEqual({ tenantId: 'acme', userId: 'ada', runId: 'r' });
  });

  it('reaches the application’s policies with the fields it added itself', async () => {
    const seen: ToolContext[] = [];
    const visibility: ToolVisibilityPolicy = { filter: (tools, asking) => (seen.push(asking), tools) };
    const context = { tenantId: 'acme', colour: 'blue' } as ToolContext;
    const { toolbox } = await application({ visibility, context });
    await toolbox.list();
    expect(seen).toEqual([context]);
  });

  it('that cannot be had means no tools at all', async () => {
    const world = await application();
    const toolbox = new Toolbox(world, () => {
      throw new Error('not signed in');
    });
    for (const work of [
      () => toolbox.list(),
      () => toolbox.visible(),
      () => toolbox.call('files.read_file', {}),
      () => toolbox.search({ query: 'x' }),
    ]) {
      await expect(work()).rejects.toThrow('not signed in');
    }
  });
});

describe('a store that fails', () => {
  it('stops no call that the gate admits; what needs the store is refused with a code', async () => {
    class Broken extends MemoryActivationStore {
      override async activate(): Promise<never> {
        throw new Error('disk full at /var/lib/secret');
      }
    }
    const files = new FakeSource('files', FILES);
    const { toolbox } = await openToolbox({ sources: [files], store: new Broken() });
    const result = await toolbox.call('files.read_file', {});
    expect(result).toMatchObject({ ok: true });
    expect(result).not.toHaveProperty('activated');
    expect(files.calls).toHaveLength(1);
    const error = await toolbox.activate(['files.read_file']).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(String(error)).not.toContain('secret');
  });
});

describe('descriptions', () => {
  it('give the examples the application wants to show', async () => {
    const examples = [{ args: { path: '/a' }, description: 'One file.', tags: ['minimal'] }, { args: { path: '/b' } }];
    const source = new FakeSource('files', [{ name: 'read_file', examples }]);
    const read = async (options: ToolboxSetup['options']) => {
      const { toolbox } = await openToolbox({
        sources: [source],
        ...(options && { options: { ...deferred, ...options } }),
      });
      return (await toolbox.get(['files.read_file'])).tools[0]?.examples;
    };
    expect(await read({})).toEqual([
      { args: { path: '/a' }, description: 'One file.', tags: ['minimal'] },
      { args: { path: '/b' } },
    ]);
    expect(await read({ examples: { maxPerTool: 1, includeDescriptions: false } })).toEqual([
      { args: { path: '/a' }, tags: ['minimal'] },
    ]);
    expect(await read({ examples: { enabled: false } })).toBeUndefined();
  });

  it('name what cannot be had beside what can', async () => {
    const { toolbox } = await application({ policy: { deny: ['files.delete_*'] } });
    const { tools, unavailable } = await toolbox.get([
      'files.read_file',
      'files.delete_file',
      'no.such',
      'files.read_file',
    ]);
    expect([namesOf(tools), unavailable]).toEqual([['files.read_file'], ['files.delete_file', 'no.such']]);
  });
});

describe('what is logged and not returned to the caller', () => {
  it('is why a search failed on our side', async () => {
    const index: ToolIndex = {
      engine: 'broken',
      apply: async () => undefined,
      search: async () => {
        throw new TypeError('a secret of the engine');
      },
    };
    const { toolbox, faults } = await openToolbox({
      sources: [new FakeSource('crm', ['read'])],
      options: { exposure: 'deferred', index },
    });
    const answer = await toolbox.call('tool_search', { query: 'read' });
    expect(answer).toMatchObject({ ok: false, code: 'INTERNAL' });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(faults).toEqual([{ tool: 'tool_search', error: expect.any(TypeError) }]);
  });
});

describe('search by options', () => {
  it('uses, for a model that names none, a type that it is offered', async () => {
    const { toolbox, eventsOf } = await openToolbox({
      sources: [new FakeSource('crm', ['read_customers'])],
      options: { exposure: 'deferred', search: { types: ['exact'] } },
    });
    const { meta } = await toolbox.surface();
    expect(meta[0]!.inputSchema['properties']).toMatchObject({
      type: { enum: ['exact'], default: 'exact', description: 'exact matches a name, alias or tag' },
    });
    expect(await toolbox.call('tool_search', { query: 'customers' })).toMatchObject({ ok: true });
    expect(eventsOf('tool.searched')).toMatchObject([{ requestedType: 'exact' }]);
    expect(await toolbox.call('tool_search', { query: 'customers', type: 'bm25' })).toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });

  it('lists no more of what it finds than a search may add, and the rest once it is read', async () => {
    const long = (name: string) => ({ name, description: `Read a page. ${'More about it. '.repeat(200)}` });
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('wiki', [long('read_page'), long('read_pages'), long('read_old_page')])],
      options: { exposure: 'deferred' },
    });
    const listed = async () => (await toolbox.list()).map(({ name }) => name);
    const { tools } = await toolbox.search({ query: 'read a page' });
    const [best, second] = tools.map(({ name }) => name);
    expect(tools.map(({ offered }) => offered)).toEqual([undefined, false, false]);
    expect(await listed()).toEqual([best]);
    // A listed tool is found again at no cost, so there is room for the next one.
    await toolbox.search({ query: 'read a page' });
    expect(await listed()).toEqual([best, second]);
    await toolbox.get([tools[2]!.name]);
    expect(await listed()).toHaveLength(3);
  });

  it('puts preferred namespaces first among equals before the list is cut', async () => {
    const same = { name: 'read', description: 'Read a page.' };
    const { toolbox } = await openToolbox({
      sources: ['alpha', 'beta', 'gamma'].map((name) => new FakeSource(name, [same])),
      options: { exposure: 'deferred', search: { preferredNamespaces: ['gamma'] } },
    });
    const { tools } = await toolbox.search({ query: 'read a page', limit: 1 });
    expect(tools.map(({ name }) => name)).toEqual(['gamma.read']);
  });
});
