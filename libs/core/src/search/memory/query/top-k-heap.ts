const INITIAL = 2_048;

/** Keeps the best slots and returns them best first, on demand: two arrays, first a list, then a heap, reused. */
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

  /** Number of slots that are left; at least the limit if as many were added. */
  get size(): number {
    return this.#size;
  }

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

/** The `nth` largest (from 1) of the first `count` values (quickselect). Reorders the values. */
export function nthLargest(values: Float64Array, count: number, nth: number): number {
  const wanted = nth - 1;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) > pivot) left += 1;
      while ((values[right] ?? 0) < pivot) right -= 1;
      if (left > right) break;
      const value = values[left] ?? 0;
      values[left++] = values[right] ?? 0;
      values[right--] = value;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted] ?? 0;
}
