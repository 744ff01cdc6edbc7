import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { SIDE_EFFECTS } from '../../tool/tool-definition.js';
import { type KillSwitch, killSwitchId, type KillSwitchTarget, targetMeets } from './kill-switch.js';
import { isLive, KillSwitchSet } from './kill-switch-set.js';

const word = fc.constantFrom('a', 'b', '__proto__', 'constructor');
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('.'));
const tenant = fc.constantFrom('', 'acme', 'globex', '__proto__');
const tool = fc
  .record({
    name: path,
    aliases: fc.array(path, { maxLength: 2 }),
    tags: fc.array(word, { maxLength: 2 }),
    sideEffects: fc.constantFrom(...SIDE_EFFECTS),
  })
  .map(fakeTool);
const target: fc.Arbitrary<KillSwitchTarget> = fc
  .record({
    kind: fc.constantFrom(
      'tool' as const,
      'glob' as const,
      'namespace' as const,
      'tag' as const,
      'side_effects' as const,
    ),
    path: fc.oneof(path, word),
    glob: fc.constantFrom('a*', '*.b', '?', '*.*.*', '__*', '*_b*', '?*.a'),
    effect: fc.constantFrom(...SIDE_EFFECTS),
    tenantId: tenant,
  })
  .map(({ kind, path: value, glob, effect, tenantId }) => ({
    kind,
    value: kind === 'glob' ? glob : kind === 'side_effects' ? effect : value,
    tenantId,
  }));
const killSwitch: fc.Arbitrary<KillSwitch> = fc
  .tuple(target, fc.constantFrom(0, 99, 100, 101))
  .map(([meant, expiresAt]) => ({
    ...meant,
    id: killSwitchId(meant),
    expiresAt,
    reason: 'r',
    actor: 'a',
    engagedAt: 1,
    abortRunning: false,
    matched: 0,
    revision: 1,
  }));
const unique = fc.uniqueArray(killSwitch, { maxLength: 6, selector: ({ id }) => id });

describe('a set of switches', () => {
  it("turns off exactly the targets of live switches, of all tenants and of the caller's tenant", () => {
    let [met, runs] = [0, 0];
    fc.assert(
      fc.property(unique, tool, tenant, (all, asked, tenantId) => {
        const set = new KillSwitchSet(all);
        const found = set.meeting(asked, tenantId, 100);
        const naive = all.filter(
          (each) =>
            targetMeets(each, asked) && isLive(each, 100) && (each.tenantId === '' || each.tenantId === tenantId),
        );
        expect(found !== undefined).toBe(naive.length > 0);
        if (found) expect(naive).toContain(found);
        if (naive.length > 0) expect(set.concerns(tenantId, 100)).toBe(true);
        met += Number(naive.length > 0);
        runs += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(met / runs).toBeGreaterThan(0.075);
  });

  it('finds each switch for everybody that meets at least one of some tools', () => {
    fc.assert(
      fc.property(unique, fc.array(tool, { maxLength: 4 }), (all, tools) => {
        const naive = all.filter(
          (each) => each.tenantId === '' && isLive(each, 100) && tools.some((one) => targetMeets(each, one)),
        );
        const last = new Map(naive.map((each) => [JSON.stringify([each.kind, each.value]), each]));
        const found = new KillSwitchSet(all).forAllMeetingAny(tools, 100);
        for (const each of found) expect(naive).toContain(each);
        for (const each of last.values()) expect(found).toContain(each);
      }),
      { numRuns: 5000 },
    );
  });

  it('decides alike for as long as the same number has expired, also when the clock is set back', () => {
    fc.assert(
      fc.property(unique, tool, fc.nat(200), fc.nat(200), (all, asked, one, other) => {
        const set = new KillSwitchSet(all);
        if (set.expiredAt(one) !== set.expiredAt(other)) return;
        expect(set.meeting(asked, 'acme', one)).toBe(set.meeting(asked, 'acme', other));
        expect(set.liveAt(one)).toBe(all.filter((each) => isLive(each, one)).length);
      }),
      { numRuns: 5000 },
    );
  });

  it('turns nothing off once all have expired', () => {
    const [one] = fc.sample(killSwitch, 1);
    const set = new KillSwitchSet([{ ...one!, tenantId: 'acme', expiresAt: 100 }]);
    expect([99, 100].map((now) => set.concerns('acme', now))).toEqual([true, false]);
  });

  it('turns nothing off if it is empty', () => {
    const set = new KillSwitchSet([]);
    expect([set.concerns('acme', 1), set.meeting(fakeTool(), 'acme', 1), set.liveAt(1)]).toEqual([false, undefined, 0]);
  });
});
