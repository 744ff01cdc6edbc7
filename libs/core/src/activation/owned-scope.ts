import type { ActivationScope, ActivationStore } from './activation-store.js';

/** A scope, with the lifetime and the place of its activations. */
export interface OwnedScope extends ActivationScope {
  /** The run has no id from the caller: it lasts one request, and its activations are kept in memory only. */
  readonly ephemeral: boolean;
  /** Store of its activations, when it is not one of the shared ones. */
  readonly store?: ActivationStore;
}
