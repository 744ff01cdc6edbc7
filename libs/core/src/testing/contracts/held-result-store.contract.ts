/// <reference types="jest" />
import { setTimeout } from 'node:timers/promises';
import type { HeldLimits, HeldResultStore, ResultHolder } from '../../toolbox/results/held/held-result-store.js';

/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 60_000;
const ADA: ResultHolder = { tenantId: 'acme', userId: 'ada', agent: '' };
const LIMITS: HeldLimits = { forMs: 3_600_000, ofHolder: 3, bytesOfTenant: 10_000_000 };

/** Two handles on one empty store, as in two instances of an application, with a function that closes them. */
export interface OpenHeldResultStore {
  readonly store: HeldResultStore;
  readonly sibling: HeldResultStore;
  close(): Promise<void>;
}

/**
 * The contract of {@link HeldResultStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store; called once per test
 */
export function describeHeldResultStore(name: string, make: () => Promise<OpenHeldResultStore>): void {
  describe(`${name} as a store of held results`, () => {
    let store: HeldResultStore;
    let sibling: HeldResultStore;
    let made: OpenHeldResultStore;
    const hold = (handle: string, holder = ADA, bytes = 10, limits: Partial<HeldLimits> = {}) =>
      store.hold(handle, holder, { tool: 'a.b', body: new Uint8Array(bytes).fill(7) }, { ...LIMITS, ...limits });
    const held = async (...handles: readonly string[]) => {
      const found = await Promise.all(handles.map((handle) => store.find(handle, ADA)));
      return handles.filter((_, index) => found[index] !== undefined);
    };

    beforeEach(async () => {
      made = await make();
      ({ store, sibling } = made);
    }, PATIENCE);
    afterEach(() => made.close());

    it.each([0, 1, 262_143, 262_144, 262_145, 1_500_000])(
      'gives back %i bytes as they were written, to every instance',
      async (length) => {
        const body = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255);
        await store.hold('r_1', ADA, { tool: 'reports.list', body }, LIMITS);
        for (const each of [store, sibling]) {
          const found = await each.find('r_1', ADA);
          expect(found?.tool).toBe('reports.list');
          expect(Buffer.compare(found!.body, body)).toBe(0);
        }
      },
      PATIENCE,
    );

    it('gives a result to its holder only', async () => {
      await hold('r_1');
      await hold('r_2', { ...ADA, userId: '', agent: '["reader"]' });
      for (const other of [{ tenantId: 'globex' }, { userId: 'grace' }, { userId: '' }, { agent: '["reader"]' }]) {
        expect(await store.find('r_1', { ...ADA, ...other })).toBeUndefined();
      }
      expect(await store.find('r_2', { ...ADA, userId: '', agent: '["reader"]' })).toBeDefined();
      expect(await held('r_1', 'r_2', 'r_3', '')).toEqual(['r_1']);
    });

    it('forgets a result when its time is over, and removes it', async () => {
      await hold('r_1', ADA, 300_000, { forMs: 1 });
      await hold('r_2');
      while ((await held('r_1')).length > 0) await setTimeout(5);
      expect(await held('r_1', 'r_2')).toEqual(['r_2']);
      expect(await store.sweep(10)).toBe(1);
      expect(await store.sweep(10)).toBe(0);
      expect(await held('r_1', 'r_2')).toEqual(['r_2']);
    });

    it('removes no more than a batch', async () => {
      for (const handle of ['r_1', 'r_2', 'r_3']) await hold(handle, { ...ADA, userId: handle }, 10, { forMs: 1 });
      await setTimeout(20);
      expect([await store.sweep(2), await store.sweep(2), await store.sweep(2)]).toEqual([2, 1, 0]);
    });

    it('keeps the newest results of a holder, and those of others', async () => {
      await hold('other', { ...ADA, userId: 'grace' });
      for (let n = 1; n <= 5; n++) await hold(`r_${n}`);
      expect(await held('r_1', 'r_2', 'r_3', 'r_4', 'r_5')).toEqual(['r_3', 'r_4', 'r_5']);
      expect(await store.find('other', { ...ADA, userId: 'grace' })).toBeDefined();
      await hold('r_6', ADA, 10, { ofHolder: 1 });
      expect(await held('r_3', 'r_4', 'r_5', 'r_6')).toEqual(['r_6']);
    });

    it('keeps the newest bytes of a tenant, and those of others', async () => {
      const bytesOfTenant = 1000;
      await hold('far', { ...ADA, tenantId: 'globex' }, 900);
      await hold('r_1', { ...ADA, userId: 'grace' }, 400, { bytesOfTenant });
      await hold('r_2', ADA, 400, { bytesOfTenant });
      await hold('r_3', ADA, 300, { bytesOfTenant });
      expect(await store.find('r_1', { ...ADA, userId: 'grace' })).toBeUndefined();
      expect(await held('r_2', 'r_3')).toEqual(['r_2', 'r_3']);
      await hold('r_4', ADA, 1000, { bytesOfTenant });
      expect(await held('r_2', 'r_3', 'r_4')).toEqual(['r_4']);
      await hold('r_5', ADA, 1001, { bytesOfTenant });
      expect(await held('r_4', 'r_5')).toEqual(['r_4']);
      expect(await store.find('far', { ...ADA, tenantId: 'globex' })).toBeDefined();
    });

    it(
      'stays within its limits under concurrent writes',
      async () => {
        const handles = Array.from({ length: 8 }, (_, n) => `r_${n}`);
        await Promise.all(
          handles.map((handle, n) =>
            (n % 2 ? store : sibling).hold(handle, ADA, { tool: 'a.b', body: new Uint8Array(300_000) }, LIMITS),
          ),
        );
        await hold('last');
        expect((await held(...handles, 'last')).length).toBeLessThanOrEqual(3);
        expect(await held('last')).toEqual(['last']);
      },
      PATIENCE,
    );
  });
}
