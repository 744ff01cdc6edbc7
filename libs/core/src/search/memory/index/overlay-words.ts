import type { Lexicon, Words } from './lexicon.js';
import { corrections } from '../query/spelling.js';

/**
 * The words of the shared tools, followed by those that only the own tools of a tenant or a request have. The own words
 * are never added to the shared lexicon, and words added to the shared lexicon later are not visible here.
 */
export class OverlayWords implements Words {
  readonly size: number;
  readonly spelling: Words['spelling'];
  readonly #first: number;

  constructor(
    private readonly shared: Lexicon,
    private readonly own: Lexicon,
  ) {
    this.#first = shared.size;
    this.size = shared.size + own.size;
    this.spelling = {
      correctionsOf: (word, rarityOf) => corrections(word, this, (distance) => this.#near(word, distance), rarityOf),
    };
  }

  find(term: string): number | undefined {
    const known = this.shared.find(term);
    if (known !== undefined && known < this.#first) return known;
    const own = this.own.find(term);
    return own === undefined ? undefined : this.#first + own;
  }

  termOf(id: number): string {
    return id < this.#first ? this.shared.termOf(id) : this.own.termOf(id - this.#first);
  }

  /** Converts the number of a term among the own words. */
  numberOf(own: number): number {
    return this.find(this.own.termOf(own)) ?? this.#first + own;
  }

  #near(word: string, distance: number): readonly number[] {
    const shared = this.shared.spelling.near(word, distance).filter((id) => id < this.#first);
    const own = this.own.spelling.near(word, distance).map((id) => this.numberOf(id));
    return [...shared, ...own.filter((id) => id >= this.#first)];
  }
}
