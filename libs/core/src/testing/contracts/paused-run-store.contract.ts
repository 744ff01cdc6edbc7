/// <reference types="jest" />
import type { PausedRun, PausedRunStore } from '../../toolbox/runs/paused-run-store.js';

const NOW = 1_800_000_000_000;

const paused = (of: Partial<PausedRun> = {}): PausedRun => ({
  tenantId: 'acme',
  userId: 'ada',
  runId: 'r1',
  sessionId: 's1',
  pausedAt: NOW,
  catalogDigest: 'd'.repeat(64),
  controlRevision: 7,
  tools: [
    { name: 'z.z', hash: '1'.repeat(64), state: 'offered' },
    { name: 'a.a', hash: '2'.repeat(64), state: 'activated' },
  ],
  ...of,
});

/**
 * The contract of {@link PausedRunStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it; called once per test
 */
export function describePausedRunStore(
  name: string,
  make: () => Promise<{ store: PausedRunStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the promises of a paused run store`, () => {
    let store: PausedRunStore;
    let made: Awaited<ReturnType<typeof make>>;

    beforeEach(async () => {
      made = await make();
      ({ store } = made);
    }, 300_000);
    afterEach(() => made.close());

    it('gives back exactly what was kept, the order of the tools included', async () => {
      await store.save(paused());
      expect(await store.find(paused())).toEqual(paused());
      const { sessionId: _s, ...bare } = paused({ runId: 'bare', userId: '', tools: [], controlRevision: 0 });
      await store.save(bare);
      expect(await store.find(bare)).toEqual(bare);
    });

    it('keeps what was saved last, whole', async () => {
      await store.save(paused());
      const { sessionId: _s, ...again } = paused({
        pausedAt: NOW + 5,
        controlRevision: 9,
        catalogDigest: 'e',
        tools: [],
      });
      await store.save(again);
      expect(await store.find(again)).toEqual(again);
    });

    it('does not change with what was handed in or out', async () => {
      const tools = [{ name: 'a.a', hash: 'h', state: 'offered' as const }];
      await store.save(paused({ tools }));
      tools.pop();
      const found = await store.find(paused());
      (found?.tools as unknown[] | undefined)?.pop();
      expect((await store.find(paused()))?.tools).toHaveLength(1);
    });

    it('keeps runs apart by tenant, user and id, however these are written', async () => {
      const runs = [
        paused(),
        paused({ tenantId: 'globex' }),
        paused({ userId: 'bob' }),
        paused({ userId: '' }),
        paused({ runId: 'R1' }),
        paused({ runId: 'r1 ' }),
        paused({ runId: "'; DROP TABLE tool_search_paused_runs; --" }),
        paused({ runId: '__proto__' }),
        paused({ runId: '%' }),
        paused({ runId: '\u{1f9f0}é$1?' }),
        paused({ userId: 'a"', runId: ',"b' }),
        paused({ userId: 'a', runId: '","b' }),
        paused({ tenantId: 'x'.repeat(256), userId: 'x'.repeat(256), runId: 'x'.repeat(256) }),
      ].map((run, index) => ({ ...run, catalogDigest: String(index) }));
      for (const run of runs) await store.save(run);
      for (const run of runs) expect(await store.find(run)).toEqual(run);
    });

    it('does not return other runs', async () => {
      expect(await store.find(paused())).toBeUndefined();
      await store.save(paused({ runId: 'r2' }));
      expect(await store.find(paused())).toBeUndefined();
    });

    it('keeps so many runs of a tenant, and forgets those that were paused first', async () => {
      const save = (of: Partial<PausedRun>) => store.save(paused(of), 3);
      await save({ tenantId: 'globex', runId: 'old', pausedAt: NOW - 9 });
      for (let index = 0; index < 3; index += 1) await save({ runId: `r${index}`, pausedAt: NOW + index });
      await save({ runId: 'r0', pausedAt: NOW + 3 }); // not an additional run, and now the newest
      const kept = async () => {
        const found = await Promise.all(['r0', 'r1', 'r2', 'r3'].map((runId) => store.find(paused({ runId }))));
        return found.flatMap((run) => (run ? [run.runId] : []));
      };
      expect(await kept()).toEqual(['r0', 'r1', 'r2']);
      await save({ userId: 'bob', pausedAt: NOW + 4 });
      expect(await kept()).toEqual(['r0', 'r2']);
      await save({ runId: 'r3', pausedAt: NOW + 5 });
      expect(await kept()).toEqual(['r0', 'r3']);
      expect(await store.find(paused({ userId: 'bob' }))).toBeDefined();
      expect(await store.find(paused({ tenantId: 'globex', runId: 'old' }))).toBeDefined();
    });

    it('keeps one whole record of many that are saved at once', async () => {
      const saved = Array.from({ length: 50 }, (_, index) =>
        paused({
          catalogDigest: String(index),
          tools: [{ name: `t.${index}`, hash: String(index), state: 'offered' }],
        }),
      );
      await Promise.all(saved.map((run) => store.save(run)));
      const found = await store.find(paused());
      expect(saved).toContainEqual(found);
    });

    it('sweeps what was paused before a time, in batches', async () => {
      for (let index = 0; index < 25; index += 1) await store.save(paused({ runId: `old${index}`, pausedAt: NOW - 1 }));
      await store.save(paused({ runId: 'edge' }));
      await store.save(paused({ runId: 'old0', pausedAt: NOW + 1 }));
      const swept = [];
      for (let round = 0; round < 4; round += 1) swept.push(await store.sweep(NOW, 10));
      expect(swept).toEqual([10, 10, 4, 0]);
      expect(await store.find(paused({ runId: 'edge' }))).toBeDefined();
      expect(await store.find(paused({ runId: 'old0' }))).toBeDefined();
      expect(await store.find(paused({ runId: 'old1' }))).toBeUndefined();
    });

    it('loses no pause to a sweep that runs beside it', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
      await Promise.all(ids.map((runId) => store.save(paused({ runId, pausedAt: NOW - 1 }))));
      await Promise.all([
        ...Array.from({ length: 6 }, () => store.sweep(NOW, 20)),
        ...ids.filter((_, index) => index % 2).map((runId) => store.save(paused({ runId, pausedAt: NOW + 1 }))),
      ]);
      for (const runId of ids.filter((_, index) => index % 2)) {
        expect(await store.find(paused({ runId }))).toMatchObject({ pausedAt: NOW + 1 });
      }
    });
  });
}
