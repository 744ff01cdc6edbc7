import { describeSearchGapStore } from '../../testing/contracts/search-gap-store.contract.js';
import { MemorySearchGapStore } from './memory-search-gap-store.js';

describeSearchGapStore('MemorySearchGapStore', async () => ({
  store: new MemorySearchGapStore(),
  close: async () => {},
}));
