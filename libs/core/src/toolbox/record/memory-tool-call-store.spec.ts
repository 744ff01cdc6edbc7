import { describeToolCallStore } from '../../testing/contracts/tool-call-store.contract.js';
import { MemoryToolCallStore } from './memory-tool-call-store.js';

describeToolCallStore('MemoryToolCallStore', async () => ({
  store: new MemoryToolCallStore(),
  close: async () => {},
}));
