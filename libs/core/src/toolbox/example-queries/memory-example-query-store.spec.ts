import { describeExampleQueryStore } from '../../testing/contracts/example-query-store.contract.js';
import { MemoryExampleQueryStore } from './memory-example-query-store.js';

describeExampleQueryStore('MemoryExampleQueryStore', async () => ({
  store: new MemoryExampleQueryStore(),
  close: async () => {},
}));
