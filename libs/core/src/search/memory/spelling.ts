import type { Slices } from '../slices.js';
import { editDistance } from '../text/edit-distance.js';

/** A word shorter than this is not taken for a misspelt one: too many others are one letter away. */
const MIN_LETTERS = 4;
/** From this length on a word may differ by two letters. */
const LONG_LETTERS = 7;
/** What is longer is no word that somebody mistyped, and dear to compare. */
const MAX_LETTERS = 24;
const MAX_CORRECTIONS = 3;
const LETTERS_ONLY = /^\p{L}+$/u;
const STEP = 4_096;

/** Words by number, from 1; more may be added at the end. */
interface Vocabulary {
  /** One more than the largest number. */
  readonly size: number;
  termOf(id: number): string;
}

/**
 * Finds the words of a vocabulary that a misspelt one may stand for. Nobody misses the first letter, unless by swapping it with
 * the second; so words are kept by first letter and length, and few of them have to be compared.
 */
export class Spelling {
  readonly #rooms = new Map<string, number[]>();
  #seen = 1;

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Takes in the words that were added since the last time. */
  async catchUp(slices: Slices): Promise<void> {
    while (this.#seen < this.vocabulary.size) {
      this.#takeIn(Math.min(this.vocabulary.size, this.#seen + STEP));
      if (slices.due) await slices.pause();
    }
  }

  /**
   * The nearest words by {@link editDistance}, at most three, the most frequent first; one letter may differ, two from seven
   * letters on. Words that no visible tool has do not exist.
   *
   * @param rarityOf how rare a term is among the visible tools, by its number; undefined if none has it
   */
  correctionsOf(word: string, rarityOf: (term: number) => number | undefined): readonly number[] {
    if (word.length < MIN_LETTERS || word.length > MAX_LETTERS || !LETTERS_ONLY.test(word)) return [];
    this.#takeIn(this.vocabulary.size);
    let nearest = word.length < LONG_LETTERS ? 1 : 2;
    let found: { readonly id: number; readonly term: string; readonly rarity: number }[] = [];
    for (const id of this.#neighbours(word, nearest)) {
      const term = this.vocabulary.termOf(id);
      const distance = editDistance(word, term, nearest);
      if (distance > nearest) continue;
      const rarity = rarityOf(id);
      if (rarity === undefined) continue;
      if (distance < nearest) found = [];
      nearest = distance;
      found.push({ id, term, rarity });
    }
    return found
      .sort((a, b) => a.rarity - b.rarity || (a.term < b.term ? -1 : 1))
      .slice(0, MAX_CORRECTIONS)
      .map(({ id }) => id);
  }

  *#neighbours(word: string, maxDistance: number): Generator<number> {
    const [first = '', second = ''] = word;
    for (let length = word.length - maxDistance; length <= word.length + maxDistance; length++) {
      yield* this.#rooms.get(`${first}${length}`) ?? [];
      if (second === first) continue;
      for (const id of this.#rooms.get(`${second}${length}`) ?? []) {
        if (this.vocabulary.termOf(id)[1] === first) yield id;
      }
    }
  }

  #takeIn(end: number): void {
    for (; this.#seen < end; this.#seen++) {
      const term = this.vocabulary.termOf(this.#seen);
      if (term.length < MIN_LETTERS - 1 || term.length > MAX_LETTERS || !LETTERS_ONLY.test(term)) continue;
      const key = `${term[0] ?? ''}${term.length}`;
      const room = this.#rooms.get(key);
      if (room) room.push(this.#seen);
      else this.#rooms.set(key, [this.#seen]);
    }
  }
}
