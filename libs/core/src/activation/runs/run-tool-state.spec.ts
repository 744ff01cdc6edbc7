import fc from 'fast-check';
import { RunToolState, RunShelves } from './run-tool-state.js';

describe('RunShelf', () => {
  it('knows the newest search that found a tool, once', () => {
    const shelf = new RunToolState();
    shelf.searched('give money back', ['billing.refund', 'billing.pay']);
    shelf.searched('refund', ['billing.refund']);
    shelf.searched('nothing found', []);
    expect(shelf.searchThatFound('billing.refund')).toBe('refund');
    expect(shelf.searchThatFound('billing.refund')).toBe('give money back');
    expect(shelf.searchThatFound('billing.refund')).toBeUndefined();
    expect(shelf.searchThatFound('billing.pay')).toBe('give money back');
  });

  it('forgets searches that are long past', () => {
    const shelf = new RunToolState();
    for (let turn = 0; turn < 25; turn++) shelf.searched(`query ${turn}`, [`tool${turn}`]);
    expect(shelf.searchThatFound('tool4')).toBeUndefined();
    expect(shelf.searchThatFound('tool5')).toBe('query 5');
  });

  it('says which offers are new', () => {
    const shelf = new RunToolState();
    expect([shelf.offer(['a', 'b']), shelf.offer(['b', 'c']), shelf.offer([])]).toEqual([['a', 'b'], ['c'], []]);
    expect(['a', 'b', 'c', 'd'].map((tool) => shelf.isOffered(tool))).toEqual([true, true, true, false]);
  });

  it('lists what was offered or activated, in the order in which it came', () => {
    const shelf = new RunToolState();
    shelf.offer(['b']);
    expect(shelf.listing(['z'])).toEqual(['b', 'z']);
    shelf.offer(['a']);
    // Activating an offered tool does not move it; the store's order does not matter.
    expect(shelf.listing(['a', 'z'])).toEqual(['b', 'z', 'a']);
    expect(shelf.listing(['z', 'a'])).toEqual(['b', 'z', 'a']);
  });

  it('lets the offers give way that were found longest ago', () => {
    const shelf = new RunToolState(3);
    shelf.offer(['a', 'b', 'c']);
    shelf.offer(['a', 'd']);
    expect(shelf.listing([])).toEqual(['a', 'c', 'd']);
    expect(shelf.isOffered('b')).toBe(false);
  });

  it('knows the last searches that were in vain', () => {
    const shelf = new RunToolState();
    const vain = (search: string) => shelf.searchedInVain(search);
    expect([vain('fly'), vain('fly'), vain('swim')]).toEqual([false, true, false]);
    for (let turn = 0; turn < 19; turn++) vain(`other ${turn}`);
    // The newest twenty are kept: 'fly' was removed, 'swim' is the oldest one left.
    expect([vain('swim'), vain('fly')]).toEqual([true, false]);
  });

  it('keeps an activated tool whose offer gave way', () => {
    const shelf = new RunToolState(1);
    shelf.offer(['a']);
    shelf.offer(['b']);
    expect(shelf.listing(['a'])).toEqual(['a', 'b']);
  });

  it('starts over with what it is given, in that order', () => {
    const shelf = new RunToolState(3);
    shelf.offer(['a', 'b']);
    shelf.listing(['z']);
    shelf.restore(['y', 'b', 'x', 'w'], new Set(['y', 'z']));
    expect(['a', 'y', 'b', 'x', 'w'].map((tool) => shelf.isOffered(tool))).toEqual([false, true, true, true, true]);
    // Tools that had been activated are removed last.
    shelf.offer(['v']);
    expect(['y', 'b', 'x', 'w', 'v'].map((tool) => shelf.isOffered(tool))).toEqual([true, false, false, true, true]);
    expect(shelf.listing(['z'])).toEqual(['y', 'w', 'v', 'z']);
    shelf.restore([], new Set());
    expect(shelf.listing([])).toEqual([]);
  });

  it('gives a tool that had left a new place at the end', () => {
    const shelf = new RunToolState();
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
        const shelf = new RunToolState(maxOffers);
        let active: string[] = [];
        let before: readonly string[] = [];
        for (const { kind, tools: named } of steps) {
          if (kind === 'offer') shelf.offer(named);
          else if (kind === 'activate') active = [...new Set([...named, ...active])];
          else active = active.filter((tool) => !named.includes(tool));
          const now = shelf.listing(active);
          expect(new Set(now).size).toBe(now.length);
          expect(now.toSorted()).toEqual(all.filter((tool) => active.includes(tool) || shelf.isOffered(tool)));
          // Tools that stay keep their order and come first.
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
    const run = (tenantId: string, userId: string, runId: string) => ({ tenantId, userId, runId });
    expect(shelves.of(run('acme', 'ada', 'r'))).toBe(shelves.of(run('acme', 'ada', 'r')));
    const runs = [
      run('acme', 'ada', 'r'),
      run('acme', 'ad', 'ar'),
      run('acme', '', 'r'),
      run('acme', 'ada","r', ''),
      run('__proto__', '', 'r'),
    ];
    expect(new Set(runs.map((each) => shelves.of(each))).size).toBe(runs.length);
  });

  it('forgets the largest tenant’s run that was used longest ago', () => {
    const shelves = new RunShelves(3);
    const run = (tenantId: string, runId: string) => shelves.of({ tenantId, runId });
    const [other, first, second] = [run('globex', '1'), run('acme', '1'), run('acme', '2')];
    run('acme', '1');
    run('acme', '3');
    expect([run('globex', '1'), run('acme', '1')]).toEqual([other, first]);
    expect(run('globex', '1')).toBe(other);
    expect(run('acme', '1')).toBe(first);
    expect(run('acme', '2')).not.toBe(second);
  });

  it('stays small for a client that only searches', () => {
    const shelf = new RunToolState(10);
    for (let id = 0; id < 1000; id += 1) shelf.offer([`t.${id}`]);
    expect(shelf.listing([])).toHaveLength(10);
  });
});
