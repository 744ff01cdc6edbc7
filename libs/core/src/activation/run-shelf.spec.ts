import fc from 'fast-check';
import { RunShelf, RunShelves } from './run-shelf.js';

describe('RunShelf', () => {
  it('says which offers are new', () => {
    const shelf = new RunShelf();
    expect([shelf.offer(['a', 'b']), shelf.offer(['b', 'c']), shelf.offer([])]).toEqual([['a', 'b'], ['c'], []]);
    expect(['a', 'b', 'c', 'd'].map((tool) => shelf.isOffered(tool))).toEqual([true, true, true, false]);
  });

  it('lists what was offered or activated, in the order in which it came', () => {
    const shelf = new RunShelf();
    shelf.offer(['b']);
    expect(shelf.listing(['z'])).toEqual(['b', 'z']);
    shelf.offer(['a']);
    // Activating an offered tool does not move it; the order in which a store names them does not matter.
    expect(shelf.listing(['a', 'z'])).toEqual(['b', 'z', 'a']);
    expect(shelf.listing(['z', 'a'])).toEqual(['b', 'z', 'a']);
  });

  it('lets the offers give way that were found longest ago', () => {
    const shelf = new RunShelf(3);
    shelf.offer(['a', 'b', 'c']);
    shelf.offer(['a', 'd']);
    expect(shelf.listing([])).toEqual(['a', 'c', 'd']);
    expect(shelf.isOffered('b')).toBe(false);
  });

  it('keeps an activated tool whose offer gave way', () => {
    const shelf = new RunShelf(1);
    shelf.offer(['a']);
    shelf.offer(['b']);
    expect(shelf.listing(['a'])).toEqual(['a', 'b']);
  });

  it('gives a tool that had left a new place at the end', () => {
    const shelf = new RunShelf();
    expect(shelf.listing(['a', 'b'])).toEqual(['a', 'b']);
    expect(shelf.listing(['b'])).toEqual(['b']);
    expect(shelf.listing(['a', 'b'])).toEqual(['b', 'a']);
  });

  it('only ever appends, however offers and activations interleave', () => {
    const all = 'abcdefghijklmnop'.split('');
    const tools = fc.array(fc.constantFrom(...all), { maxLength: 4 });
    const step = fc.record({ kind: fc.constantFrom('offer', 'activate', 'revoke'), tools });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 4, max: 12 }), (steps, maxOffers) => {
        const shelf = new RunShelf(maxOffers);
        let active: string[] = [];
        let before: readonly string[] = [];
        for (const { kind, tools: named } of steps) {
          if (kind === 'offer') shelf.offer(named);
          else if (kind === 'activate') active = [...new Set([...named, ...active])];
          else active = active.filter((tool) => !named.includes(tool));
          const now = shelf.listing(active);
          expect(new Set(now).size).toBe(now.length);
          expect(now.toSorted()).toEqual(all.filter((tool) => active.includes(tool) || shelf.isOffered(tool)));
          // What stays keeps its order and comes first.
          const kept = before.filter((tool) => now.includes(tool));
          expect(now.slice(0, kept.length)).toEqual(kept);
          before = now;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('RunShelves', () => {
  it('keeps one shelf for each run, and mixes up no two of them', () => {
    const shelves = new RunShelves();
    expect(shelves.of(['acme', 'ada', 'r'])).toBe(shelves.of(['acme', 'ada', 'r']));
    const keys = [
      ['acme', 'ada', 'r'],
      ['acme', 'ad', 'ar'],
      ['acme', '', 'r'],
      ['acme', 'ada","r'],
      ['__proto__', '', 'r'],
    ];
    expect(new Set(keys.map((key) => shelves.of(key))).size).toBe(keys.length);
  });

  it('forgets the run that was used longest ago', () => {
    const shelves = new RunShelves(2);
    const [first, second] = [shelves.of(['1']), shelves.of(['2'])];
    shelves.of(['1']);
    shelves.of(['3']);
    expect(shelves.of(['1'])).toBe(first);
    expect(shelves.of(['2'])).not.toBe(second);
  });
});
