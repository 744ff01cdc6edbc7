import { describeHeldResultStore } from '../../../testing/contracts/held-result-store.contract.js';
import { MemoryHeldResultStore } from './memory-held-result-store.js';

describeHeldResultStore('MemoryHeldResultStore', async () => {
  const store = new MemoryHeldResultStore();
  return { store, sibling: store, close: async () => {} };
});

it('when the memory is full, the tenant with the most bytes loses its oldest result', async () => {
  const store = new MemoryHeldResultStore(1000);
  const limits = { forMs: 1000, ofHolder: 10, bytesOfTenant: 1000 };
  const hold = (tenantId: string, handle: string, bytes: number) =>
    store.hold(handle, { tenantId, userId: '', agent: '' }, { tool: 'a.b', body: new Uint8Array(bytes) }, limits);
  await hold('small', 's', 300);
  await hold('large', 'l1', 400);
  await hold('large', 'l2', 300);
  await hold('small', 's2', 100);
  const found = async (tenantId: string, handle: string) =>
    (await store.find(handle, { tenantId, userId: '', agent: '' })) !== undefined;
  expect(
    await Promise.all([found('small', 's'), found('small', 's2'), found('large', 'l1'), found('large', 'l2')]),
  ).toEqual([true, true, false, true]);
});
