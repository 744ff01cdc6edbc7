import { describeToolCallStore } from '../../testing/contracts/tool-call-store.contract.js';
import type { CallRecord } from './call-record.js';
import { MemoryToolCallStore } from './memory-tool-call-store.js';

describeToolCallStore('MemoryToolCallStore', async () => ({
  store: new MemoryToolCallStore(),
  close: async () => {},
}));

describe('a record in memory that is full', () => {
  const recordOf = (tenantId: string, n: number) => ({ id: `${n}`.padStart(6, '0'), at: n, tenantId }) as CallRecord;

  it('loses the oldest records of the tenants with the most', async () => {
    const store = new MemoryToolCallStore(100);
    await store.add([recordOf('globex', 0), recordOf('globex', 1)]);
    for (let n = 2; n < 1000; n += 1) await store.add([recordOf('acme', n)]);
    const kept = await store.list({}, { limit: 1000 });
    expect(kept.length).toBeLessThanOrEqual(110);
    expect(kept.filter(({ tenantId }) => tenantId === 'globex').map(({ at }) => at)).toEqual([1, 0]);
    expect(kept.slice(0, 98).map(({ at }) => at)).toEqual(Array.from({ length: 98 }, (_, n) => 999 - n));
    // It was forgotten, so it is not taken for one that is there already.
    await store.add([recordOf('acme', 2)]);
    expect((await store.list({}, { limit: 1, oldestFirst: true, after: '000001' }))[0]?.at).toBe(2);
  });

  it('loses the oldest of all where there are more tenants than records', async () => {
    const store = new MemoryToolCallStore(10);
    for (let n = 0; n < 100; n += 1) await store.add([recordOf(`tenant ${n}`, n)]);
    expect((await store.list({}, { limit: 10 })).map(({ at }) => at)).toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
  });
});
