import type { ToolVisibilityPolicy } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { FakeSource, openToolbox, type ToolboxSetup } from '@tool-search/core/testing';
import fc from 'fast-check';
import { aiSdkSearch } from './ai-sdk-search.js';

const post = () =>
  new FakeSource('post', [
    { name: 'track', description: 'Track a parcel.', aliases: ['post.follow'] },
    { name: 'price', description: 'Postage of a letter.', loading: 'always' },
    {
      name: 'announce',
      description: 'Says when it will arrive.',
      inputSchema: { type: 'object', properties: { parcel: { type: 'string', description: 'Number of the parcel.' } } },
    },
  ]);
const OWN = [
  { name: 'weatherForecast', description: 'Will it rain tomorrow?' },
  { name: 'parcelShop', description: 'Where is the next parcel shop?' },
];
const IN_TOOLBOX = ['post__track', 'post__price', 'post__announce'].map((name) => ({ name, description: 'x' }));

async function world(setup: ToolboxSetup = {}) {
  const app = await openToolbox({ sources: [post()], ...setup });
  const search = aiSdkSearch(app.toolbox);
  const found = (query: string, tools: Parameters<typeof search>[0]['tools'] = [...OWN, ...IN_TOOLBOX]) =>
    search({ query, tools });
  return { ...app, found };
}

describe('aiSdkSearch', () => {
  it("finds the toolbox's tools by their whole definitions, also those that are always loaded", async () => {
    const { found } = await world();
    expect(await found('number of a parcel', IN_TOOLBOX)).toEqual(['post__announce', 'post__track']);
    expect(await found('postage of a letter')).toEqual(['post__price']);
    expect(await found('zebra')).toEqual([]);
  });

  it('finds tools that the toolbox does not have by name and description, among the others', async () => {
    const { found } = await world();
    expect(await found('rain')).toEqual(['weatherForecast']);
    expect(await found('forecast')).toEqual(['weatherForecast']);
    expect(await found('track a parcel')).toEqual(['post__track', expect.any(String), expect.any(String)]);
    expect((await found('next parcel shop'))[0]).toBe('parcelShop');
    expect(await found('rain', OWN)).toEqual(['weatherForecast']);
  });

  it('follows tools that come, change and go between two searches', async () => {
    const { found } = await world();
    expect(await found('rain', OWN)).toEqual(['weatherForecast']);
    expect(await found('snow', [{ name: 'weatherForecast', description: 'Will it snow?' }])).toEqual([
      'weatherForecast',
    ]);
    expect(await found('rain', [{ name: 'calendar', description: 'Add an event.' }])).toEqual([]);
    expect(await found('rain', [])).toEqual([]);
    expect(await found('umbrella', [{ name: 'umbrella' }])).toEqual(['umbrella']);
  });

  it('never returns a tool that the generation may not list', async () => {
    const { found } = await world();
    const [track] = IN_TOOLBOX;
    expect(await found('parcel', [track!])).toEqual(['post__track']);
    expect(await found('postage of a letter', [track!])).toEqual([]);
  });

  it('gives the places of tools that the generation may not list to others', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      name: `send${at}`,
      description: `Send letter ${at} to box ${at}.`,
    }));
    const { toolbox } = await openToolbox({ sources: [new FakeSource('mail', many)] });
    const tools = many.slice(-3).map(({ name }) => ({ name: `mail__${name}` }));
    const names = await aiSdkSearch(toolbox)({ query: 'send a letter', tools });
    expect(names.toSorted()).toEqual(['mail__send27', 'mail__send28', 'mail__send29']);
  });

  it.each([
    ['a policy', (): ToolboxSetup => ({ policy: { deny: ['post.track'] } })],
    ['a visibility policy', (): ToolboxSetup => ({ visibility: hiding('post.track') })],
  ])('never returns a tool that %s hides, under none of its names', async (_, setup) => {
    const { found } = await world(setup());
    for (const name of ['post__track', 'post.track', 'post__follow', 'post.follow', 'post__track_2']) {
      expect(await found('track a parcel', [{ name, description: 'Track a parcel.' }])).toEqual([]);
      expect(await found('track a parcel', [{ name, description: 'Track a parcel.' }, ...OWN])).toEqual(['parcelShop']);
    }
  });

  it('never returns a tool that was switched off after the first search', async () => {
    const { found, killSwitches } = await world();
    expect(await found('track a parcel', IN_TOOLBOX)).toContain('post__track');
    await killSwitches.engage({ kind: 'tool', value: 'post.track', reason: 'broken', actor: 'olga' });
    expect(await found('track a parcel', IN_TOOLBOX)).not.toContain('post__track');
  });

  it('never returns a tool that the toolbox was narrowed by', async () => {
    const { toolbox } = await openToolbox({ sources: [post()] });
    const narrow = aiSdkSearch(toolbox.narrow({ deny: ['post.track'] }));
    expect(await narrow({ query: 'track a parcel', tools: IN_TOOLBOX })).toEqual(['post__announce']);
  });

  it('is not affected by tools of other tenants', async () => {
    const globex = new FakeSource('globex', [{ name: 'follow', description: 'x' }], { owner: 'globex' });
    const { toolbox, open } = await openToolbox({ sources: [post(), globex] });
    const request = { query: 'a letter', tools: [{ name: 'globex__follow', description: 'Follow a letter.' }] };
    expect(await aiSdkSearch(toolbox)(request)).toEqual(['globex__follow']);
    expect(await aiSdkSearch(open({ tenantId: 'globex' }))(request)).toEqual([]);
  });

  it('never returns a meta tool', async () => {
    const { found } = await world();
    expect(await found('tool search', [{ name: 'tool_search', description: 'Search tools.' }])).toEqual([]);
  });

  it('knows a tool by each of its names', async () => {
    const { found } = await world();
    for (const name of ['post__track', 'post.track', 'post__follow', 'post__track_2']) {
      expect(await found('track', [{ name, description: '' }])).toEqual([name]);
    }
    const name = `${'track_the_parcel_'.repeat(6)}now`;
    const { toolbox } = await openToolbox({ sources: [new FakeSource('post', [{ name, description: 'Track it.' }])] });
    for (const wire of [wireName(`post.${name}`, 64), `${wireName(`post.${name}`, 60)}_2`]) {
      expect(await aiSdkSearch(toolbox)({ query: 'track', tools: [{ name: wire }] })).toEqual([wire]);
    }
  });

  it('returns near-copies after all hits', async () => {
    const copies = [1, 2].map((number) => ({
      name: `read_sheet_${number}`,
      description: `Read a sheet of a workbook.`,
    }));
    const tools = [...copies, { name: 'read_page', description: 'Read a page.' }];
    const { toolbox } = await openToolbox({ sources: [new FakeSource('docs', tools)] });
    const names = await aiSdkSearch(toolbox)({
      query: 'read a sheet',
      tools: tools.map(({ name }) => ({ name: `docs__${name}` })),
    });
    expect(names).toEqual(['docs__read_sheet_1', 'docs__read_page', 'docs__read_sheet_2']);
  });

  it('returns the configured number of hits of each kind', async () => {
    const { toolbox } = await openToolbox({ sources: [post()] });
    const tools = [...OWN, ...IN_TOOLBOX, { name: 'sendParcel', description: 'Send a parcel.' }];
    expect(await aiSdkSearch(toolbox, { limit: 1 })({ query: 'parcel', tools })).toHaveLength(2);
  });

  it('counts as a search of the run', async () => {
    const { found, eventsOf } = await world();
    await found('track a parcel');
    await found('rain', OWN);
    expect(eventsOf('tool.searched')).toMatchObject([{ results: 2, verdict: 'found' }]);
  });

  it('rejects with a code what no search takes', async () => {
    const { found } = await world();
    for (const tools of [OWN, IN_TOOLBOX]) {
      await expect(found(' ', tools)).rejects.toMatchObject({ code: 'INVALID_QUERY' });
      await expect(found('x'.repeat(4001), tools)).rejects.toMatchObject({ code: 'QUERY_TOO_LONG' });
    }
    const many = Array.from({ length: 10_001 }, (_, at) => ({ name: `tool${at}` }));
    await expect(found('tool', many)).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    const off = await world({ options: { exposure: 'off' } });
    await expect(off.found('track')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('answers as if hidden tools did not exist', async () => {
    const words = ['track', 'parcel', 'letter', 'shop', 'rain', 'send'];
    const tool = fc.record({
      source: fc.constantFrom('post', 'mail'),
      name: fc.constantFrom('one', 'two', 'track_it', 'three', 'send'),
      description: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((said) => said.join(' ')),
      isHidden: fc.boolean(),
    });
    const catalog = fc.uniqueArray(tool, { selector: ({ source, name }) => `${source}.${name}`, maxLength: 8 });
    const own = fc.uniqueArray(
      fc.record({ name: fc.constantFrom('own', 'shopParcel', 'rain'), description: fc.constantFrom(...words) }),
      { selector: ({ name }) => name },
    );
    const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((said) => said.join(' '));
    await fc.assert(
      fc.asyncProperty(catalog, own, query, async (tools, others, asked) => {
        const answered = async (given: typeof tools, hidden: readonly string[]) => {
          const sources = ['post', 'mail'].map(
            (name) =>
              new FakeSource(
                name,
                given.filter(({ source }) => source === name),
              ),
          );
          const { toolbox } = await openToolbox({ sources, visibility: hiding(...hidden) });
          const shown = given.map(({ source, name, description }) => ({ name: `${source}__${name}`, description }));
          return aiSdkSearch(toolbox)({ query: asked, tools: [...shown, ...others] });
        };
        const hidden = tools.filter(({ isHidden }) => isHidden).map(({ source, name }) => `${source}.${name}`);
        const visible = tools.filter(({ isHidden }) => !isHidden);
        expect(await answered(tools, hidden)).toEqual(await answered(visible, []));
      }),
      { numRuns: 50 },
    );
  });
});

function hiding(...names: readonly string[]): ToolVisibilityPolicy {
  return { filter: (tools) => tools.filter(({ name }) => !names.includes(name)) };
}
