import { describeTokenLedgerStore } from '../../testing/contracts/token-ledger-store.contract.js';
import { MemoryTokenLedgerStore } from './memory-token-ledger-store.js';

describeTokenLedgerStore('MemoryTokenLedgerStore', async () => ({
  store: new MemoryTokenLedgerStore(),
  close: async () => {},
}));
