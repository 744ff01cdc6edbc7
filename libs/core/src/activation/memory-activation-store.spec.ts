import { describeActivationStore } from '../testing/contracts/activation/activation-store.contract.js';
import { MemoryActivationStore } from './memory-activation-store.js';

describeActivationStore('MemoryActivationStore', async () => ({
  store: new MemoryActivationStore(),
  close: async () => {},
}));

describe('MemoryActivationStore', () => {
  const session = (scopeId: string) => ({ tenantId: 't', userId: 'u', scope: 'session' as const, scopeId });
  const give = (store: MemoryActivationStore, scopeId: string, now: number) =>
    store.activate(
      session(scopeId),
      [{ tool: 'a.b', reason: 'first_use', tokens: 1 }],
      { tools: 0, tokens: 0 },
      now,
      0,
    );

  it('makes room by forgetting the scope that has been idle longest', async () => {
    const store = new MemoryActivationStore(2);
    await give(store, 'first', 1);
    await give(store, 'second', 2);
    await give(store, 'first', 3);
    await give(store, 'third', 4);

    expect(await store.list(session('second'), 0)).toEqual([]);
    expect(await store.list(session('first'), 0)).toHaveLength(1);
    expect(await store.list(session('third'), 0)).toHaveLength(1);
  });
});
