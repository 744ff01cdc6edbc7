import { MemorySearchCache } from './memory-search-cache.js';
import { describeSearchCache } from '../contracts/search-cache.contract.js';

describeSearchCache('MemorySearchCache', async () => {
  const cache = new MemorySearchCache();
  return { cache, sibling: cache, close: async () => {} };
});
