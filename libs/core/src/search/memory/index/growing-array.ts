import type { TimeSlicer } from '../../../async/time-slicer.js';

const CHUNK_BITS = 13;
const CHUNK = 1 << CHUNK_BITS;
/** Initial capacity, for a few tools: many tenants have no more. */
const FIRST = 256;

/** A growing list of 32-bit unsigned integers, 4 bytes each. Growing copies its content only while it is small. */
export class GrowingArray {
  #last = new Uint32Array(FIRST);
  readonly #chunks = [this.#last];
  #used = 0;

  get length(): number {
    return (this.#chunks.length - 1) * CHUNK + this.#used;
  }

  push(value: number): void {
    if (this.#used === this.#last.length) this.#grow();
    this.#last[this.#used++] = value;
  }

  #grow(): void {
    if (this.#used === CHUNK) {
      this.#last = new Uint32Array(CHUNK);
      this.#chunks.push(this.#last);
      this.#used = 0;
      return;
    }
    const small = this.#last;
    this.#last = new Uint32Array(2 * small.length);
    this.#last.set(small);
    this.#chunks[0] = this.#last;
  }

  /** The number at a position; 0 beyond the end. */
  at(position: number): number {
    return this.#chunks[position >>> CHUNK_BITS]?.[position & (CHUNK - 1)] ?? 0;
  }

  /** A copy of the numbers pushed so far. */
  async toArray(slices: TimeSlicer): Promise<Uint32Array> {
    const items = new Uint32Array(this.length);
    for (const [index, chunk] of this.#chunks.entries()) {
      items.set(chunk === this.#last ? chunk.subarray(0, this.#used) : chunk, index * CHUNK);
      if (slices.due) await slices.pause();
    }
    return items;
  }
}
