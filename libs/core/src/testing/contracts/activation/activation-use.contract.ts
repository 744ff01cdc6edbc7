/// <reference types="jest" />
import {
  type ActivationLimits,
  type ActivationScope,
  type ActivationStore,
  type HeldActivation,
  type NewActivation,
  USE_PRECISION_MS,
} from '../../../activation/activation-store.js';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const NO_LIMITS: ActivationLimits = { tools: 0, tokens: 0 };
const PATIENCE = 60_000;
const SCOPE: ActivationScope = { tenantId: 'acme', userId: 'ada', scope: 'session', scopeId: 's' };
const OTHER: ActivationScope = { ...SCOPE, tenantId: 'globex' };

const tool = (name: string, tokens = 10): NewActivation => ({ tool: name, reason: 'load', tokens });
const all = (held: readonly HeldActivation[]) => held.map((each) => each.tool).toSorted();
const none = () => [];

/**
 * How an activation store records the use of tools and demotes them, as a part of its contract suite.
 *
 * @param of returns the store of the running test
 */
export function describeActivationUse(of: () => ActivationStore): void {
  const activate = (names: readonly string[], now = NOW, limits = NO_LIMITS, scope = SCOPE) =>
    of().activate(
      scope,
      names.map((name) => tool(name)),
      limits,
      now,
      now - HOUR,
    );
  const demote = (choose: (held: readonly HeldActivation[]) => readonly string[], now = NOW, restedBefore = Infinity) =>
    of().demote(SCOPE, choose, restedBefore, now, now - HOUR);
  const uses = async () => {
    const held = await of().list(SCOPE, 0);
    return Object.fromEntries(held.map(({ tool: name, usedAt }) => [name, usedAt - NOW]));
  };
  const list = async (scope = SCOPE) => (await of().list(scope, 0)).map((each) => each.tool);

  describe('the last use of a tool', () => {
    it('is its activation, then every activation that asks for it again, to the minute', async () => {
      await activate(['a.a', 'b.b']);
      expect(await uses()).toEqual({ 'a.a': 0, 'b.b': 0 });
      await activate(['a.a'], NOW + USE_PRECISION_MS - 1);
      expect(await uses()).toEqual({ 'a.a': 0, 'b.b': 0 });
      await activate(['a.a', 'c.c'], NOW + USE_PRECISION_MS);
      expect(await uses()).toEqual({ 'a.a': USE_PRECISION_MS, 'b.b': 0, 'c.c': USE_PRECISION_MS });
      expect((await of().list(SCOPE, 0)).map(({ activatedAt }) => activatedAt - NOW)).toEqual([0, 0, USE_PRECISION_MS]);
    });

    it('is not brought forward by a clock that went back, and counts where the scope is full', async () => {
      const limits = { tools: 1, tokens: 0 };
      await activate(['a.a'], NOW, limits);
      await activate(['a.a'], NOW - HOUR / 2, limits);
      expect(await uses()).toEqual({ 'a.a': 0 });
      await activate(['b.b', 'a.a'], NOW + HOUR / 2, limits);
      expect(await uses()).toEqual({ 'a.a': HOUR / 2 });
    });

    it('is shown to operators', async () => {
      await activate(['a.a']);
      await activate(['a.a'], NOW + HOUR);
      const { items } = await of().browse({}, { limit: 10 }, 0);
      expect(items).toMatchObject([{ tool: 'a.a', activatedAt: NOW, usedAt: NOW + HOUR }]);
    });
  });

  describe('the last use of a scope', () => {
    it('is undefined for an empty or idle scope', async () => {
      expect(await of().lastUse(SCOPE, 0)).toBeUndefined();
      await activate(['a.a']);
      expect(await of().lastUse(SCOPE, NOW)).toBe(NOW);
      expect(await of().lastUse(SCOPE, NOW + 1)).toBeUndefined();
      expect(await of().lastUse(OTHER, 0)).toBeUndefined();
      await of().revoke(SCOPE);
      expect(await of().lastUse(SCOPE, 0)).toBeUndefined();
    });

    it('is every activation, and every time that room could have been made', async () => {
      await activate(['a.a']);
      await activate(['a.a'], NOW + 5);
      expect(await of().lastUse(SCOPE, 0)).toBe(NOW + 5);
      await demote(none, NOW + 9, 0);
      expect(await of().lastUse(SCOPE, 0)).toBe(NOW + 9);
      await demote(none, NOW + 2);
      expect(await of().lastUse(SCOPE, 0)).toBe(NOW + 9);
    });
  });

  describe('giving tools up', () => {
    it('removes exactly the chosen tools', async () => {
      await of().activate(SCOPE, [tool('a.a', 7), tool('b.b'), tool('c.c')], NO_LIMITS, NOW, 0);
      await activate(['b.b', 'c.c'], NOW, NO_LIMITS, OTHER);
      const shown: (readonly HeldActivation[])[] = [];
      const demoted = await demote((held) => {
        shown.push(held);
        return ['c.c', 'never.seen', 'a.a', 'c.c'];
      });
      expect(demoted).toEqual(['c.c', 'a.a']);
      expect(shown).toHaveLength(1);
      expect(shown[0]).toContainEqual({ tool: 'a.a', reason: 'load', tokens: 7, activatedAt: NOW, usedAt: NOW });
      expect(shown[0]).toHaveLength(3);
      expect([await list(), await list(OTHER)]).toEqual([['b.b'], ['b.b', 'c.c']]);
      expect((await activate(['a.a'], NOW + 1, { tools: 2, tokens: 20 })).activated).toEqual(['a.a']);
      expect(await list()).toEqual(['b.b', 'a.a']);
    });

    it('leaves no trace of a scope that gave up everything', async () => {
      await activate(['a.a', 'b.b']);
      expect(await demote(all)).toEqual(['a.a', 'b.b']);
      expect(await of().sweep(NOW + HOUR, 10)).toBe(0);
    });

    it('does not ask for a choice, and creates no scope, if it is empty or idle', async () => {
      const choose = jest.fn(all);
      expect(await demote(choose)).toEqual([]);
      await activate(['a.a'], NOW - HOUR - 1);
      expect(await demote(choose)).toEqual([]);
      expect(choose).not.toHaveBeenCalled();
      expect(await of().lastUse(SCOPE, 0)).toBe(NOW - HOUR - 1);
    });

    it('waits until the scope has rested', async () => {
      await activate(['a.a'], NOW);
      expect(await demote(all, NOW + 5, NOW)).toEqual([]);
      expect(await list()).toEqual(['a.a']);
      expect(await demote(all, NOW + 9, NOW + 6)).toEqual(['a.a']);
    });

    it(
      'is done by one alone of many that come at once',
      async () => {
        await activate(['a.a', 'b.b', 'c.c'], NOW);
        const oldest = (held: readonly HeldActivation[]) => all(held).slice(0, 1);
        const demoted = await Promise.all(
          Array.from({ length: 30 }, () => demote(oldest, NOW + HOUR / 2, NOW + HOUR / 4)),
        );
        expect(demoted.flat()).toEqual(['a.a']);
        expect((await list()).toSorted()).toEqual(['b.b', 'c.c']);
      },
      PATIENCE,
    );

    it(
      'exceeds no limit and loses no acknowledged activation under simultaneous calls',
      async () => {
        const limits = { tools: 6, tokens: 0 };
        const half = (held: readonly HeldActivation[]) => all(held).slice(0, 3);
        const held = new Map<string, number>();
        for (let round = 0; round < 4; round += 1) {
          const work = Array.from({ length: 24 }, async (_, index) => {
            if (index % 4 === 3) {
              for (const name of await demote(half, NOW + round)) held.set(name, (held.get(name) ?? 0) - 1);
              return;
            }
            const { activated } = await activate([`t.${index}`], NOW + round, limits);
            for (const name of activated) held.set(name, (held.get(name) ?? 0) + 1);
          });
          await Promise.all(work);
          const now = await list();
          expect(now.length).toBeLessThanOrEqual(limits.tools);
          const expected = [...held].filter(([, count]) => count > 0).map(([name]) => name);
          expect(now.toSorted()).toEqual(expected.toSorted());
        }
      },
      PATIENCE,
    );
  });
}
