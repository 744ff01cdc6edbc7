import { describeUserCredentialStore } from '../../testing/contracts/access/user-credential-store.contract.js';
import { MemoryUserCredentialStore } from './memory-user-credential-store.js';

describeUserCredentialStore('MemoryUserCredentialStore', async () => {
  const store = new MemoryUserCredentialStore();
  return { store, sibling: store, close: async () => {} };
});
