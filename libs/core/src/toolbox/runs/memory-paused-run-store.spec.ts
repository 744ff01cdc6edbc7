import { describePausedRunStore } from '../../testing/contracts/paused-run-store.contract.js';
import { MemoryPausedRunStore } from './memory-paused-run-store.js';

describePausedRunStore('MemoryPausedRunStore', async () => ({
  store: new MemoryPausedRunStore(),
  close: async () => {},
}));

describe('MemoryPausedRunStore', () => {
  it('takes room from the tenant that holds most, its oldest first', async () => {
    const store = new MemoryPausedRunStore(3);
    const run = (tenantId: string, runId: string) => ({ tenantId, userId: '', runId });
    const pause = (tenantId: string, runId: string) =>
      store.save({ ...run(tenantId, runId), pausedAt: 1, catalogDigest: '', controlRevision: 0, tools: [] });
    await pause('globex', '1');
    for (const runId of ['1', '2', '1', '3']) await pause('acme', runId);
    expect(await store.find(run('globex', '1'))).toBeDefined();
    expect(await store.find(run('acme', '2'))).toBeUndefined();
    expect(await store.find(run('acme', '1'))).toBeDefined();
    expect(await store.find(run('acme', '3'))).toBeDefined();
  });
});
