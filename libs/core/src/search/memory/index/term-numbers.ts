const EMPTY = 0;

/** A map from terms to numbers in two flat arrays: a few bytes per entry, and no garbage to collect. */
export class TermNumbers {
  #keys = new Uint32Array(64);
  #values = new Float64Array(64);
  #size = 0;

  /** The number of a term; undefined if it has none. */
  get(term: number): number | undefined {
    const position = this.#positionOf(term + 1);
    return this.#keys[position] === EMPTY ? undefined : this.#values[position];
  }

  set(term: number, value: number): void {
    if (2 * this.#size >= this.#keys.length) this.#grow();
    const position = this.#positionOf(term + 1);
    if (this.#keys[position] === EMPTY) this.#size += 1;
    this.#keys[position] = term + 1;
    this.#values[position] = value;
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#values.byteLength;
  }

  // Position of a key, or the free position for it. At least half of the positions are free.
  #positionOf(key: number): number {
    const mask = this.#keys.length - 1;
    let position = (Math.imul(key, 0x9e37_79b1) >>> 7) & mask;
    for (let found = this.#keys[position]; found !== EMPTY && found !== key; found = this.#keys[position]) {
      position = (position + 1) & mask;
    }
    return position;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#values = new Float64Array(2 * keys.length);
    this.#size = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? EMPTY;
      if (key !== EMPTY) this.set(key - 1, values[i] ?? 0);
    }
  }
}
