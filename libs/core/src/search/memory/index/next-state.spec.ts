import { fakeTool, fakeTools } from '../../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { TimeSlicer } from '../../../async/time-slicer.js';
import type { IndexState } from './index-state.js';
import { DEFAULT_THRESHOLDS, firstState, nextState, resumedState } from './next-state.js';

const thresholds = { ...DEFAULT_THRESHOLDS, minLexicon: 2_000 };

const index = (tools: CatalogSnapshot['tools'], previous?: IndexState, slices = new TimeSlicer(8)) => {
  const snapshot = new CatalogSnapshot(1, tools);
  return previous ? nextState(snapshot, previous, thresholds, slices) : firstState(snapshot, slices);
};

const postingsOf = (state: IndexState, term: string) => {
  const id = state.lexicon.find(term) ?? 0;
  return [state.base, state.delta]
    .flatMap(({ starts, tools, impacts }, segment) =>
      Array.from({ length: (starts[id + 1] ?? 0) - (starts[id] ?? 0) }, (_, offset) => {
        const position = starts[id]! + offset;
        const slot = tools[position]! + (segment === 0 ? 0 : state.base.count);
        return [state.idOf(slot), impacts[position]!] as const;
      }),
    )
    .filter(([tool]) => tool >= 0)
    .sort(([a], [b]) => a - b);
};

const untouchable = <T extends object>(tool: T): T =>
  Object.defineProperty({ ...tool }, 'description', {
    get: () => {
      throw new Error('analyzed again');
    },
  });

describe('nextState', () => {
  const tools = fakeTools(200);

  it('takes over tools that have not changed without looking at them again', async () => {
    const before = await index(tools);
    const added = fakeTool({ name: 'zoo.feed', description: 'Feed a penguin.' });
    // A quarter of the base may be removed before it is merged.
    for (const gone of [40, 60]) {
      const kept = tools.slice(gone);
      const after = await index([...kept.map(untouchable), added], before);
      expect(after.base === before.base).toBe(gone === 40);
      expect(postingsOf(after, 'penguin')).toEqual([[kept.length, expect.any(Number)]]);
      const rebuilt = await index([...kept, added]);
      for (const term of ['list', 'invoic', 'delet', 'account']) {
        expect(postingsOf(after, term)).toEqual(postingsOf(rebuilt, term));
      }
      const later = await index([...kept.map(untouchable), untouchable(added)], after);
      expect(postingsOf(later, 'penguin')).toEqual(postingsOf(after, 'penguin'));
    }
  });

  it('merges a delta that has grown large into the base', async () => {
    let state = await index(tools);
    const all = fakeTools(700);
    for (const count of [300, 450, 600, 700]) state = await index(all.slice(0, count), state);
    const [whole] = [await index(all)];
    expect(state.base.count).toBeGreaterThan(200);
    for (const term of ['list', 'invoic', 'delet', 'account']) {
      expect(postingsOf(state, term)).toEqual(postingsOf(whole, term));
    }
  });

  it('takes a tool that has changed under its name as a new one', async () => {
    const [first, ...others] = tools;
    const changed = fakeTool({ ...first!, description: 'Feed a penguin.' });
    const after = await index([changed, ...others], await index(tools));
    expect(postingsOf(after, 'penguin')).toEqual([[0, expect.any(Number)]]);
    expect(postingsOf(after, 'list')).toEqual(postingsOf(await index([changed, ...others]), 'list'));
  });

  it('distinguishes equal tools of several tenants', async () => {
    const twin = fakeTool({ name: 'crm.find', description: 'Find a penguin.' });
    const one = await index([twin]);
    const three = await index([twin, { ...twin, owner: 'a' }, { ...twin, owner: 'b' }], one);
    expect(postingsOf(three, 'penguin').map(([id]) => id)).toEqual([0, 1, 2]);
  });

  it('lets other work run while it builds', async () => {
    let turns = 0;
    let isBuilding = true;
    const count = () => {
      turns += 1;
      if (isBuilding) setImmediate(count);
    };
    setImmediate(count);
    let now = 0;
    await index(tools, undefined, new TimeSlicer(8, undefined, () => (now += 1)));
    isBuilding = false;
    expect(turns).toBeGreaterThan(10);
  });

  it('forgets the words of tools that left once they are the larger part', async () => {
    const wordsOf = (tool: number) => Array.from({ length: 60 }, (_, word) => `w${tool}x${word}`).join(' ');
    const wordy = Array.from({ length: 100 }, (_, i) => fakeTool({ name: `wordy.t${i}`, description: wordsOf(i) }));
    const large = await index([...wordy, ...tools]);
    const small = await index(tools, large);
    expect(large.lexicon.size).toBeGreaterThan(5_000);
    expect(small.lexicon.size).toBeLessThan(1_000);
    expect(postingsOf(small, 'invoic')).toEqual(postingsOf(await index(tools), 'invoic'));
  });

  it('does not let the lexicon grow for ever while one tool changes again and again', async () => {
    let state = await index(tools);
    for (let change = 0; change < 60; change++) {
      const description = Array.from({ length: 100 }, (_, word) => `w${change}x${word}`).join(' ');
      state = await index([...tools, fakeTool({ name: 'zoo.feed', description })], state);
    }
    expect(state.lexicon.size).toBeLessThan(5_000);
  });
});

describe('resumedState', () => {
  it('distinguishes a catalog that is still loading from one that was analyzed without the tool', async () => {
    const tools = fakeTools(200);
    const { base, lexicon } = await index(tools);
    const stored = { segment: base, lexicon, hashes: tools.map(({ hash }) => hash) };
    const resumed = async (count: number, before: number) =>
      resumedState(
        new CatalogSnapshot(2, tools.slice(0, count)),
        stored,
        before > 0 ? await index(tools.slice(0, before)) : undefined,
        thresholds,
        new TimeSlicer(8),
      );
    expect(await resumed(20, 0)).toBe('not yet');
    expect(await resumed(80, 80)).toBe('not yet');
    expect(await resumed(150, 150)).toBe('needless');
    expect(await resumed(200, 150)).toMatchObject({ lexicon });
  });
});
