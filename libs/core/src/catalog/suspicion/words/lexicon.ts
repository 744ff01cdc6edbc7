import { FOREIGN_WORDS } from './foreign-words.js';
import { WORD_CLASSES } from './word-classes.js';

/** A concept that rules are made of. */
export type WordClass = keyof typeof WORD_CLASSES;

const IDEOGRAPHS = /^[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff]+$/;
const SHORTEST_STEM = 2;

/** Which numbers (classes of words, or literal words of rules) a word stands for. */
export class Lexicon {
  readonly #exact = new Map<string, Set<number>>();
  readonly #stems = new Map<string, Set<number>>();
  readonly #ideographs = new Map<string, Set<number>>();
  readonly #numbers = new Map<string, number>();
  /** Lengths of the stems that begin with two letters, the longest first: most words begin like none. */
  readonly #stemLengths = new Map<string, number[]>();
  #longestIdeograph = 0;

  constructor() {
    for (const [name, words] of Object.entries(WORD_CLASSES)) {
      const number = this.#number(name);
      for (const word of listed(words, FOREIGN_WORDS[name as WordClass])) this.#add(word, number);
    }
  }

  /** Number of a class (upper case) or of a literal word (lower case, `*` ends a stem), which is added if it is new. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    if (/^[A-Z]+$/.test(name)) throw new Error(`No class of words is called ${name}.`);
    const number = this.#number(name);
    this.#add(name, number);
    return number;
  }

  /** Numbers of a folded word, or undefined when no rule speaks of it. */
  numbersOf(word: string): ReadonlySet<number> | undefined {
    let found = this.#exact.get(word);
    for (const length of this.#stemLengths.get(word.slice(0, SHORTEST_STEM)) ?? []) {
      const stem = length > word.length ? undefined : this.#stems.get(word.slice(0, length));
      if (stem) found = found ? new Set([...found, ...stem]) : stem;
    }
    return found;
  }

  /** Whether some letters are a word of a rule as they stand. */
  isWord(letters: string): boolean {
    return this.#exact.has(letters) || this.#stems.has(letters);
  }

  /** Whether some letters are a whole word of a rule, or the beginning of one that is known by it. */
  isExact(letters: string): boolean {
    return this.#exact.has(letters) || this.#stems.has(letters.slice(0, -1)) || this.#stems.has(letters);
  }

  /** The longest known word of a script without spaces that stands at a place of a text. */
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
