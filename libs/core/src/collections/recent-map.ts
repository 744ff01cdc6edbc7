import { ownText } from './own-text.js';

/**
 * A bounded cache of recently used texts. It holds at most `2 × size` entries in two generations; the older generation
 * is dropped when the younger one is full. Cheaper per lookup than an exact LRU, for pure functions that are called
 * millions of times. Its keys are copies, so that a word keeps no description in memory.
 */
export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(private readonly size: number) {}

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(ownText(key), value);
  }
}
