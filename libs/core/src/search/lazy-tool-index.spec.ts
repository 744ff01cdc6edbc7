import { describeToolIndex } from '../testing/contracts/tool-index.contract.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { fakeTool, fakeTools } from '../testing/fakes/fake-tools.js';
import { openToolbox } from '../testing/open-toolbox.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../tool/snapshot/tool-set.js';
import { LazyToolIndex } from './lazy-tool-index.js';
import { MemoryToolIndex } from './memory/memory-tool-index.js';

for (const isNeeded of [false, true]) {
  describeToolIndex(
    `LazyToolIndex that is ${isNeeded ? '' : 'not '}needed at once`,
    () => new LazyToolIndex(new MemoryToolIndex(), () => isNeeded),
    { statistics: 'visible' },
  );
}

const QUERY = { type: 'bm25', limit: 5 } as const;
const everything = (snapshot: CatalogSnapshot) => ToolSet.of(snapshot.size, () => true);
const source = (...names: string[]) =>
  new FakeSource(
    'crm',
    names.map((name) => ({ name })),
  );

describe('LazyToolIndex', () => {
  let applied: jest.SpyInstance;
  beforeEach(() => (applied = jest.spyOn(MemoryToolIndex.prototype, 'apply')));
  afterEach(() => jest.restoreAllMocks());
  const indexed = () => applied.mock.calls.map(([{ next }]: [{ next: CatalogSnapshot }]) => next);

  it('builds no index until the first search, then the index of that snapshot once, and of all later ones', async () => {
    const index = new LazyToolIndex(new MemoryToolIndex(), () => false);
    const [one, two, three] = [3, 4, 5].map((count, at) => new CatalogSnapshot(at + 1, fakeTools(count)));
    await index.apply({ next: one! });
    await index.apply({ next: two!, previous: one! });
    expect(indexed()).toEqual([]);
    const text = two!.at(3).name;
    const searches = [1, 2].map(() => index.search({ ...QUERY, text }, two!, everything(two!)));
    for (const { hits } of await Promise.all(searches)) expect(two!.at(hits[0]!.id).name).toBe(text);
    expect(indexed()).toEqual([two]);
    await index.apply({ next: three!, previous: two! });
    expect(indexed()).toEqual([two, three]);
    // A request that began before the last publication still searches its own snapshot.
    await index.search({ ...QUERY, text }, one!, everything(one!));
    expect(indexed()).toEqual([two, three, one]);
  });

  it('indexes the shared tools under those of a tenant first', async () => {
    const index = new LazyToolIndex(new MemoryToolIndex(), () => false);
    const shared = new CatalogSnapshot(1, fakeTools(3));
    const own = new CatalogSnapshot(2, [fakeTool({ name: 'zz.own', owner: 'acme' })], [], shared);
    await index.apply({ next: shared });
    await index.apply({ next: own, previous: shared });
    expect(await index.search({ ...QUERY, text: 'own' }, own, everything(own))).toMatchObject({ verdict: 'found' });
    expect(indexed()).toEqual([shared, own]);
  });

  it('tries again after an error', async () => {
    applied.mockRejectedValueOnce(new Error('no room'));
    const index = new LazyToolIndex(new MemoryToolIndex(), () => false);
    const snapshot = new CatalogSnapshot(1, fakeTools(3));
    const search = () => index.search({ ...QUERY, text: snapshot.at(0).name }, snapshot, everything(snapshot));
    await expect(search()).rejects.toThrow('no room');
    expect((await search()).verdict).toBe('found');
  });
});

describe('an application in the mode auto', () => {
  let applied: jest.SpyInstance;
  beforeEach(() => (applied = jest.spyOn(MemoryToolIndex.prototype, 'apply')));
  afterEach(() => jest.restoreAllMocks());
  const opened = (names: readonly string[], options = {}) =>
    openToolbox({ sources: [source(...names)], options: { exposure: 'auto', ...options } });

  it('has no index while all tools are listed, however its tools change and are used', async () => {
    const tools = source('read');
    const { toolbox, catalog, close } = await openToolbox({ sources: [tools], options: { exposure: 'auto' } });
    tools.setTools([{ name: 'read' }, { name: 'write' }]);
    await catalog.refresh();
    expect(await toolbox.surface({ text: 'read' })).toMatchObject({ mode: 'all', tools: { length: 2 } });
    expect(await toolbox.call('crm.read', {})).toMatchObject({ ok: true });
    expect(applied).not.toHaveBeenCalled();
    await close();
  });

  it('builds it for the first search of a program, which finds', async () => {
    const { toolbox } = await opened(['read_order', 'write_order']);
    expect((await toolbox.search({ query: 'read order' })).tools[0]!.name).toBe('crm.read_order');
    expect(applied).toHaveBeenCalledTimes(1);
  });

  it('builds it for a request that holds tools back, without making it wait', async () => {
    const { toolbox } = await opened(['read', 'write']);
    let finish = () => undefined as void;
    applied.mockReturnValueOnce(new Promise<void>((resolve) => (finish = resolve)));
    expect(await toolbox.surface({ mode: 'deferred' })).toMatchObject({ mode: 'deferred' });
    expect(applied).toHaveBeenCalledTimes(1);
    finish();
  });

  it('builds it before publishing where the catalog is large enough to hold tools back', async () => {
    const { catalog, open } = await opened(['read', 'write'], { countTokens: () => 10_000 });
    expect(applied.mock.calls).toMatchObject([[{ next: catalog.current() }]]);
    expect((await open().surface()).mode).toBe('deferred');
    expect(applied).toHaveBeenCalledTimes(1);
  });
});
