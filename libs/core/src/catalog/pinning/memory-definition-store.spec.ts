import { describeDefinitionStore } from '../../testing/contracts/definition-store.contract.js';
import { MemoryDefinitionStore } from './memory-definition-store.js';

describeDefinitionStore('MemoryDefinitionStore', async () => ({
  store: new MemoryDefinitionStore(),
  close: async () => {},
}));

it('forgets the sources that were not asked for the longest, once there are too many', async () => {
  const store = new MemoryDefinitionStore(2);
  const keyOf = (source: string) => ({ owner: '', source });
  await store.register(keyOf('a'), []);
  await store.register(keyOf('b'), []);
  await store.pins(keyOf('a'));
  await store.register(keyOf('c'), []);
  const remembered = await Promise.all(
    ['a', 'b', 'c'].map(async (source) => (await store.pins(keyOf(source))) !== undefined),
  );
  expect(remembered).toEqual([true, false, true]);
});
