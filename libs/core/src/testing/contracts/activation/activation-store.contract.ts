/// <reference types="jest" />
import {
  type Activation,
  type ActivationLimits,
  type ActivationScope,
  type ActivationStore,
  type HeldActivation,
  type NewActivation,
  USE_PRECISION_MS,
} from '../../../activation/activation-store.js';
import { describeActivationUse } from './activation-use.contract.js';
import { describeActivationOperations } from './activation-operations.contract.js';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const NO_LIMITS: ActivationLimits = { tools: 0, tokens: 0 };
/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 60_000;

const session = (scopeId: string, of: Partial<ActivationScope> = {}): ActivationScope => ({
  tenantId: 'acme',
  userId: 'ada',
  scope: 'session',
  scopeId,
  ...of,
});
const tool = (name: string, tokens = 10): NewActivation => ({ tool: name, reason: 'first_use', tokens });
const tools = (count: number, prefix = 'tool'): NewActivation[] =>
  Array.from({ length: count }, (_, i) => tool(`${prefix}.${String(i).padStart(3, '0')}`));
const names = (activations: readonly Activation[]) => activations.map((activation) => activation.tool);
const parallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/**
 * The contract of {@link ActivationStore} as a Jest suite, for every implementation. Needs Jest's globals and the
 * package `fast-check`.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it; called once per test
 */
export function describeActivationStore(
  name: string,
  make: () => Promise<{ store: ActivationStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the promises of an activation store`, () => {
    let store: ActivationStore;
    let made: Awaited<ReturnType<typeof make>>;
    const activate = (scope: ActivationScope, wanted: readonly NewActivation[], now = NOW, limits = NO_LIMITS) =>
      store.activate(scope, wanted, limits, now, now - HOUR);
    const list = async (scope: ActivationScope, now = NOW) => names(await store.list(scope, now - HOUR));

    beforeEach(async () => {
      made = await make();
      ({ store } = made);
    }, PATIENCE);
    afterEach(() => made.close());

    describe('activating', () => {
      it('records tool, reason and time', async () => {
        await store.activate(session('s'), [{ tool: 'a.b', reason: 'load', tokens: 7 }], NO_LIMITS, NOW, 0);
        expect(await store.list(session('s'), 0)).toEqual([
          { tool: 'a.b', reason: 'load', activatedAt: NOW, usedAt: NOW },
        ]);
      });

      it('is idempotent: a second time that follows at once changes neither record nor times', async () => {
        expect(await activate(session('s'), [tool('a.b')])).toEqual({
          activated: ['a.b'],
          alreadyActive: [],
          overLimit: [],
        });
        const again = await store.activate(
          session('s'),
          [{ tool: 'a.b', reason: 'search', tokens: 9 }],
          NO_LIMITS,
          NOW + 1,
          0,
        );
        expect(again).toEqual({ activated: [], alreadyActive: ['a.b'], overLimit: [] });
        expect(await store.list(session('s'), 0)).toEqual([
          { tool: 'a.b', reason: 'first_use', activatedAt: NOW, usedAt: NOW },
        ]);
      });

      it('counts a tool that is named twice in one call once', async () => {
        const outcome = await activate(session('s'), [tool('a.b'), tool('c.d'), tool('a.b')]);
        expect(outcome).toEqual({ activated: ['a.b', 'c.d'], alreadyActive: [], overLimit: [] });
        expect(await list(session('s'))).toEqual(['a.b', 'c.d']);
      });

      it('does nothing for an empty list', async () => {
        expect(await activate(session('s'), [])).toEqual({ activated: [], alreadyActive: [], overLimit: [] });
        expect(await list(session('s'))).toEqual([]);
        expect(await store.sweep(NOW + HOUR, 10)).toBe(0);
      });

      it(
        'creates one record for 200 parallel first calls, and reports the activation to exactly one caller',
        async () => {
          const outcomes = await parallel(200, () => activate(session('s'), [tool('a.b')]));
          expect(outcomes.filter((outcome) => outcome.activated.length === 1)).toHaveLength(1);
          expect(outcomes.filter((outcome) => outcome.alreadyActive.length === 1)).toHaveLength(199);
          expect(await list(session('s'))).toEqual(['a.b']);
        },
        PATIENCE,
      );

      it('lists the oldest first, and by name what came at once', async () => {
        await activate(session('s'), [tool('z.z')], NOW);
        await activate(session('s'), [tool('m.b'), tool('m.B'), tool('m._'), tool('m.a')], NOW + 5);
        await activate(session('s'), [tool('a.a')], NOW + 9);
        expect(await list(session('s'))).toEqual(['z.z', 'm.B', 'm._', 'm.a', 'm.b', 'a.a']);
      });

      it('returns an empty list for an unknown scope', async () => {
        expect(await list(session('unknown'))).toEqual([]);
      });
    });

    describe('limits', () => {
      it(
        'is exactly full, and never more, after 200 parallel calls of different tools',
        async () => {
          const limits = { tools: 100, tokens: 0 };
          const wanted = tools(200);
          const outcomes = await parallel(200, (i) => activate(session('s'), [wanted[i]!], NOW, limits));
          expect(outcomes.filter((outcome) => outcome.activated.length === 1)).toHaveLength(100);
          expect(outcomes.filter((outcome) => outcome.overLimit.length === 1)).toHaveLength(100);
          expect((await list(session('s'))).toSorted()).toEqual(outcomes.flatMap((o) => o.activated).toSorted());
        },
        PATIENCE,
      );

      it(
        'is exactly full after parallel calls that bring several tools each',
        async () => {
          const limits = { tools: 50, tokens: 0 };
          const outcomes = await parallel(30, (i) => activate(session('s'), tools(4, `batch${i % 20}`), NOW, limits));
          expect(outcomes.flatMap((outcome) => outcome.activated)).toHaveLength(50);
          expect(await list(session('s'))).toHaveLength(50);
        },
        PATIENCE,
      );

      it('takes tools in the given order while there is room', async () => {
        const outcome = await activate(session('s'), [tool('c.c'), tool('a.a'), tool('b.b')], NOW, {
          tools: 2,
          tokens: 0,
        });
        expect(outcome).toEqual({ activated: ['c.c', 'a.a'], alreadyActive: [], overLimit: ['b.b'] });
      });

      it('counts the tokens of what the scope has, and takes the smaller tool that still fits', async () => {
        const limits = { tools: 0, tokens: 100 };
        await activate(session('s'), [tool('first', 60)], NOW, limits);
        const outcome = await activate(session('s'), [tool('big', 41), tool('fits', 40), tool('late', 1)], NOW, limits);
        expect(outcome).toEqual({ activated: ['fits'], alreadyActive: [], overLimit: ['big', 'late'] });
      });

      it('says that a tool is active even when the scope is full', async () => {
        const limits = { tools: 1, tokens: 0 };
        await activate(session('s'), [tool('a.a')], NOW, limits);
        expect(await activate(session('s'), [tool('b.b'), tool('a.a')], NOW, limits)).toEqual({
          activated: [],
          alreadyActive: ['a.a'],
          overLimit: ['b.b'],
        });
      });

      it('has room again for what was revoked', async () => {
        const limits = { tools: 1, tokens: 0 };
        await activate(session('s'), [tool('a.a')], NOW, limits);
        await store.revoke(session('s'), 'a.a');
        expect((await activate(session('s'), [tool('b.b')], NOW, limits)).activated).toEqual(['b.b']);
      });

      it('keeps no record of a scope if no tool fitted', async () => {
        const limits = { tools: 0, tokens: 5 };
        expect((await activate(session('s'), [tool('a.a', 6)], NOW, limits)).overLimit).toEqual(['a.a']);
        expect(await store.sweep(NOW + HOUR, 10)).toBe(0);
      });
    });

    describe('keeping scopes apart', () => {
      const long = (seed: number) =>
        String.fromCodePoint(...Array.from({ length: 256 }, (_, i) => 0x4e00 + ((i * 37 + seed * 911) % 0x5000)));
      const strangers: readonly ActivationScope[] = [
        session('s'),
        session('s', { tenantId: 'globex' }),
        session('s', { userId: 'bob' }),
        session('s', { userId: '' }),
        session('s', { scope: 'run' }),
        session('S'),
        session('s '),
        session(' s'),
        session('../s'),
        session('%'),
        session('_'),
        session('?'),
        session('$1'),
        session('\\'),
        session(`'; DROP TABLE tool_search_activations; --`),
        session('" OR ""="'),
        session('__proto__'),
        session('é'),
        session('e\u0301'),
        session('工具'),
        session('🧰'),
        session('a', { tenantId: 'x', userId: 'bc' }),
        session('a', { tenantId: 'xb', userId: 'c' }),
        session('ca', { tenantId: 'x', userId: 'b' }),
        session('a,"b"', { userId: '' }),
        session('"b"', { userId: 'a,' }),
        session('x'.repeat(256)),
        session('x'.repeat(255)),
        session(long(1), { tenantId: long(2), userId: long(3) }),
        session(long(1), { tenantId: long(2), userId: long(4) }),
      ];

      it('gives every tenant, user, scope and id its own activations, however the ids are written', async () => {
        for (const [i, scope] of strangers.entries()) await activate(scope, [tool(`own.${i}`), tool('same')]);
        for (const [i, scope] of strangers.entries()) expect(await list(scope)).toEqual([`own.${i}`, 'same']);
      });

      it('uses and revokes in the named scope only', async () => {
        for (const scope of strangers) await activate(scope, [tool('a.a'), tool('b.b')], NOW);
        const [first, second, third, ...others] = strangers as [ActivationScope, ActivationScope, ActivationScope];
        await activate(first, [tool('a.a')], NOW + HOUR);
        expect(await store.revoke(second)).toBe(2);
        expect(await store.revoke(third, 'a.a')).toBe(1);

        expect(await list(second)).toEqual([]);
        expect(await list(third)).toEqual(['b.b']);
        for (const scope of [first, ...others]) expect(await list(scope)).toEqual(['a.a', 'b.b']);
        for (const scope of others) expect(await list(scope, NOW + HOUR + 1)).toEqual([]);
        expect(await list(first, NOW + HOUR + 1)).toEqual(['a.a', 'b.b']);
      });
    });

    describe('expiry', () => {
      it('keeps a scope that was used exactly at the edge, and empties it one millisecond later', async () => {
        await activate(session('s'), [tool('a.a')], NOW);
        expect(await list(session('s'), NOW + HOUR)).toEqual(['a.a']);
        expect(await list(session('s'), NOW + HOUR + 1)).toEqual([]);
      });

      it('starts an expired scope empty', async () => {
        const limits = { tools: 2, tokens: 0 };
        await activate(session('s'), [tool('a.a'), tool('b.b')], NOW, limits);
        const later = NOW + HOUR + 1;
        expect((await activate(session('s'), [tool('c.c'), tool('a.a')], later, limits)).activated).toEqual([
          'c.c',
          'a.a',
        ]);
        expect(await store.list(session('s'), 0)).toEqual([
          { tool: 'a.a', reason: 'first_use', activatedAt: later, usedAt: later },
          { tool: 'c.c', reason: 'first_use', activatedAt: later, usedAt: later },
        ]);
      });

      it(
        'starts an expired scope empty exactly once when many come at the same time',
        async () => {
          await activate(session('s'), [tool('old.a'), tool('old.b')], NOW);
          const wanted = tools(40, 'new');
          const outcomes = await parallel(40, (i) => activate(session('s'), [wanted[i]!], NOW + 2 * HOUR));
          expect(outcomes.flatMap((outcome) => outcome.activated)).toHaveLength(40);
          expect(await list(session('s'), NOW + 2 * HOUR)).toEqual(wanted.map((each) => each.tool));
        },
        PATIENCE,
      );

      it('is put off by activating again, even of an active tool', async () => {
        await activate(session('used'), [tool('a.a')], NOW);
        await activate(session('used'), [tool('a.a')], NOW + HOUR);
        expect(await list(session('used'), NOW + 2 * HOUR)).toEqual(['a.a']);
      });

      it('is not brought forward by a clock that went back', async () => {
        await activate(session('s'), [tool('a.a')], NOW);
        await activate(session('s'), [tool('b.b')], NOW - 10 * HOUR);
        expect(await list(session('s'), NOW + HOUR)).toEqual(['b.b', 'a.a']);
      });
    });

    describe('revoking', () => {
      it('counts what went, and is idempotent', async () => {
        await activate(session('s'), tools(5));
        expect(await store.revoke(session('s'), 'tool.003')).toBe(1);
        expect(await store.revoke(session('s'), 'tool.003')).toBe(0);
        expect(await store.revoke(session('s'), 'never.seen')).toBe(0);
        expect(await list(session('s'))).toEqual(['tool.000', 'tool.001', 'tool.002', 'tool.004']);
        expect(await store.revoke(session('s'))).toBe(4);
        expect(await store.revoke(session('s'))).toBe(0);
        expect(await list(session('s'))).toEqual([]);
      });

      it('forgets the scope with its last tool', async () => {
        await activate(session('s'), [tool('a.a')]);
        await store.revoke(session('s'), 'a.a');
        expect(await store.sweep(NOW + HOUR, 10)).toBe(0);
      });
    });

    describe('sweeping', () => {
      it('removes idle scopes in batches and reports how many', async () => {
        for (let i = 0; i < 25; i++) await activate(session(`idle${i}`), tools(3), NOW - 2 * HOUR + i);
        await activate(session('live'), tools(3), NOW);
        const swept = [];
        for (let i = 0; i < 4; i++) swept.push(await store.sweep(NOW - HOUR, 10));
        expect(swept).toEqual([10, 10, 5, 0]);
        expect(await list(session('live'))).toHaveLength(3);
        expect(await store.list(session('idle0'), 0)).toEqual([]);
      });

      it('leaves a scope that was used exactly at the edge', async () => {
        await activate(session('s'), [tool('a.a')], NOW);
        expect(await store.sweep(NOW, 10)).toBe(0);
        expect(await store.sweep(NOW + 1, 10)).toBe(1);
      });

      it(
        'runs beside other sweeps and activations without losing what was acknowledged',
        async () => {
          const idle = 60;
          await parallel(idle, (i) => activate(session(`s${i}`), [tool('old')], NOW - 2 * HOUR));
          const [sweeps, ...outcomes] = await Promise.all([
            Promise.all(Array.from({ length: 8 }, () => store.sweep(NOW - HOUR, 20))),
            ...Array.from({ length: idle }, (_, i) => (i % 2 ? activate(session(`s${i}`), [tool('new')]) : undefined)),
          ]);

          expect(outcomes.flatMap((outcome) => outcome?.activated ?? [])).toHaveLength(idle / 2);
          for (let i = 1; i < idle; i += 2) expect(await list(session(`s${i}`))).toEqual(['new']);
          const rest = await store.sweep(NOW - HOUR, idle);
          const swept = sweeps.reduce((sum, count) => sum + count, rest);
          // each scope was removed by a sweep or replaced by a new activation
          expect(swept).toBeGreaterThanOrEqual(idle / 2);
          expect(swept).toBeLessThanOrEqual(idle);
        },
        PATIENCE,
      );
    });

    describeActivationOperations(() => store);
    describeActivationUse(() => store);

    it(
      'behaves like a plain map of scopes, for any sequence of operations',
      async () => {
        // Required here, so that the testing kit also loads without fast-check.
        // oxlint-disable-next-line typescript/no-require-imports
        const fc = require('fast-check') as typeof import('fast-check');
        const scopes = [
          session('a'),
          session('b'),
          session('a', { scope: 'run' }),
          session('a', { tenantId: 'globex' }),
        ];
        const scope = fc.constantFrom(...scopes);
        const name = fc.integer({ min: 0, max: 7 }).map((i) => `t.${i}`);
        const wanted = fc.array(
          fc.record({
            tool: name,
            reason: fc.constantFrom('first_use' as const, 'load' as const, 'search' as const),
            tokens: fc.nat(40),
          }),
          { maxLength: 4 },
        );
        const step = fc.record({
          wait: fc.nat(HOUR),
          act: fc.oneof(
            { weight: 5, arbitrary: fc.record({ do: fc.constant('activate' as const), scope, wanted }) },
            {
              weight: 2,
              arbitrary: fc.record({
                do: fc.constant('revoke' as const),
                scope,
                tool: fc.option(name, { nil: undefined }),
              }),
            },
            { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
          ),
        });
        const limits = fc.record({ tools: fc.nat(6), tokens: fc.nat(100) });

        await fc.assert(
          fc.asyncProperty(limits, fc.array(step, { maxLength: 20 }), async (limits, steps) => {
            const model = new ModelStore(limits);
            let now = NOW;
            try {
              for (const { wait, act } of steps) {
                now += wait;
                model.expire(now - HOUR);
                if (act.do === 'activate') {
                  const outcome = await activate(act.scope, act.wanted, now, limits);
                  expect(outcome).toEqual(model.activate(act.scope, act.wanted, now));
                } else if (act.do === 'revoke' && model.has(act.scope)) {
                  expect(await store.revoke(act.scope, act.tool)).toBe(model.revoke(act.scope, act.tool));
                } else if (act.do === 'sweep') {
                  await store.sweep(now - HOUR, 100);
                }
                for (const each of scopes) expect(await store.list(each, now - HOUR)).toEqual(model.list(each));
              }
            } finally {
              for (const each of scopes) await store.revoke(each);
            }
          }),
          { numRuns: 40 },
        );
      },
      PATIENCE,
    );
  });
}

/** A minimal model of the contract: a map of scopes from which expired ones are removed. */
class ModelStore {
  readonly #scopes = new Map<string, { usedAt: number; tools: Map<string, HeldActivation> }>();

  constructor(private readonly limits: ActivationLimits) {}

  expire(staleBefore: number): void {
    for (const [key, { usedAt }] of this.#scopes) if (usedAt < staleBefore) this.#scopes.delete(key);
  }

  has(scope: ActivationScope): boolean {
    return this.#scopes.has(JSON.stringify(scope));
  }

  list(scope: ActivationScope): Activation[] {
    return [...(this.#scopes.get(JSON.stringify(scope))?.tools.values() ?? [])]
      .map(({ tool, reason, activatedAt, usedAt }) => ({ tool, reason, activatedAt, usedAt }))
      .toSorted((a, b) => a.activatedAt - b.activatedAt || (a.tool < b.tool ? -1 : 1));
  }

  activate(scope: ActivationScope, wanted: readonly NewActivation[], now: number) {
    const held = this.#scopes.get(JSON.stringify(scope))?.tools ?? new Map<string, HeldActivation>();
    const outcome = { activated: [] as string[], alreadyActive: [] as string[], overLimit: [] as string[] };
    const last = new Map(wanted.map((each) => [each.tool, each]));
    for (const each of last.values()) {
      const tokens = [...held.values()].reduce((sum, { tokens }) => sum + tokens, each.tokens);
      const full =
        (this.limits.tools > 0 && held.size + 1 > this.limits.tools) ||
        (this.limits.tokens > 0 && tokens > this.limits.tokens);
      const active = held.get(each.tool);
      if (active) {
        outcome.alreadyActive.push(each.tool);
        const isLongAgo = now - active.usedAt >= USE_PRECISION_MS;
        held.set(each.tool, { ...active, usedAt: isLongAgo ? now : active.usedAt });
      } else if (full) outcome.overLimit.push(each.tool);
      else {
        outcome.activated.push(each.tool);
        held.set(each.tool, { ...each, activatedAt: now, usedAt: now });
      }
    }
    if (held.size > 0) this.#scopes.set(JSON.stringify(scope), { usedAt: now, tools: held });
    return outcome;
  }

  revoke(scope: ActivationScope, tool: string | undefined): number {
    const held = this.#scopes.get(JSON.stringify(scope));
    const removed = tool === undefined ? (held?.tools.size ?? 0) : Number(held?.tools.delete(tool));
    if (tool === undefined || held?.tools.size === 0) this.#scopes.delete(JSON.stringify(scope));
    return removed;
  }
}
