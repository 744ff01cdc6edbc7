import type { ActivationScope, ActivationStore } from './activation-store.js';

/** A scope that knows whether anybody could name it again. */
export interface OwnedScope extends ActivationScope {
  /** The run has no id of its own: it lasts one request, and its activations are kept in memory only. */
  readonly ephemeral: boolean;
  /** Where its activations are, if they are kept nowhere else. */
  readonly store?: ActivationStore;
}
