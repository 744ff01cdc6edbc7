import { FOREIGN_WORDS } from './foreign-words.js';
import { WORD_CLASSES } from './word-classes.js';

export type WordClass = keyof typeof WORD_CLASSES;

const IDEOGRAPHS = /^[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff]+$/;
const SHORTEST_STEM = 2;

/** Maps a word to the numbers of its word classes and of the literal words in rules that it matches. */
export class Lexicon {
  readonly #exact = new Map<string, Set<number>>();
  readonly #stems = new Map<string, Set<number>>();
  readonly #ideographs = new Map<string, Set<number>>();
  readonly #numbers = new Map<string, number>();
  /** Lengths of the stems by their first two letters, longest first. Most words have no entry. */
  readonly #stemLengths = new Map<string, number[]>();
  #longestIdeograph = 0;

  constructor() {
    for (const [name, words] of Object.entries(WORD_CLASSES)) {
      const number = this.#number(name);
      for (const word of listed(words, FOREIGN_WORDS[name as WordClass])) this.#add(word, number);
    }
  }

  /** Number of a class (upper case) or of a literal word (lower case, `*` ends a stem); a new literal word is added. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    if (/^[A-Z]+$/.test(name)) throw new Error(`No class of words is called ${name}.`);
    const number = this.#number(name);
    this.#add(name, number);
    return number;
  }

  /** Numbers of a folded word; undefined if no rule contains it. */
  numbersOf(word: string): ReadonlySet<number> | undefined {
    let found = this.#exact.get(word);
    for (const length of this.#stemLengths.get(word.slice(0, SHORTEST_STEM)) ?? []) {
      const stem = length > word.length ? undefined : this.#stems.get(word.slice(0, length));
      if (stem) found = found ? new Set([...found, ...stem]) : stem;
    }
    return found;
  }

  isWord(letters: string): boolean {
    return this.#exact.has(letters) || this.#stems.has(letters);
  }

  /** Whether the letters are a word or a stem of a rule, or a stem and one more letter. */
  isExact(letters: string): boolean {
    return this.#exact.has(letters) || this.#stems.has(letters.slice(0, -1)) || this.#stems.has(letters);
  }

  /** The longest known word at a position of a text in a script without spaces. */
  ideographsAt(
    text: string,
    start: number,
  ): { readonly numbers: ReadonlySet<number>; readonly length: number } | undefined {
    for (let length = Math.min(text.length - start, this.#longestIdeograph); length > 0; length -= 1) {
      const numbers = this.#ideographs.get(text.slice(start, start + length));
      if (numbers) return { numbers, length };
    }
    return undefined;
  }

  #addLength(stem: string): void {
    const start = stem.slice(0, SHORTEST_STEM);
    const lengths = new Set(this.#stemLengths.get(start)).add(stem.length);
    this.#stemLengths.set(
      start,
      [...lengths].sort((left, right) => right - left),
    );
  }

  #number(name: string): number {
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  #add(entry: string, number: number): void {
    const stem = entry.endsWith('*');
    const word = stem ? entry.slice(0, -1) : entry;
    const map = IDEOGRAPHS.test(word) ? this.#ideographs : stem ? this.#stems : this.#exact;
    const numbers = map.get(word) ?? new Set();
    map.set(word, numbers.add(number));
    if (map === this.#stems) this.#addLength(word);
    if (map === this.#ideographs) this.#longestIdeograph = Math.max(this.#longestIdeograph, word.length);
  }
}

function listed(...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text = '') => text.split(/\s+/).filter((word) => word !== ''));
}
