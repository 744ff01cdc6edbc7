import { describeMessageActivations } from '../../testing/contracts/activation/message-activations.contract.js';
import { MemoryActivationStore } from '../memory-activation-store.js';

describeMessageActivations('MemoryActivationStore', async () => ({
  store: new MemoryActivationStore(),
  close: async () => {},
}));
