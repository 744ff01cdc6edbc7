import { Spelling } from '../query/spelling.js';

export interface Words {
  /** One more than the largest number in use. */
  readonly size: number;
  /** The number of a term; undefined if no tool ever had it. */
  find(term: string): number | undefined;
  /** The term with this number; empty if there is none. */
  termOf(id: number): string;
  readonly spelling: Pick<Spelling, 'correctionsOf'>;
}

/** Numbers the terms of an index, from 1. It only grows, so that all states of an index can share it. */
export class Lexicon implements Words {
  readonly #ids = new Map<string, number>();
  readonly #terms = [''];
  readonly spelling = new Spelling(this);

  get size(): number {
    return this.#terms.length;
  }

  add(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#terms.length;
    this.#ids.set(term, id);
    this.#terms.push(term);
    return id;
  }

  find(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string {
    return this.#terms[id] ?? '';
  }
}
