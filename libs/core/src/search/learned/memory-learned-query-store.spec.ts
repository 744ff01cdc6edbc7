import { describeLearnedQueryStore } from '../../testing/contracts/learned-query-store.contract.js';
import { MemoryLearnedQueryStore } from './memory-learned-query-store.js';

describeLearnedQueryStore('MemoryLearnedQueryStore', async () => ({
  store: new MemoryLearnedQueryStore(),
  close: async () => {},
}));
