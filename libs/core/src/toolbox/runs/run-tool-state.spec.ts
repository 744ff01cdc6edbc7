import fc from 'fast-check';
import { RunToolState, RunStates } from './run-tool-state.js';

describe('RunToolState', () => {
  it('knows the newest search that found a tool, once', () => {
    const state = new RunToolState();
    state.searched('give money back', ['billing.refund', 'billing.pay']);
    state.searched('refund', ['billing.refund']);
    state.searched('nothing found', []);
    expect(state.searchThatFound('billing.refund')).toBe('refund');
    expect(state.searchThatFound('billing.refund')).toBe('give money back');
    expect(state.searchThatFound('billing.refund')).toBeUndefined();
    expect(state.searchThatFound('billing.pay')).toBe('give money back');
  });

  it('forgets searches that are long past', () => {
    const state = new RunToolState();
    for (let turn = 0; turn < 25; turn++) state.searched(`query ${turn}`, [`tool${turn}`]);
    expect(state.searchThatFound('tool4')).toBeUndefined();
    expect(state.searchThatFound('tool5')).toBe('query 5');
  });

  it('says which offers are new', () => {
    const state = new RunToolState();
    expect([state.offer(['a', 'b']), state.offer(['b', 'c']), state.offer([])]).toEqual([['a', 'b'], ['c'], []]);
    expect(['a', 'b', 'c', 'd'].map((tool) => state.isOffered(tool))).toEqual([true, true, true, false]);
  });

  it('lists what was offered or activated, in the order in which it came', () => {
    const state = new RunToolState();
    state.offer(['b']);
    expect(state.listing(['z'])).toEqual(['b', 'z']);
    state.offer(['a']);
    // Activating an offered tool does not move it; the store's order does not matter.
    expect(state.listing(['a', 'z'])).toEqual(['b', 'z', 'a']);
    expect(state.listing(['z', 'a'])).toEqual(['b', 'z', 'a']);
  });

  it('lets the offers give way that were found longest ago', () => {
    const state = new RunToolState(3);
    state.offer(['a', 'b', 'c']);
    state.offer(['a', 'd']);
    expect(state.listing([])).toEqual(['a', 'c', 'd']);
    expect(state.isOffered('b')).toBe(false);
  });

  it('knows the last searches that were in vain', () => {
    const state = new RunToolState();
    const vain = (search: string) => state.searchedInVain(search);
    expect([vain('fly'), vain('fly'), vain('swim')]).toEqual([false, true, false]);
    for (let turn = 0; turn < 19; turn++) vain(`other ${turn}`);
    // The newest twenty are kept: 'fly' was removed, 'swim' is the oldest one left.
    expect([vain('swim'), vain('fly')]).toEqual([true, false]);
  });

  it('keeps an activated tool whose offer gave way', () => {
    const state = new RunToolState(1);
    state.offer(['a']);
    state.offer(['b']);
    expect(state.listing(['a'])).toEqual(['a', 'b']);
  });

  it('starts over with what it is given, in that order', () => {
    const state = new RunToolState(3);
    state.offer(['a', 'b']);
    state.listing(['z']);
    state.restore(['y', 'b', 'x', 'w'], new Set(['y', 'z']));
    expect(['a', 'y', 'b', 'x', 'w'].map((tool) => state.isOffered(tool))).toEqual([false, true, true, true, true]);
    // Tools that had been activated are removed last.
    state.offer(['v']);
    expect(['y', 'b', 'x', 'w', 'v'].map((tool) => state.isOffered(tool))).toEqual([true, false, false, true, true]);
    expect(state.listing(['z'])).toEqual(['y', 'w', 'v', 'z']);
    state.restore([], new Set());
    expect(state.listing([])).toEqual([]);
  });

  it('gives a tool that had left a new place at the end', () => {
    const state = new RunToolState();
    expect(state.listing(['a', 'b'])).toEqual(['a', 'b']);
    expect(state.listing(['b'])).toEqual(['b']);
    expect(state.listing(['a', 'b'])).toEqual(['b', 'a']);
  });

  it('only ever appends, however offers and activations interleave', () => {
    const all = 'abcdefghijklmnop'.split('');
    const tools = fc.array(fc.constantFrom(...all), { maxLength: 4 });
    const step = fc.record({ kind: fc.constantFrom('offer', 'activate', 'revoke'), tools });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 4, max: 12 }), (steps, maxOffers) => {
        const state = new RunToolState(maxOffers);
        let active: string[] = [];
        let before: readonly string[] = [];
        for (const { kind, tools: named } of steps) {
          if (kind === 'offer') state.offer(named);
          else if (kind === 'activate') active = [...new Set([...named, ...active])];
          else active = active.filter((tool) => !named.includes(tool));
          const now = state.listing(active);
          expect(new Set(now).size).toBe(now.length);
          expect(now.toSorted()).toEqual(all.filter((tool) => active.includes(tool) || state.isOffered(tool)));
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

describe('RunStates', () => {
  it('keeps one state for each run, and mixes up no two of them', () => {
    const runStates = new RunStates();
    const run = (tenantId: string, userId: string, runId: string) => ({ tenantId, userId, runId });
    expect(runStates.of(run('acme', 'ada', 'r'))).toBe(runStates.of(run('acme', 'ada', 'r')));
    const runs = [
      run('acme', 'ada', 'r'),
      run('acme', 'ad', 'ar'),
      run('acme', '', 'r'),
      run('acme', 'ada","r', ''),
      run('__proto__', '', 'r'),
    ];
    expect(new Set(runs.map((each) => runStates.of(each))).size).toBe(runs.length);
  });

  it('forgets the largest tenant’s run that was used longest ago', () => {
    const runStates = new RunStates(3);
    const run = (tenantId: string, runId: string) => runStates.of({ tenantId, runId });
    const [other, first, second] = [run('globex', '1'), run('acme', '1'), run('acme', '2')];
    run('acme', '1');
    run('acme', '3');
    expect([run('globex', '1'), run('acme', '1')]).toEqual([other, first]);
    expect(run('globex', '1')).toBe(other);
    expect(run('acme', '1')).toBe(first);
    expect(run('acme', '2')).not.toBe(second);
  });

  it('stays small for a client that only searches', () => {
    const state = new RunToolState(10);
    for (let id = 0; id < 1000; id += 1) state.offer([`t.${id}`]);
    expect(state.listing([])).toHaveLength(10);
  });
});
