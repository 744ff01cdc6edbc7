/// <reference types="jest" />
import type { ActivationFilter } from '../../../activation/activation-filter.js';
import type {
  ActivationRecord,
  ActivationScope,
  ActivationStore,
  NewActivation,
} from '../../../activation/activation-store.js';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const PATIENCE = 60_000;

const scope = (scopeId: string, of: Partial<ActivationScope> = {}): ActivationScope => ({
  tenantId: 'acme',
  userId: 'ada',
  scope: 'session',
  scopeId,
  ...of,
});
const tool = (name: string, tokens = 10): NewActivation => ({ tool: name, reason: 'load', tokens });

/**
 * The administrative operations of an activation store, as a part of its contract suite.
 *
 * @param of returns the store of the running test
 */
export function describeActivationOperations(of: () => ActivationStore): void {
  const activate = (whose: ActivationScope, names: readonly string[], now = NOW) =>
    of().activate(
      whose,
      names.map((name) => tool(name)),
      { tools: 0, tokens: 0 },
      now,
      now - HOUR,
    );
  const browse = (filter: ActivationFilter = {}, after?: string, limit = 1000) =>
    of().browse(filter, { limit, ...(after !== undefined && { after }) }, NOW - HOUR);
  const named = (items: readonly ActivationRecord[]) =>
    items.map(({ tenantId, userId, scope: kind, scopeId, tool: name }) =>
      [tenantId, userId, kind, scopeId, name].join('/'),
    );
  const pages = async (filter: ActivationFilter, limit: number) => {
    const items: ActivationRecord[] = [];
    let after: string | undefined;
    do {
      const page = await browse(filter, after, limit);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      if (page.next !== undefined) expect(page.items).toHaveLength(limit);
      items.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return items;
  };
  const crowd = [
    scope('s1'),
    scope('s2'),
    scope('s1', { userId: '' }),
    scope('s1', { userId: 'bob' }),
    scope('s1', { scope: 'run' }),
    scope('s1', { tenantId: 'globex' }),
    scope('s3', { tenantId: 'globex' }),
    scope('\u{1f9f0} "\\', { tenantId: 'globex', userId: 'é%_' }),
  ];
  const fill = async () => {
    for (const whose of crowd) await activate(whose, ['a.a', 'b.b', 'c.c']);
  };

  describe('browsing', () => {
    it('shows records whole', async () => {
      await of().activate(scope('s'), [tool('a.b', 7)], { tools: 0, tokens: 0 }, NOW, 0);
      expect(await browse()).toEqual({
        items: [{ ...scope('s'), tool: 'a.b', reason: 'load', tokens: 7, activatedAt: NOW, usedAt: NOW }],
      });
    });

    it('shows the same in pages of every size, each record once and each scope in one piece', async () => {
      await fill();
      const all = named((await browse()).items);
      expect(new Set(all).size).toBe(24);
      const scopes = all.map((name) => name.slice(0, name.lastIndexOf('/')));
      expect(scopes.filter((name, index) => name !== scopes[index - 1])).toHaveLength(8);
      for (const limit of [1, 2, 5, 24]) expect(named(await pages({}, limit))).toEqual(all);
      expect((await browse({}, undefined, 24)).next).toBeUndefined();
    });

    it.each<[ActivationFilter, number]>([
      [{ tenantId: 'acme' }, 15],
      [{ tenantId: 'globex', tool: 'b.b' }, 3],
      [{ tenantId: 'acme', userId: '' }, 3],
      [{ userId: 'ada' }, 15],
      [{ scope: 'run' }, 3],
      [{ scopeId: 's1' }, 15],
      [{ tool: 'c.c' }, 8],
      [{ ...scope('s2') }, 3],
      [{ ...scope('s2'), tool: 'a.a' }, 1],
      [{ tenantId: 'acm' }, 0],
    ])('returns exactly what %j matches', async (filter, count) => {
      await fill();
      const matches = (record: ActivationRecord) =>
        Object.entries(filter).every(([part, value]) => record[part as keyof ActivationFilter] === value);
      const expected = named((await browse()).items.filter(matches));
      expect(expected).toHaveLength(count);
      expect(named((await browse(filter)).items)).toEqual(expected);
      expect(named(await pages(filter, 2))).toEqual(expected);
    });

    it('goes on where it was, though what stood there is gone', async () => {
      await fill();
      const all = named(await pages({}, 1000));
      const first = await browse({}, undefined, 5);
      const { tenantId, userId, scope: kind, scopeId } = first.items[4]!;
      expect(await of().revokeAll({ tenantId, userId, scope: kind, scopeId })).toBe(3);
      expect(named((await browse({}, first.next)).items)).toEqual(all.slice(6));
    });

    it('leaves out what is idle', async () => {
      await activate(scope('old'), ['a.a'], NOW - 2 * HOUR);
      await activate(scope('edge'), ['a.a'], NOW - HOUR);
      expect(named((await browse()).items)).toEqual(['acme/ada/session/edge/a.a']);
    });

    it.each([
      'x',
      '%%%',
      'bnVsbA',
      Buffer.from('{"length":5}').toString('base64url'),
      Buffer.from('["a","b","c"]').toString('base64url'),
      Buffer.from('["a","b","c","d",5]').toString('base64url'),
      Buffer.from(JSON.stringify(['a', 'b', 'c', 'd', 'e'.repeat(100_000)])).toString('base64url'),
    ])('refuses a cursor that it cannot read', async (cursor) => {
      await expect(browse({}, cursor)).rejects.toMatchObject({ code: 'INVALID_REQUEST', hint: expect.any(String) });
    });

    it('refuses the cursor of another tenant', async () => {
      await fill();
      const { next } = await browse({ tenantId: 'globex' }, undefined, 1);
      await expect(browse({ tenantId: 'acme' }, next)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });
  });

  describe('counting', () => {
    it('counts what is in use, and what waits to be swept', async () => {
      expect(await of().stats(NOW - HOUR)).toEqual({ scopes: 0, activations: 0, tokens: 0, idleScopes: 0 });
      await activate(scope('idle1'), ['a.a', 'b.b'], NOW - 3 * HOUR);
      await activate(scope('idle2'), ['a.a'], NOW - 2 * HOUR);
      await activate(scope('s1'), ['a.a', 'b.b'], NOW - 5);
      await of().activate(scope('s1', { userId: 'bob' }), [tool('a.a', 3)], { tools: 0, tokens: 0 }, NOW, 0);
      expect(await of().stats(NOW - HOUR)).toEqual({
        scopes: 2,
        activations: 3,
        tokens: 23,
        idleScopes: 2,
        oldestUseAt: NOW - 5,
      });
    });
  });

  describe('revoking everything that matches', () => {
    it.each<[ActivationFilter, number]>([
      [{ tenantId: 'acme' }, 15],
      [{ scope: 'session', scopeId: 's1' }, 12],
      [{ tool: 'a.a' }, 8],
      [{ tenantId: 'globex', userId: 'ada', tool: 'b.b' }, 2],
      [{ tenantId: 'nobody' }, 0],
      [{}, 24],
    ])('removes exactly what %j matches', async (filter, count) => {
      await fill();
      const expected = (await browse()).items.filter((record) =>
        Object.entries(filter).some(([part, value]) => record[part as keyof ActivationFilter] !== value),
      );
      expect(await of().revokeAll(filter)).toBe(count);
      expect(named((await browse()).items)).toEqual(named(expected));
      expect(await of().revokeAll(filter)).toBe(0);
    });

    it('takes what is idle too, and leaves no trace of an empty scope', async () => {
      await activate(scope('old'), ['a.a'], NOW - 2 * HOUR);
      await activate(scope('new'), ['a.a', 'b.b']);
      expect(await of().revokeAll({ tool: 'a.a' })).toBe(2);
      expect(await of().sweep(NOW + HOUR, 10)).toBe(1);
    });

    it(
      'takes more than fits one batch, also of one scope',
      async () => {
        const many = Array.from({ length: 1300 }, (_, index) => `t.${index}`);
        await activate(scope('large'), many);
        await activate(scope('large', { tenantId: 'globex' }), ['t.1']);
        expect((await of().stats(NOW - HOUR)).activations).toBe(1301);
        expect(await pages({ tenantId: 'acme' }, 200)).toHaveLength(1300);
        expect(await of().revokeAll({ tenantId: 'acme' })).toBe(1300);
        expect(await of().stats(NOW - HOUR)).toMatchObject({ scopes: 1, activations: 1 });
      },
      PATIENCE,
    );

    it(
      'accounts for every activation that comes at the same time',
      async () => {
        const scopes = Array.from({ length: 12 }, (_, index) => scope(`s${index % 6}`, { userId: `u${index % 2}` }));
        const names = ['a.a', 'b.b', 'c.c', 'd.d'];
        for (let round = 0; round < 5; round += 1) {
          const [removed, activated] = await Promise.all([
            Promise.all(
              [{}, { tenantId: 'acme' }, { scopeId: 's1' }, { tool: 'b.b' }].map((filter) => of().revokeAll(filter)),
            ),
            Promise.all(
              scopes.flatMap((whose) => names.map(async (name) => (await activate(whose, [name])).activated.length)),
            ),
          ]);
          const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
          const { items } = await browse();
          expect(sum(activated) - sum(removed)).toBe(items.length);
          const { scopes: held, activations } = await of().stats(NOW - HOUR);
          expect(activations).toBe(items.length);
          expect(held).toBe(new Set(items.map(({ userId, scopeId }) => `${userId}/${scopeId}`)).size);
          expect(await of().revokeAll({})).toBe(items.length);
          expect(await of().sweep(NOW + HOUR, 100)).toBe(0);
        }
      },
      PATIENCE,
    );
  });
}
