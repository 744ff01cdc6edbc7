import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { namesOf, opened } from './github-and-slack.js';

/* Guarantees of PenguiFlow's tool_search and tool_get that hold here; rows PF-… of docs/parity.md. */

const many = (count: number) =>
  openToolbox({
    sources: [
      new FakeSource(
        'x',
        Array.from({ length: count }, (_, id) => ({ name: `page_${id}`, description: 'A page.' })),
      ),
    ],
    options: { exposure: 'deferred', search: { types: ['bm25', 'regex', 'exact'] } },
  });

describe('tool_search', () => {
  it('takes query, type, limit and includeAlwaysLoaded', async () => {
    const { toolbox } = await opened({ search: { types: ['bm25', 'regex', 'exact'] } });
    const [search] = (await toolbox.surface()).meta;
    expect(search?.inputSchema['properties']).toMatchObject({
      query: { type: 'string', description: expect.stringMatching(/"\w+( \w+)+"/) },
      type: { enum: ['bm25', 'regex', 'exact'], default: 'bm25' },
      limit: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
      includeAlwaysLoaded: { type: 'boolean', default: false },
    });
  });

  it('ranks by words by default, and offers words and names to models', async () => {
    const { toolbox } = await opened();
    expect((await toolbox.search({ query: 'issue' })).searchType).toEqual({ requested: 'bm25', effective: 'bm25' });
    expect(await toolbox.call('tool_search', { query: 'x', type: 'regex' })).toMatchObject({
      hint: 'Use one of bm25, exact.',
    });
  });

  it('returns 5 hits by default, and never more than 20', async () => {
    const { toolbox } = await many(30);
    const counts = await Promise.all(
      [undefined, 1, 20, 50].map(async (limit) => {
        const request = { query: 'page', type: 'regex' as const, ...(limit !== undefined && { limit }) };
        return (await toolbox.search(request)).tools.length;
      }),
    );
    expect(counts).toEqual([5, 1, 20, 20]);
  });

  it('is bounded by the application: search.maxLimit lowers what a model asks for', async () => {
    const { toolbox } = await openToolbox({
      sources: [
        new FakeSource(
          'x',
          Array.from({ length: 30 }, (_, id) => `page_${id}`),
        ),
      ],
      options: { exposure: 'deferred', search: { limit: 8, maxLimit: 10 } },
    });
    const pages = { query: 'page', type: 'regex' } as const;
    expect((await toolbox.search(pages)).tools).toHaveLength(8);
    const { tools, notice } = await toolbox.search({ ...pages, limit: 15 });
    expect([tools.length, notice]).toEqual([10, 'limit was lowered to 10, the maximum']);
  });

  it('leaves out what is always loaded, unless that is asked for', async () => {
    const { toolbox } = await opened();
    expect(namesOf((await toolbox.search({ query: 'who is signed in' })).tools)).not.toContain('github.whoami');
    const { tools } = await toolbox.search({ query: 'who is signed in', includeAlwaysLoaded: true });
    expect(tools[0]).toMatchObject({ name: 'github.whoami', loading: 'always' });
  });

  it('says name, description, score, match and loading of a hit', async () => {
    const { toolbox } = await opened();
    const { tools, searchType } = await toolbox.search({ query: 'create an issue' });
    expect(tools[0]).toMatchObject({
      name: 'github.create_issue',
      description: 'Create an issue in a repository.',
      score: expect.any(Number),
      match: 'bm25',
      loading: 'deferred',
    });
    expect(searchType.effective).toBe('bm25');
  });

  it('returns how many visible tools are deferred', async () => {
    for (const [options, key] of [
      [{}, 'totalDeferred'],
      [{ preset: 'penguiflow' }, 'total_deferred'],
    ] as const) {
      const { toolbox } = await opened(options);
      const answers = [toolbox, toolbox.narrow({ deny: ['slack.*'] })].map((box) =>
        box.call('tool_search', { query: 'issue' }),
      );
      expect(await Promise.all(answers)).toMatchObject([{ structured: { [key]: 3 } }, { structured: { [key]: 2 } }]);
    }
  });

  it('counts what is deferred, and only what the caller may see', async () => {
    const { toolbox } = await opened();
    expect((await toolbox.search({ query: 'issue' })).totalDeferred).toBe(3);
    expect((await toolbox.narrow({ deny: ['slack.*'] }).search({ query: 'issue' })).totalDeferred).toBe(2);
  });

  it('is reported by an event with requested and effective type and results, without the query', async () => {
    const { toolbox, eventsOf } = await opened({ search: { ftsFallback: 'regex' } });
    await toolbox.search({ query: 'create_issue', type: 'fts' });
    const [event] = eventsOf('tool.searched');
    expect(event).toMatchObject({ requestedType: 'fts', effectiveType: 'regex', results: 1, verdict: 'found' });
    expect(event).toMatchObject({ runId: 'run-1', searchId: expect.any(String) });
    expect(JSON.stringify(event)).not.toContain('create_issue');
  });

  it('falls back from full text to words, a pattern or a name, as the application says', async () => {
    for (const ftsFallback of [undefined, 'bm25', 'regex', 'exact'] as const) {
      const { toolbox } = await opened({ search: { ...(ftsFallback && { ftsFallback }) } });
      const { searchType, tools } = await toolbox.search({ query: 'create_issue', type: 'fts' });
      expect(searchType).toEqual({ requested: 'fts', effective: ftsFallback ?? 'bm25' });
      expect(namesOf(tools)[0]).toBe('github.create_issue');
    }
  });

  it('finds tools of one loading only, where a program asks for it', async () => {
    const { toolbox } = await opened();
    const found = async (request: object) =>
      namesOf((await toolbox.search({ query: 'github', type: 'regex', ...request })).tools).toSorted();
    const deferred = ['github.create_issue', 'github.list_issues'];
    expect(await found({})).toEqual(deferred);
    expect(await found({ loading: 'deferred' })).toEqual(deferred);
    expect(await found({ loading: 'always' })).toEqual(['github.whoami']);
    expect(await found({ includeAlwaysLoaded: true })).toEqual([...deferred, 'github.whoami']);
    for (const wrong of [{ loading: 'lazy' }, { loading: 'always', includeAlwaysLoaded: true }]) {
      await expect(found(wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    }
  });

  it('is not there where search is off', async () => {
    const { toolbox } = await opened({ exposure: 'off' });
    expect((await toolbox.surface()).meta).toEqual([]);
    expect(await toolbox.call('tool_search', { query: 'issue' })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await expect(toolbox.search({ query: 'issue' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('refuses an empty query and a limit below 1 with what to send instead', async () => {
    const { toolbox } = await opened();
    for (const [request, code] of [
      [{ query: ' ' }, 'INVALID_QUERY'],
      [{ query: 'issue', limit: 0 }, 'INVALID_ARGUMENTS'],
    ] as const) {
      expect(await toolbox.call('tool_search', request)).toMatchObject({ ok: false, code, hint: expect.any(String) });
    }
  });
});

describe('tool_get', () => {
  it('takes 1 to 10 names, with schemas and examples by default', async () => {
    const { toolbox } = await opened();
    const [, get] = (await toolbox.surface()).meta;
    expect(get?.inputSchema['properties']).toMatchObject({
      names: { minItems: 1, maxItems: 10 },
      includeSchemas: { default: true },
      includeExamples: { default: true },
    });
    const eleven = Array.from({ length: 11 }, (_, id) => `github.t${id}`);
    expect(await toolbox.call('tool_get', { names: eleven })).toMatchObject({ code: 'TOO_MANY_NAMES' });
    const read = async (args: object) => {
      const answer = await toolbox.call('tool_get', { names: ['github.create_issue'], ...args });
      return (answer as unknown as { structured: { tools: Record<string, unknown>[] } }).structured.tools[0]!;
    };
    expect(Object.keys(await read({}))).toEqual(expect.arrayContaining(['inputSchema', 'outputSchema', 'examples']));
    expect(Object.keys(await read({ includeSchemas: false }))).not.toContain('inputSchema');
    expect(Object.keys(await read({ includeExamples: false }))).not.toContain('examples');
  });

  it('returns the whole definition but the application’s own data', async () => {
    const { toolbox } = await opened();
    const { tools } = await toolbox.get(['github.create_issue']);
    expect(tools[0]).toMatchObject({
      sideEffects: 'write',
      loading: 'deferred',
      tags: ['tickets', 'dev'],
      authScopes: ['repo'],
      costHint: 'cheap',
      latencyHintMs: 300,
      safetyNotes: 'Public.',
      examples: [{ args: { milestone: 'v2' }, description: 'One.', tags: ['minimal'] }],
    });
    // Its successor is not in this catalog, and a tool that the caller does not see is not named.
    expect(tools[0]?.deprecated).toEqual({});
    expect(tools[0]).not.toHaveProperty('extra');
  });

  it('is reported by an event with the tools that were read', async () => {
    const { toolbox, eventsOf } = await opened();
    await toolbox.get(['github.create_issue', 'no.such']);
    expect(eventsOf('tool.described')).toMatchObject([{ tools: ['github.create_issue'], tenantId: 'acme' }]);
  });
});
