import fc from 'fast-check';
import { BatchedCounts } from './batched-counts.js';

interface Entry {
  readonly tenantId: string;
  readonly key: string;
  readonly count: number;
}

function batched(write: (entries: readonly Entry[]) => Promise<void>, max?: number) {
  const faults: unknown[] = [];
  const counts = new BatchedCounts<Entry>({
    keyOf: ({ key }) => key,
    merge: (left, right) => ({ ...left, count: left.count + right.count }),
    write,
    onFault: (error) => faults.push(error),
    ...(max !== undefined && { max }),
  });
  return { counts, faults };
}

describe('BatchedCounts', () => {
  it('merges what has one key, and keeps tenants apart', async () => {
    const written: Entry[] = [];
    const { counts } = batched(async (entries) => void written.push(...entries));
    for (const tenantId of ['acme', 'acme', 'globex']) counts.add({ tenantId, key: 'k', count: 2 });
    await counts.flush();
    await counts.flush();
    expect(written).toEqual([
      { tenantId: 'acme', key: 'k', count: 4 },
      { tenantId: 'globex', key: 'k', count: 2 },
    ]);
  });

  it('loses and duplicates no count, for any order of failing writes and new counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() }), { maxLength: 40 }),
        async (steps) => {
          const total: Record<string, number> = {};
          let isDown = false;
          const { counts, faults } = batched(async (entries) => {
            await Promise.resolve();
            if (isDown) throw new Error('down');
            for (const { key, count } of entries) total[key] = (total[key] ?? 0) + count;
          });
          const flushes = steps.map(({ key, fails }) => {
            counts.add({ tenantId: 'acme', key, count: 1 });
            isDown = fails;
            return counts.flush();
          });
          await Promise.all(flushes);
          isDown = false;
          await counts.stop();
          for (const key of ['a', 'b', 'c']) {
            expect(total[key] ?? 0).toBe(steps.filter((step) => step.key === key).length);
          }
          expect(faults.every((fault) => (fault as Error).message === 'down')).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('stays within its bound while the store is down, and drops counts of the largest tenant first', async () => {
    let written: readonly Entry[] = [];
    const { counts } = batched(async (entries) => void (written = entries), 10);
    counts.add({ tenantId: 'small', key: 'k', count: 1 });
    for (let key = 0; key < 50; key++) counts.add({ tenantId: 'large', key: `${key}`, count: 1 });
    await counts.flush();
    expect(written).toHaveLength(10);
    expect(written.filter(({ tenantId }) => tenantId === 'small')).toHaveLength(1);
  });

  it('writes by itself, and for the last time when it stops', async () => {
    jest.useFakeTimers();
    const written: Entry[] = [];
    const { counts } = batched(async (entries) => void written.push(...entries));
    const before = jest.fn();
    counts.start(5000, before);
    counts.add({ tenantId: 'acme', key: 'k', count: 1 });
    await jest.advanceTimersByTimeAsync(5000);
    expect([written.length, before.mock.calls.length]).toEqual([1, 1]);
    counts.add({ tenantId: 'acme', key: 'k', count: 1 });
    await counts.stop();
    await jest.advanceTimersByTimeAsync(20_000);
    expect([written.length, before.mock.calls.length]).toEqual([2, 1]);
    jest.useRealTimers();
  });
});
