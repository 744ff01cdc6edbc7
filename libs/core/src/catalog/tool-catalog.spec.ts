import { FakeSource } from '../testing/fakes/fake-source.js';
import { catalogSettings } from '../testing/settings.js';
import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { type ToolEvent, ToolEvents } from '../tool/tool-event.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { SnapshotPreparer } from './catalog-reader.js';
import { type CatalogOptions, type CatalogTuning, type LoadingOptions, ToolCatalog } from './tool-catalog.js';

const open: ToolCatalog[] = [];

function catalogOf(preparer?: SnapshotPreparer, options: CatalogOptions & CatalogTuning & LoadingOptions = {}) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const catalog = new ToolCatalog(preparer, events, catalogSettings(options));
  open.push(catalog);
  const published = () => new Promise((resolve) => events.on('catalog.published', resolve));
  return { catalog, happened, published };
}
/** Two turns of the event loop: enough time for an unwanted effect to appear. */
async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
const namesOf = (catalog: ToolCatalog) => catalog.current().tools.map(({ name }) => name);

interface Preparation {
  readonly next: CatalogSnapshot;
  readonly ready: () => void;
  readonly fail: (error: Error) => void;
}

/** An index whose preparation the test finishes. */
class SlowIndex implements SnapshotPreparer {
  readonly engine = 'slow';
  readonly asked: Preparation[] = [];
  readonly #waiting = new Map<number, (asked: Preparation) => void>();

  apply({ next }: { readonly next: CatalogSnapshot }): Promise<void> {
    return new Promise((ready, fail) => {
      const asked = { next, ready, fail };
      this.#waiting.get(this.asked.push(asked) - 1)?.(asked);
    });
  }

  /** The publication of this number, as soon as the index receives it. */
  async publication(number: number): Promise<Preparation> {
    return this.asked[number] ?? new Promise((resolve) => this.#waiting.set(number, resolve));
  }
}

/** A source whose loads the test finishes. */
class ManualSource extends FakeSource {
  readonly #pending: (() => void)[] = [];

  override async load(signal: AbortSignal) {
    await new Promise<void>((resolve) => this.#pending.push(resolve));
    return super.load(signal);
  }

  finish(): void {
    for (const resolve of this.#pending.splice(0)) resolve();
  }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((catalog) => catalog.close()));
});

describe('ToolCatalog', () => {
  it.each([
    [{ loading: 'allways' }, 'Source "crm": loading must be one of always, deferred, not "allways".'],
    [{ limits: { schemaBytes: 'many' } }, /^Source "crm": limits.schemaBytes must be a whole number/],
    [{ limits: { schemaByte: 1 } }, 'Source "crm": limits has no option "schemaByte".'],
    [{ callTimeoutMs: 0 }, /^Source "crm": callTimeoutMs must be a whole number from 1/],
  ])('refuses a source of the application with %j', async (wrong, message) => {
    const { catalog } = catalogOf();
    const source = Object.assign(new FakeSource('crm', ['a']), wrong) as ToolSource;
    await expect(catalog.add(source)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('starts empty and publishes what its sources bring, with who runs it', async () => {
    const { catalog, happened } = catalogOf();
    expect([catalog.current().revision, namesOf(catalog)]).toEqual([0, []]);
    const crm = new FakeSource('crm', ['write', 'read']);
    await catalog.add(new FakeSource('files', ['list']), crm);
    expect(namesOf(catalog)).toEqual(['crm.read', 'crm.write', 'files.list']);
    const id = catalog.current().idOf('crm.read', 'acme')!;
    expect(catalog.current().executorOf(id)).toMatchObject({ source: crm, localName: 'read' });
    expect(happened.findLast(({ type }) => type === 'catalog.published')).toMatchObject({
      revision: catalog.current().revision,
      tools: 3,
      deferred: 3,
      engine: 'none',
    });
  });

  it('leaves a snapshot as it is when a newer one is published', async () => {
    const { catalog } = catalogOf();
    const crm = new FakeSource('crm', ['a']);
    await catalog.add(crm);
    const before = catalog.current();
    crm.setTools(['b']);
    await catalog.refresh('crm');
    expect(before.tools.map(({ name }) => name)).toEqual(['crm.a']);
    expect(namesOf(catalog)).toEqual(['crm.b']);
    expect(catalog.current().revision).toBeGreaterThan(before.revision);
  });

  it('decides loading by globs, then the tool, then the source, then the option, then always', async () => {
    const { catalog } = catalogOf(undefined, { alwaysLoaded: ['*.pinned'], defaultLoading: 'deferred' });
    const tools = [
      { name: 'pinned', loading: 'deferred' as const },
      { name: 'eager', loading: 'always' as const },
      'plain',
    ];
    await catalog.add(
      new FakeSource('a', tools),
      new FakeSource('b', ['plain'], { loading: 'always' }),
      new FakeSource('c', ['plain'], { loading: undefined as never }),
    );
    const { catalog: bare } = catalogOf();
    await bare.add(new FakeSource('d', ['plain'], { loading: undefined as never }));
    const loading = [...catalog.current().tools, ...bare.current().tools].map((tool) => [tool.name, tool.loading]);
    expect(Object.fromEntries(loading)).toEqual({
      'a.pinned': 'always',
      'a.eager': 'always',
      'a.plain': 'deferred',
      'b.plain': 'always',
      'c.plain': 'deferred',
      'd.plain': 'always',
    });
  });

  it('refuses a second source of one name, and then adds none of the sources it was given', async () => {
    const { catalog } = catalogOf();
    const other = new FakeSource('other', ['a']);
    await expect(catalog.add(other, new FakeSource('crm'), new FakeSource('crm'))).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('crm'),
    });
    expect(catalog.sources()).toEqual([]);
    await catalog.add(other);
    await expect(catalog.add(new FakeSource('other'))).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    expect(namesOf(catalog)).toEqual(['other.a']);
  });

  it('lets two owners have a source of one name, and resolves a tool for its owner alone', async () => {
    const { catalog } = catalogOf();
    await catalog.add(
      new FakeSource('crm', ['a'], { owner: 'acme' }),
      new FakeSource('crm', ['a', 'b'], { owner: 'globex' }),
    );
    const seen = (tenant: string) => ['crm.a', 'crm.b'].map((name) => catalog.current(tenant).idOf(name, tenant));
    expect([seen('acme'), seen('globex'), seen('other')]).toEqual([
      [0, undefined],
      [0, 1],
      [undefined, undefined],
    ]);
    expect(catalog.tools().map(({ owner, name }) => `${owner}/${name}`)).toEqual([
      'acme/crm.a',
      'globex/crm.a',
      'globex/crm.b',
    ]);
    await catalog.remove('crm', 'globex');
    expect(catalog.sources().map(({ owner }) => owner)).toEqual(['acme']);
  });

  describe('sources that misbehave', () => {
    it('does not let one that is down stop the others or the boot', async () => {
      const { catalog } = catalogOf(undefined, { retryMinMs: 60_000 });
      const down = new FakeSource('down', ['a']);
      down.failWith(new Error('down'));
      await catalog.add(down, new FakeSource('up', ['a']));
      expect(namesOf(catalog)).toEqual(['up.a']);
      expect(catalog.sources().map(({ source, state }) => [source, state])).toEqual([
        ['down', 'degraded'],
        ['up', 'ready'],
      ]);
      down.failWith(undefined);
      await catalog.refresh('down');
      expect(namesOf(catalog)).toEqual(['down.a', 'up.a']);
    });

    it('keeps the last good tools of one that fails later', async () => {
      const { catalog } = catalogOf(undefined, { retryMinMs: 60_000 });
      const crm = new FakeSource('crm', ['a']);
      await catalog.add(crm);
      crm.failWith(new Error('down'));
      await catalog.refresh();
      expect(namesOf(catalog)).toEqual(['crm.a']);
      expect(catalog.sources()).toMatchObject([{ state: 'degraded', tools: 1 }]);
    });

    it('waits at boot only as long as it may for one that hangs, and takes it in when it comes', async () => {
      const { catalog, happened, published } = catalogOf(undefined, { bootWaitMs: 1 });
      const slow = new ManualSource('slow', ['a']);
      await catalog.add(new FakeSource('fast', ['a']), slow);
      // On a busy machine the boot may not wait for the fast one either.
      if (namesOf(catalog).length === 0) await published();
      expect(catalog.sources().map(({ state }) => state)).toEqual(['ready', 'loading']);
      expect(namesOf(catalog)).toEqual(['fast.a']);
      slow.finish();
      await published();
      expect(namesOf(catalog)).toEqual(['fast.a', 'slow.a']);
      expect(happened.filter(({ type }) => type === 'source.degraded')).toEqual([]);
    });

    it('takes the tools of a removed one away even while the source will not close', async () => {
      let letGo: () => void = () => undefined;
      class Clinging extends FakeSource {
        override close(): Promise<void> {
          return new Promise((resolve) => (letGo = resolve));
        }
      }
      const { catalog, published } = catalogOf();
      await catalog.add(new Clinging('clinging', ['a']), new FakeSource('crm', ['a']));
      const removed = catalog.remove('clinging');
      await published();
      expect(namesOf(catalog)).toEqual(['crm.a']);
      letGo();
      await removed;
      await catalog.remove('clinging');
    });
  });

  describe('publishing', () => {
    it('never shows a snapshot before its index is ready', async () => {
      const index = new SlowIndex();
      const { catalog } = catalogOf(index);
      const added = catalog.add(new FakeSource('crm', ['a']));
      const first = await index.publication(0);
      expect([catalog.current().revision, namesOf(catalog)]).toEqual([0, []]);
      first.ready();
      await added;
      expect(catalog.current()).toBe(first.next);
    });

    it('prepares one snapshot after the other, and gathers what happens meanwhile into the next', async () => {
      const index = new SlowIndex();
      const { catalog } = catalogOf(index);
      const sources = ['a', 'b', 'c', 'd'].map((name) => new FakeSource(name, ['x']));
      const added = Promise.all(sources.map((source) => catalog.add(source)));
      const first = await index.publication(0);
      await aWhile();
      expect(index.asked).toHaveLength(1);
      first.ready();
      const rest = first.next.tools.length < 4 ? await index.publication(1) : undefined;
      rest?.ready();
      await added;
      expect(index.asked.length).toBeLessThanOrEqual(2);
      expect(namesOf(catalog)).toEqual(['a.x', 'b.x', 'c.x', 'd.x']);
      expect(index.asked.map(({ next }) => next.revision)).toEqual(index.asked.map((_, position) => position + 1));
    });

    it('resolves a refresh only when its change can be searched', async () => {
      const index = new SlowIndex();
      const { catalog } = catalogOf(index);
      const crm = new FakeSource('crm', ['a']);
      const added = catalog.add(crm);
      (await index.publication(0)).ready();
      await added;
      crm.setTools(['b']);
      let refreshed = false;
      const refreshing = catalog.refresh('crm').then(() => (refreshed = true));
      const second = await index.publication(1);
      expect([refreshed, namesOf(catalog)]).toEqual([false, ['crm.a']]);
      second.ready();
      await refreshing;
      expect(namesOf(catalog)).toEqual(['crm.b']);
    });

    it('keeps the last snapshot when an index fails, says so, and publishes again', async () => {
      const index = new SlowIndex();
      const { catalog, happened, published } = catalogOf(index, { retryMinMs: 1 });
      const added = catalog.add(new FakeSource('crm', ['a']));
      (await index.publication(0)).fail(new Error('out of memory'));
      await added;
      expect(catalog.current().revision).toBe(0);
      expect(catalog.sources()).toMatchObject([{ state: 'degraded', code: 'INTERNAL' }]);
      expect(JSON.stringify(happened)).not.toContain('out of memory');
      const again = await index.publication(1);
      const publishedAgain = published();
      again.ready();
      await publishedAgain;
      expect(namesOf(catalog)).toEqual(['crm.a']);
    });

    it('reports each tool that two sources fight over', async () => {
      const { catalog, happened } = catalogOf();
      await catalog.add(new FakeSource('crm', ['a']), new FakeSource('other', [{ name: 'a', namespace: 'crm' }]));
      expect(happened.filter(({ type }) => type === 'tool.refused')).toContainEqual(
        expect.objectContaining({ source: 'other', tool: 'crm.a', code: 'DUPLICATE_TOOL' }),
      );
    });
  });

  it('closes all sources, publishes no more, and keeps the last snapshot readable', async () => {
    const { catalog, happened } = catalogOf();
    const crm = new FakeSource('crm', ['a']);
    const slow = new ManualSource('slow', ['a']);
    const adding = [catalog.add(crm), catalog.add(slow)];
    await adding[0];
    const published = happened.length;
    await catalog.close();
    slow.finish();
    await Promise.all(adding);
    expect([crm.closed, slow.closed]).toEqual([true, true]);
    expect([namesOf(catalog), happened.length]).toEqual([['crm.a'], published]);
  });

  it('leaves out what was still to be published when it was closed', async () => {
    const index = new SlowIndex();
    const { catalog } = catalogOf(index);
    const adding = [catalog.add(new FakeSource('crm', ['a']))];
    const first = await index.publication(0);
    adding.push(catalog.add(new FakeSource('files', ['a'])));
    await aWhile();
    const closing = catalog.close();
    first.ready();
    await Promise.all([closing, ...adding]);
    expect([namesOf(catalog), index.asked.length]).toEqual([['crm.a'], 1]);
  });

  it('takes any implementation of a source, also one without watch', async () => {
    const plain: ToolSource = {
      name: 'plain',
      load: async () => [{ name: 'a', description: 'Does it.' }],
      call: async () => ({ content: [] }),
      close: async () => undefined,
    };
    const { catalog } = catalogOf();
    await catalog.add(plain);
    expect(namesOf(catalog)).toEqual(['plain.a']);
  });
});
