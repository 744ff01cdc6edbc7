export interface ScoredTool {
  readonly id: number;
  readonly score: number;
}

/**
 * Keeps the tools with the highest scores. Equal scores are ordered by `isBefore`, which should not depend on the rest
 * of the catalog.
 */
export class BestHits {
  // A heap in two arrays, with the worst kept tool at the root.
  readonly #ids: Int32Array;
  readonly #scores: Float64Array;
  #size = 0;

  /** @param isBefore whether the first of two tools with equal scores ranks first */
  constructor(
    private readonly limit: number,
    private readonly isBefore: (id: number, other: number) => boolean,
  ) {
    this.#ids = new Int32Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** A tool with a score below this is not kept; minus infinity while there is room. */
  get floor(): number {
    return this.#size < this.limit ? -Infinity : (this.#scores[0] ?? Infinity);
  }

  offer(id: number, score: number): void {
    if (this.#size < this.limit) this.#rise(this.#size++, id, score);
    else if (this.#size > 0 && this.#isBetter(id, score, 0)) this.#sink(id, score, this.#size);
  }

  /** The kept tools, best first. No tool can be offered afterwards. */
  sorted(): ScoredTool[] {
    // Heap sort: the worst tool of the remaining heap moves behind it.
    for (let size = this.#size - 1; size > 0; size--) {
      const [id, score] = [this.#id(size), this.#score(size)];
      this.#put(size, this.#id(0), this.#score(0));
      this.#sink(id, score, size);
    }
    const hits: ScoredTool[] = [];
    for (let position = 0; position < this.#size; position++) {
      hits.push({ id: this.#id(position), score: this.#score(position) });
    }
    return hits;
  }

  #isBetter(id: number, score: number, position: number): boolean {
    const other = this.#score(position);
    return score === other ? this.isBefore(id, this.#id(position)) : score > other;
  }

  #rise(start: number, id: number, score: number): void {
    let position = start;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      // A worse parent stays above.
      if (this.#isBetter(id, score, parent)) break;
      this.#put(position, this.#id(parent), this.#score(parent));
      position = parent;
    }
    this.#put(position, id, score);
  }

  #sink(id: number, score: number, size: number): void {
    let position = 0;
    for (let child = 1; child < size; child = 2 * position + 1) {
      const sibling = child + 1;
      if (sibling < size && this.#isBetter(this.#id(child), this.#score(child), sibling)) child = sibling;
      if (!this.#isBetter(id, score, child)) break;
      this.#put(position, this.#id(child), this.#score(child));
      position = child;
    }
    this.#put(position, id, score);
  }

  #put(position: number, id: number, score: number): void {
    this.#ids[position] = id;
    this.#scores[position] = score;
  }

  #id(position: number): number {
    return this.#ids[position] ?? 0;
  }

  #score(position: number): number {
    return this.#scores[position] ?? 0;
  }
}
