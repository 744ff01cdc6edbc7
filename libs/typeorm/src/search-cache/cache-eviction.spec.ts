import { type CachedEntry, expendableEntries } from './cache-eviction.js';

const NOW = 1_800_000_000_000;
const entry = (generation: string, writtenAt: number, of: Partial<CachedEntry> = {}): CachedEntry => ({
  generation,
  kind: 'index',
  id: generation,
  complete: true,
  writtenAt,
  ...of,
});
const going = (entries: readonly CachedEntry[]) =>
  expendableEntries(entries, NOW)
    .map(({ generation }) => generation)
    .toSorted();

describe('expendableEntries', () => {
  it('evicts no entry while there is room', () => {
    expect(going([])).toEqual([]);
    expect(going([entry('a', 1), entry('b', 2), entry('c', 3), entry('d', 4)])).toEqual([]);
  });

  it('lets all go but the newest four of a kind', () => {
    const entries = [5, 2, 6, 1, 4, 3].map((at) => entry(`g${at}`, at));
    expect(going([...entries, entry('other', 0, { kind: 'vectors' })])).toEqual(['g1', 'g2']);
  });

  it('counts an entry that was written again once, and keeps its newest writing', () => {
    const again = [1, 2, 3].map((at) => entry(`g${at}`, at, { id: 'same' }));
    expect(going([...again, entry('a', 4), entry('b', 5), entry('c', 6)])).toEqual(['g1', 'g2']);
  });

  it('keeps sixteen in all, so that kinds that are no longer written disappear', () => {
    const kinds = [1, 2, 3, 4, 5].flatMap((kind) =>
      [1, 2, 3, 4].map((at) => entry(`k${kind}.${at}`, 10 * kind + at, { kind: `vectors:${kind}` })),
    );
    expect(going(kinds)).toEqual(['k1.1', 'k1.2', 'k1.3', 'k1.4']);
  });

  it('takes unfinished entries for abandoned after an hour, and does not count them', () => {
    const unfinished = { complete: false, id: 'same' };
    const entries = [
      entry('dead', NOW - 3_600_000, unfinished),
      entry('alive', NOW - 3_599_999, unfinished),
      ...[1, 2, 3, 4].map((at) => entry(`g${at}`, NOW + at)),
    ];
    expect(going(entries)).toEqual(['dead']);
  });
});
