import { nthLargest } from './nth-largest.js';

const INITIAL = 2_048;

/**
 * Keeps the best scored slots and returns them best first, on demand. Equal scores are in a given order. Two arrays,
 * first a list and then a heap, reused by one query after the other.
 */
export class TopKHeap {
  #slots = new Int32Array(INITIAL);
  #scores = new Float64Array(INITIAL);
  #sample = new Float64Array(INITIAL);
  #size = 0;
  #limit = 0;
  // Number of slots at which the surplus ones are dropped.
  #capacity = 0;
  #isBefore: (slot: number, other: number) => boolean = () => false;

  /** The score of the slot that was taken last. */
  score = 0;

  /** Slots with a lower score need not be added any more. */
  floor = 0;

  /** Resets the object and releases the previous slots; at most `limit` slots can be taken. */
  clear(limit: number): void {
    this.#isBefore = () => false;
    this.#size = 0;
    this.#limit = limit;
    this.#capacity = 4 * limit;
    this.floor = 0;
  }

  /** Adds a slot. Returns the new floor. */
  add(slot: number, score: number): number {
    if (this.#size === this.#slots.length) this.#grow();
    this.#slots[this.#size] = slot;
    this.#scores[this.#size++] = score;
    if (this.#size >= this.#capacity) this.#drop();
    return this.floor;
  }

  /** Orders the added slots; none can be added afterwards. */
  order(isBefore: (slot: number, other: number) => boolean): this {
    this.#isBefore = isBefore;
    if (this.#size > this.#limit) this.#drop();
    for (let position = (this.#size >> 1) - 1; position >= 0; position--) {
      this.#sink(position, this.#slots[position] ?? 0, this.#scores[position] ?? 0);
    }
    return this;
  }

  /** Removes and returns the best remaining slot; undefined if there is none. */
  take(): number | undefined {
    if (this.#limit === 0 || this.#size === 0) return undefined;
    const slot = this.#slots[0];
    this.score = this.#scores[0] ?? 0;
    this.#limit -= 1;
    this.#size -= 1;
    this.#sink(0, this.#slots[this.#size] ?? 0, this.#scores[this.#size] ?? 0);
    return slot;
  }

  /** Drops the slots that are worse than the last one that can be taken; ties with it stay. */
  #drop(): void {
    const slots = this.#slots;
    const scores = this.#scores;
    if (this.#sample.length < this.#size) this.#sample = new Float64Array(slots.length);
    for (let i = 0; i < this.#size; i++) this.#sample[i] = scores[i] ?? 0;
    this.floor = this.#limit === 0 ? Infinity : nthLargest(this.#sample, this.#size, this.#limit);
    let kept = 0;
    for (let i = 0; i < this.#size; i++) {
      const score = scores[i] ?? 0;
      if (score < this.floor) continue;
      slots[kept] = slots[i] ?? 0;
      scores[kept++] = score;
    }
    this.#size = kept;
    this.#capacity = Math.max(this.#capacity, 2 * kept);
  }

  #sink(start: number, slot: number, score: number): void {
    const slots = this.#slots;
    const scores = this.#scores;
    const size = this.#size;
    let position = start;
    for (let child = 2 * position + 1; child < size; child = 2 * position + 1) {
      let best = scores[child] ?? 0;
      if (child + 1 < size) {
        const other = scores[child + 1] ?? 0;
        if (other > best || (other === best && this.#isBefore(slots[child + 1] ?? 0, slots[child] ?? 0))) {
          child += 1;
          best = other;
        }
      }
      if (score > best || (score === best && this.#isBefore(slot, slots[child] ?? 0))) break;
      slots[position] = slots[child] ?? 0;
      scores[position] = best;
      position = child;
    }
    slots[position] = slot;
    scores[position] = score;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#size);
    const scores = new Float64Array(2 * this.#size);
    slots.set(this.#slots);
    scores.set(this.#scores);
    this.#slots = slots;
    this.#scores = scores;
  }
}
