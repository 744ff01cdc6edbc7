import { ControlPlane, ToolEvents } from '@tool-search/core';
import { MemoryControlStore } from '@tool-search/core/internal';
import { UsedConfirmations } from './used-confirmations.js';
import { CONTROL_KINDS } from '@tool-search/core/operators';

it('leaves room for the other users of a tenant', async () => {
  const used = new UsedConfirmations(
    new ControlPlane(new MemoryControlStore(), CONTROL_KINDS, new ToolEvents()),
    600_000,
  );
  const claims = (userId: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => used.claim(`${userId} ${n}`, { tenantId: 'acme', userId })));
  expect((await claims('ann', 1001)).filter((isFirst) => isFirst)).toHaveLength(1000);
  expect(await claims('bob', 1)).toEqual([true]);
});
