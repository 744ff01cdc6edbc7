/**
 * A bounded map that forgets its least recently used entries. The bound is a number of entries or, with `weightOf`, a sum
 * of weights; an entry that alone weighs more than the bound is not kept. A weight is read once, when the entry is set.
 */
export class LruMap<V> {
  // A Map iterates in the order of insertion, so an entry that is inserted again at each use makes the first one the oldest.
  readonly #entries = new Map<string, { readonly value: V; readonly weight: number }>();
  #weight = 0;

  constructor(
    private readonly max: number,
    private readonly weightOf: (value: V, key: string) => number = () => 1,
  ) {}

  /** The value, which then is the most recently used one. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** The value, without counting as a use. */
  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets an entry and makes it the most recently used one. */
  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.weightOf(value, key);
    if (weight > this.max) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.max) return;
      this.delete(oldest);
    }
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#weight -= entry.weight;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
