import type { SearchAnswer, SearchHit, ToolIndex, ToolQuery } from '../search/tool-index.js';
import { FakeSource, type FakeSourceTool } from '../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';

/* Answers of a search, mainly those to a model. Where the order matters, a scripted engine supplies the hits. */

type Scripted = Omit<SearchHit, 'id' | 'match' | 'similar'> & { readonly name: string; readonly similar?: string[] };

/** An engine that answers every query of every caller with the same hits, cut to the limit. */
function scripted(hits: readonly Scripted[], more: Partial<Omit<SearchAnswer, 'hits'>> = {}) {
  const asked: ToolQuery[] = [];
  const index: ToolIndex = {
    engine: 'scripted',
    apply: async () => undefined,
    search: async (query, snapshot) => {
      asked.push(query);
      const idOf = (name: string) => snapshot.idOf(name, 'acme')!;
      return {
        hits: hits.slice(0, query.limit).map(({ name, similar, ...hit }) => ({
          ...hit,
          id: idOf(name),
          match: query.type,
          ...(similar && { similar: similar.map(idOf) }),
        })),
        searchType: { requested: query.type, effective: query.type },
        unmatched: [],
        verdict: 'found',
        ...more,
      };
    },
  };
  return { index, asked };
}

const namesOf = (reply: { readonly tools: readonly { readonly name: string }[] }) =>
  reply.tools.map(({ name }) => name);

function openWith(tools: readonly FakeSourceTool[] | readonly string[], setup: ToolboxSetup = {}) {
  return openToolbox({ sources: [new FakeSource('x', tools)], ...setup });
}

describe('a hit', () => {
  it('says why it was found, with the words of every query that found it', async () => {
    const { index } = scripted([
      { name: 'x.refund', score: 0.5, matched: ['refund', 'invoice'] },
      { name: 'x.pay', score: 0.4 },
    ]);
    const { toolbox } = await openWith(['refund', 'pay'], { options: { exposure: 'deferred', index } });
    const { tools } = await toolbox.search({ query: 'refund an invoice' });
    expect(tools.map(({ why }) => why)).toEqual([['refund', 'invoice'], undefined]);
    const reply = await toolbox.search({ queries: ['a', 'b'] });
    expect(reply.tools[0]?.why).toEqual(['refund', 'invoice']);
    expect(reply.queries?.map((query) => Object.keys(query))).toEqual([
      ['index', 'verdict', 'unmatched'],
      ['index', 'verdict', 'unmatched'],
    ]);
  });

  it('repeats few words and no endless ones', async () => {
    const matched = ['y'.repeat(65), ...Array.from({ length: 20 }, (_, id) => `w${id}`)];
    const { index } = scripted([{ name: 'x.refund', score: 0.5, matched }]);
    const { toolbox } = await openWith(['refund'], { options: { exposure: 'deferred', index } });
    expect((await toolbox.search({ query: 'refund' })).tools[0]?.why).toEqual(matched.slice(1, 9));
  });

  it('names its near-copies, never one that is hidden or a hit itself', async () => {
    const twins = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { index } = scripted([
      { name: 'x.a', score: 0.5, similar: ['x.b', 'x.secret', 'x.c', 'x.d', 'x.e', 'x.f'] },
      { name: 'x.b', score: 0.4, similar: ['x.a', 'x.secret'] },
      { name: 'x.secret', score: 0.3 },
    ]);
    const { toolbox } = await openWith([...twins, 'secret'], {
      options: { exposure: 'deferred', index },
      policy: { deny: ['x.secret'] },
    });
    const { tools } = await toolbox.search({ query: 'x' });
    expect(tools.map(({ name, similar }) => [name, similar])).toEqual([
      ['x.a', { count: 4, names: ['x.c', 'x.d', 'x.e'] }],
      ['x.b', undefined],
    ]);
  });

  it('has the parts of its score where they are asked for', async () => {
    const part = { field: 'name', word: 'pay', as: 'refund', score: 0.33333 };
    const { index, asked } = scripted([
      { name: 'x.a', score: 0.4, parts: [part, { field: 'coverage', score: 0.06667 }] },
    ]);
    const { toolbox } = await openWith(['a'], { options: { exposure: 'deferred', index } });
    expect((await toolbox.search({ query: 'pay', explain: true })).tools[0]?.parts).toEqual([
      { ...part, score: 0.333 },
      { field: 'coverage', score: 0.067 },
    ]);
    await toolbox.search({ query: 'pay' });
    expect(asked.map(({ explain }) => explain)).toEqual([true, undefined]);
  });
});

describe('the descriptions of an answer', () => {
  const text = (lead: string) => `${lead} ${'word '.repeat(200)}`;

  it('keep together to the budget of tokens, with the counter of the application', async () => {
    const countTokens = (of: string) => of.split(' ').filter(Boolean).length;
    const tools = Array.from({ length: 20 }, (_, id) => ({
      name: `t${'abcdefghijklmnopqrst'[id]}`,
      description: text('Refund'),
    }));
    const brief = { name: 'brief', description: 'Refund it.' };
    const { toolbox } = await openWith([...tools, brief], {
      options: { exposure: 'deferred', countTokens, search: { replyTokens: 92 } },
    });
    const reply = await toolbox.search({ query: 'refund', limit: 10 });
    const counts = reply.tools.map(({ description }) => countTokens(description));
    expect(counts.toSorted((a, b) => a - b)).toEqual([2, ...Array.from({ length: 9 }, () => 10)]);
  });

  it('are one line each, for any budget', async () => {
    const { toolbox } = await openWith([{ name: 'a', description: text('Refund\n\n') }]);
    const { tools } = await toolbox.search({ query: 'refund' });
    expect(tools[0]?.description).toMatch(/^Refund word [^\n]{100,148}…$/);
  });
});

describe('a search in vain', () => {
  const none = 'no tool fits this search';

  it('says so and what to do next', async () => {
    const { toolbox, eventsOf } = await openWith([{ name: 'refund', description: 'Refund an invoice.' }]);
    expect(await toolbox.search({ query: 'teleport' })).toMatchObject({
      tools: [],
      verdict: 'none',
      notice: none,
      hint:
        'Use a tool you have if one fits. Otherwise search once more, with other words for the action and its object; ' +
        'if that is in vain too, say that no tool does this.',
    });
    expect((await toolbox.search({ query: 'refund', namespace: 'y' })).hint).toContain('without namespace, with other');
    // Three searches without a call in between would get another hint.
    await toolbox.call('x.refund', {});
    expect((await toolbox.search({ query: 'teleport', type: 'exact' })).hint).toContain('by words: the action');
    const found = await toolbox.search({ query: 'refund' });
    expect([found.verdict, found.notice, found.hint]).toEqual(['found', undefined, undefined]);
    expect(eventsOf('tool.searched').map(({ verdict }) => verdict)).toEqual(['none', 'none', 'none', 'found']);
  });

  it('is recognised when the run repeats it, and only then', async () => {
    const { open } = await openWith(['refund']);
    const noticeOf = async (request: object, runId = 'run-1') => {
      // Searches in a row would get an additional notice.
      await open({ runId }).call('x.refund', {});
      return (await open({ runId }).search(request)).notice;
    };
    const again = 'this run has searched for the same before, in vain';
    expect(await noticeOf({ query: 'teleport  me' })).toBe(none);
    expect(await noticeOf({ query: ' Teleport me' })).toBe(again);
    expect(await noticeOf({ query: 'teleport me' }, 'run-2')).toBe(none);
    expect(await noticeOf({ query: 'teleport me', type: 'exact' })).toBe(none);
    expect(await noticeOf({ query: 'teleport me', includeAlwaysLoaded: true })).toBe(none);
    // One new query makes the whole search new; all its queries are recorded.
    expect(await noticeOf({ queries: ['teleport me', 'beam me up'] })).toBe(none);
    expect(await noticeOf({ queries: ['beam me up', 'teleport me'] })).toBe(again);
    expect((await open().search({ query: 'beam me up' })).hint).toMatch(/^Do not repeat it[.] /);
    expect(await noticeOf({ query: 'beam me up', limit: 100 })).toBe(`limit was lowered to 20, the maximum; ${again}`);
  });

  it('does not count against a query that is answered later', async () => {
    const source = new FakeSource('x', ['refund']);
    const { toolbox, catalog } = await openToolbox({ sources: [source] });
    await toolbox.search({ query: 'teleport' });
    source.setTools(['refund', 'teleport']);
    await catalog.refresh();
    const found = await toolbox.search({ query: 'teleport' });
    expect([namesOf(found), found.notice]).toEqual([['x.teleport'], undefined]);
  });
});

describe('weak hits', () => {
  const weak = 'these tools match only a small part of this search';
  const again = 'this run has searched for the same before, in vain';
  const openWeak = (verdict: SearchAnswer['verdict'] = 'weak') => {
    const { index } = scripted([{ name: 'x.refund', score: 0.01 }], { verdict, unmatched: ['teleport'] });
    return openWith(['refund'], {
      options: { exposure: { mode: 'deferred', guidance: false, hints: { enabled: true } }, index },
    });
  };

  it('are listed and can be called, with the unmatched words and the next step', async () => {
    const { toolbox, eventsOf } = await openWeak();
    expect(await toolbox.search({ query: 'teleport' })).toMatchObject({
      tools: [{ name: 'x.refund' }],
      verdict: 'weak',
      unmatched: ['teleport'],
      notice: weak,
      hint: 'Use one only if its description fits; otherwise search once more with other words.',
    });
    expect((await toolbox.list()).map(({ name }) => name)).toEqual(['x.refund']);
    expect(await toolbox.call('x.refund', {})).toMatchObject({ ok: true });
    expect(eventsOf('tool.searched')).toMatchObject([{ results: 1, verdict: 'weak' }]);
  });

  it('are not hidden by an engine that says none', async () => {
    const { toolbox } = await openWeak('none');
    expect(await toolbox.search({ query: 'teleport' })).toMatchObject({
      tools: [{ name: 'x.refund' }],
      verdict: 'weak',
    });
  });

  it('are not hints, which must be enabled', async () => {
    const { toolbox } = await openWeak();
    expect((await toolbox.surface({ text: 'teleport' })).prompt).toEqual({});
  });

  it('end a search that is repeated without a call, and only such a search', async () => {
    const { toolbox, eventsOf } = await openWeak();
    const search = () => toolbox.search({ query: 'teleport' });
    await search();
    await toolbox.call('x.refund', {});
    expect((await search()).notice).toBe(weak);
    expect(await search()).toMatchObject({ notice: again, hint: expect.stringMatching(/^Stop searching[.] /) });
    expect((await search()).notice).toBe(`${again}; this is search 3 in a row, with no tool read or called in between`);
    expect(eventsOf('search.gap_found').map(({ kind }) => kind)).toEqual(['looped']);
  });

  it('give way to good ones of another query', async () => {
    const { toolbox } = await openWith([{ name: 'refund', description: 'Refund an invoice.' }]);
    expect(await toolbox.search({ queries: ['refund an invoice', 'teleport'] })).toMatchObject({
      verdict: 'found',
      queries: [{ verdict: 'found' }, { verdict: 'none' }],
    });
  });
});

describe('a hit below the least score', () => {
  const HITS: Scripted[] = [
    { name: 'x.first', score: 0.9 },
    { name: 'x.second', score: 0.5 },
    { name: 'x.third', score: 0.4999 },
  ];
  const withLeast = (minScore: number, hints = false) =>
    openWith(['first', 'second', 'third'], {
      options: {
        index: scripted(HITS).index,
        search: { minScore },
        exposure: { mode: 'deferred', hints: { enabled: hints } },
      },
    });

  it('is none: it is not listed, not offered and not counted', async () => {
    const { toolbox, eventsOf } = await withLeast(0.5);
    const reply = await toolbox.search({ query: 'any' });
    expect([namesOf(reply), reply.verdict]).toEqual([['x.first', 'x.second'], 'found']);
    expect((await toolbox.state()).offered).toEqual(['x.first', 'x.second']);
    expect(eventsOf('tool.searched')).toMatchObject([{ results: 2, verdict: 'found' }]);
  });

  it('leaves a search in vain where all are below it, for each query and for hints', async () => {
    const { toolbox } = await withLeast(0.95, true);
    expect(await toolbox.search({ queries: ['any', 'other'] })).toMatchObject({
      tools: [],
      verdict: 'none',
      queries: [{ verdict: 'none' }, { verdict: 'none' }],
      hint: expect.stringContaining('search once more'),
    });
    expect((await toolbox.surface({ text: 'any' })).prompt.hints).toBeUndefined();
  });

  it('is a hit by default', async () => {
    const { toolbox } = await withLeast(0);
    expect(namesOf(await toolbox.search({ query: 'any' }))).toHaveLength(3);
  });
});

describe('a query of too many words', () => {
  it('is cut, and the answer says so', async () => {
    const { index } = scripted([{ name: 'x.refund', score: 0.5 }], { truncated: true });
    const { toolbox } = await openWith(['refund'], { options: { exposure: 'deferred', index } });
    expect((await toolbox.search({ query: 'refund' })).notice).toBe('only a part of the words was used');
  });
});

describe('where scores tie', () => {
  const same = (name: string) => ({ name, description: 'Read a page.', tags: ['page'] });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('tools come first that the run does not have yet, before the list is cut', async () => {
    const { open } = await openWith(names.map(same));
    const find = async (runId = 'run-1') =>
      namesOf(await open({ runId }).search({ query: 'page', type: 'exact', limit: 2 }));
    expect(await find()).toEqual(['x.a', 'x.b']);
    await open().call('x.d', {});
    expect(await find()).toEqual(['x.c', 'x.e']);
    // First the tools that are not known yet, then the known ones by name.
    expect(await find()).toEqual(['x.f', 'x.a']);
    expect(await find('run-2')).toEqual(['x.a', 'x.b']);
  });

  it('preferred namespaces come next, then names', async () => {
    const { toolbox } = await openToolbox({
      sources: ['k', 'm', 'z'].map((name) => new FakeSource(name, ['a', 'b'].map(same))),
      options: { exposure: 'deferred', search: { preferredNamespaces: ['z', 'm'] } },
    });
    const find = async () => namesOf(await toolbox.search({ query: 'page', type: 'exact', limit: 3 }));
    expect(await find()).toEqual(['z.a', 'z.b', 'm.a']);
    expect(await find()).toEqual(['m.b', 'k.a', 'k.b']);
    expect(await find()).toEqual(['z.a', 'z.b', 'm.a']);
  });

  it('a better score comes first, known or not', async () => {
    const { toolbox } = await openWith([same('b'), { ...same('a'), name: 'page' }]);
    const find = async () => namesOf(await toolbox.search({ query: 'page', type: 'exact' }));
    expect([await find(), await find()]).toEqual([
      ['x.page', 'x.b'],
      ['x.page', 'x.b'],
    ]);
  });

  it('the engine is asked again only where the cut goes through equals that may give way', async () => {
    const { index, asked } = scripted([
      { name: 'x.a', score: 0.5 },
      { name: 'x.b', score: 0.4 },
      { name: 'x.c', score: 0.4 },
    ]);
    const { toolbox } = await openWith(['a', 'b', 'c'], { options: { exposure: 'deferred', index } });
    const search = async (limit: number) => {
      asked.length = 0;
      return [namesOf(await toolbox.search({ query: 'x', limit })), asked.map((query) => query.limit)];
    };
    expect(await search(1)).toEqual([['x.a'], [2]]);
    expect(await search(2)).toEqual([['x.a', 'x.b'], [3]]);
    expect(await search(2)).toEqual([
      ['x.a', 'x.c'],
      [3, 500],
    ]);
  });
});
