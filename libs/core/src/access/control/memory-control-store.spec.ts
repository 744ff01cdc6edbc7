import { describeControlStore } from '../../testing/contracts/access/control-store.contract.js';
import { MemoryControlStore } from './memory-control-store.js';

describeControlStore('MemoryControlStore', async () => ({
  store: new MemoryControlStore(),
  close: async () => {},
}));
