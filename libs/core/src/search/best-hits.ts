import type { CatalogSnapshot } from '../tool/catalog-snapshot.js';

/** A tool with its score. */
export interface ScoredTool {
  readonly id: number;
  readonly score: number;
}

/**
 * Keeps the best tools it was offered. Higher scores come first, then the smaller canonical name in code unit order, then the
 * smaller dense id: an order that does not depend on what else is in the catalog.
 */
export class BestHits {
  // A heap in two columns, with the worst kept tool at the root.
  readonly #ids: number[] = [];
  readonly #scores: number[] = [];

  constructor(
    private readonly snapshot: CatalogSnapshot,
    private readonly limit: number,
  ) {}

  offer(id: number, score: number): void {
    const size = this.#ids.length;
    if (size < this.limit) {
      this.#ids.push(id);
      this.#scores.push(score);
      this.#rise(size, id, score);
    } else if (size > 0 && this.#isBetter(id, score, 0)) {
      this.#sink(id, score);
    }
  }

  /** The kept tools, best first. */
  sorted(): ScoredTool[] {
    const order = this.#ids.map((_, position) => position);
    order.sort((a, b) => (this.#isBetter(this.#id(a), this.#score(a), b) ? -1 : 1));
    return order.map((position) => ({ id: this.#id(position), score: this.#score(position) }));
  }

  #isBetter(id: number, score: number, position: number): boolean {
    const other = this.#score(position);
    if (score !== other) return score > other;
    const otherId = this.#id(position);
    const [name, otherName] = [this.snapshot.at(id).name, this.snapshot.at(otherId).name];
    return name === otherName ? id < otherId : name < otherName;
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

  #sink(id: number, score: number): void {
    const size = this.#ids.length;
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
