const CHUNK = 8_192;

/** A list of whole numbers up to 2^32 that takes 4 bytes each, and never copies what it holds in order to grow. */
export class GrowingArray {
  readonly #full: Uint32Array[] = [];
  #last = new Uint32Array(CHUNK);
  #used = 0;

  get length(): number {
    return this.#full.length * CHUNK + this.#used;
  }

  push(value: number): void {
    if (this.#used === CHUNK) {
      this.#full.push(this.#last);
      this.#last = new Uint32Array(CHUNK);
      this.#used = 0;
    }
    this.#last[this.#used++] = value;
  }

  /** A copy of the numbers pushed so far. */
  toArray(): Uint32Array {
    const items = new Uint32Array(this.length);
    for (const [index, chunk] of this.#full.entries()) items.set(chunk, index * CHUNK);
    items.set(this.#last.subarray(0, this.#used), this.#full.length * CHUNK);
    return items;
  }
}
