import { MemorySearchGapStore } from './memory-search-gap-store.js';
import { MemoryToolIndex } from '../../search/memory/memory-tool-index.js';
import type { SearchAnswer, ToolIndex } from '../../search/tool-index.js';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import type { SearchGapOptions, SearchGapTuning } from './search-gaps.js';

/** Finds as the default engine does, and calls all hits weak. */
class WeakIndex extends MemoryToolIndex {
  override async search(...asked: Parameters<MemoryToolIndex['search']>): Promise<SearchAnswer> {
    return { ...(await super.search(...asked)), verdict: 'weak' };
  }
}

async function opened(
  given: SearchGapOptions & SearchGapTuning = {},
  gapStore = new MemorySearchGapStore(),
  index?: ToolIndex,
) {
  const clock = { now: Date.now() };
  const source = new FakeSource('files', [
    { name: 'read_file', run: () => 'read' },
    { name: 'write_file', run: () => 'written' },
    ...Array.from({ length: 25 }, (_, at) => `export_report${'q'.repeat(at)}`),
  ]);
  const { idleMs, maxQueries, flushEveryMs, ...gaps } = given;
  const tuning = { idleMs, maxQueries, flushEveryMs };
  const application = await openToolbox({
    sources: [source],
    gapStore,
    now: () => clock.now,
    options: {
      exposure: 'deferred',
      tokenizer: 'estimate',
      search: { gaps },
      tuning: { search: { gaps: tuning } },
      ...(index && { index }),
    },
  });
  const kinds = () => application.eventsOf('search.gap_found').map(({ kind }) => kind);
  return { ...application, clock, kinds, gaps: application.gaps };
}

describe('SearchGaps', () => {
  it('counts searches in vain, and keeps no words unless it is asked to', async () => {
    const { toolbox, gaps, kinds, happened } = await opened();
    await toolbox.search({ query: 'zebra crossing' });
    await toolbox.search({ query: 'read file' });
    await toolbox.call('files.read_file', {});
    expect(kinds()).toEqual(['zero_hit']);
    expect(await gaps.totals()).toEqual([{ tenantId: 'acme', searches: 2, zeroHits: 1, unused: 0, loops: 0 }]);
    expect(await gaps.queries('acme')).toEqual([]);
    expect(JSON.stringify(happened)).not.toContain('zebra');
  });

  it('counts a search whose hits were not called, once its run has been idle', async () => {
    const { toolbox, gaps, clock, kinds } = await opened({ idleMs: 60_000 });
    await toolbox.search({ query: 'read file', limit: 1 });
    await toolbox.search({ query: 'write file', limit: 1 });
    await toolbox.call('files.write_file', {});
    clock.now += 60_000;
    gaps.closeIdle();
    expect(kinds()).toEqual([]);
    clock.now += 1;
    gaps.closeIdle();
    gaps.closeIdle();
    expect(kinds()).toEqual(['unused']);
    expect((await gaps.totals())[0]).toMatchObject({ searches: 2, unused: 1 });
  });

  it('counts weak hits that were not called, and none that were', async () => {
    const { toolbox, gaps, clock, kinds } = await opened({ idleMs: 60_000 }, undefined, new WeakIndex());
    expect(await toolbox.search({ query: 'write file', limit: 1 })).toMatchObject({ verdict: 'weak' });
    await toolbox.call('files.write_file', {});
    expect(await toolbox.search({ query: 'read file', limit: 1 })).toMatchObject({ verdict: 'weak' });
    expect(kinds()).toEqual([]);
    clock.now += 60_001;
    gaps.closeIdle();
    expect(kinds()).toEqual(['unused']);
  });

  it('counts it as well when twenty newer searches have displaced it', async () => {
    const { toolbox, kinds } = await opened();
    for (let at = 0; at < 21; at++) {
      await toolbox.search({ query: `files.export_report${'q'.repeat(at)}`, type: 'exact' });
      await toolbox.get([`files.export_report${'q'.repeat(at)}`]);
    }
    expect(kinds()).toEqual(['unused']);
  });

  it('a session without runs is one run, over its requests', async () => {
    const { open, gaps, clock } = await opened();
    const session = { runId: undefined, sessionId: 's1' } as never;
    await open(session).search({ query: 'read file', limit: 1 });
    await open(session).call('files.read_file', {});
    clock.now += 3_600_000;
    gaps.closeIdle();
    expect((await gaps.totals())[0]).toMatchObject({ searches: 1, unused: 0 });
  });

  it('reports the third search in a row to the model, and counts the loop once', async () => {
    const { toolbox, gaps, kinds } = await opened();
    const notes = [];
    for (const query of ['read file', 'write file', 'export report', 'read file']) {
      const { notice, hint } = await toolbox.search({ query });
      notes.push([notice, hint]);
    }
    expect(notes.slice(0, 2)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(notes[2]).toEqual([
      'this is search 3 in a row, with no tool read or called in between',
      expect.stringContaining('Stop searching'),
    ]);
    expect(kinds()).toEqual(['looped']);
    await toolbox.get(['files.read_file']);
    expect((await toolbox.search({ query: 'read file' })).notice).toBeUndefined();
    expect((await gaps.totals())[0]).toMatchObject({ searches: 5, loops: 1 });
  });

  it('a refused call ends a row like any other, so that hidden tools are not revealed', async () => {
    const { toolbox } = await opened();
    for (const query of ['read file', 'write file']) await toolbox.search({ query });
    await toolbox.call('files.nothing', {});
    expect((await toolbox.search({ query: 'read file' })).notice).toBeUndefined();
  });

  it('searches of one step are one', async () => {
    const { toolbox } = await opened();
    const step = () => Promise.all(['read file', 'write file', 'report'].map((query) => toolbox.search({ query })));
    for (const { notice } of [...(await step()), ...(await step())]) expect(notice).toBeUndefined();
    for (const { notice } of await step()) expect(notice).toContain('search 3 in a row');
  });

  it('the same search in vain twice is a loop too', async () => {
    const { toolbox, kinds } = await opened();
    for (let at = 0; at < 2; at++) await toolbox.search({ query: 'zebra' });
    expect(kinds()).toEqual(['zero_hit', 'zero_hit', 'looped']);
  });

  it('keeps words where it is asked to: bounded, without credentials, to be forgotten', async () => {
    const { toolbox, gaps, clock } = await opened({ keepQueries: true, maxQueries: 2 });
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    for (const query of ['zebra', `zebra  ${token}`, `zebra ${'z'.repeat(500)}`]) {
      await toolbox.search({ query });
      await toolbox.get(['files.read_file']);
      clock.now += 1;
    }
    const kept = await gaps.queries('acme', 'zero_hit');
    expect(kept.map(({ query }) => query.slice(0, 16)).sort()).toEqual(['zebra [redacted]', 'zebra zzzzzzzzzz']);
    expect(Math.max(...kept.map(({ query }) => query.length))).toBe(200);
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(await gaps.reset('acme')).toBe(3);
    expect([await gaps.queries('acme'), await gaps.totals()]).toEqual([[], []]);
  });

  it('counts exactly what several instances count at once', async () => {
    const store = new MemorySearchGapStore();
    const instances = await Promise.all([opened({}, store), opened({}, store)]);
    await Promise.all(
      instances.flatMap(({ open }) =>
        Array.from({ length: 10 }, (_, at) => open({ runId: `${at}` }).search({ query: 'zebra' })),
      ),
    );
    await Promise.all(instances.map(({ gaps }) => gaps.stop()));
    expect(await store.sums({}, { limit: 9 })).toEqual([
      { tenantId: 'acme', searches: 20, zeroHits: 20, unused: 0, loops: 0 },
    ]);
  });
});
