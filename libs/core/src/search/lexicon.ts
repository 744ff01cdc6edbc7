/** Numbers the terms of an index, from 1. It only grows, so that all snapshots of an index can share it. */
export class Lexicon {
  readonly #ids = new Map<string, number>();

  /** One more than the largest number in use. */
  get size(): number {
    return this.#ids.size + 1;
  }

  /** The number of a term, given to it now if it has none. */
  add(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#ids.size + 1;
    this.#ids.set(term, id);
    return id;
  }

  /** The number of a term, undefined if no tool ever had it. */
  find(term: string): number | undefined {
    return this.#ids.get(term);
  }
}
