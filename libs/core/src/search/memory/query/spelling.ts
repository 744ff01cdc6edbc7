import type { Slices } from '../../../async/slices.js';
import { editDistance } from '../../text/edit-distance.js';

/** A word shorter than this is not taken for a misspelt one: too many others are one letter away. */
const MIN_LETTERS = 4;
/** From this length on a word may differ by two letters. */
const LONG_LETTERS = 7;
/** What is longer is no word that somebody mistyped, and dear to compare. */
const MAX_LETTERS = 24;
const MAX_CORRECTIONS = 3;
/** Words with nearly the same letters that one is compared with; among 300,000 words one of common letters has 3,000. */
const MAX_COMPARED = 8_000;
const LETTERS_ONLY = /^\p{L}+$/u;
const STEP = 4_096;

/** Words by number, from 1; more may be added at the end. */
export interface Vocabulary {
  /** One more than the largest number. */
  readonly size: number;
  termOf(id: number): string;
}

/** Words with the same first letter and length. */
interface Room {
  readonly ids: number[];
  /** Per word: which letters it has, see {@link lettersOf}. */
  readonly letters: number[];
}

/**
 * Finds the words of a vocabulary that a misspelt one may stand for. Nobody misses the first letter, unless by swapping it with
 * the second; so words are kept by first letter and length, and most of these differ in too many letters to be compared.
 */
export class Spelling {
  readonly #rooms = new Map<string, Room>();
  #seen = 1;

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Takes in the words that were added since the last time. */
  async catchUp(slices: Slices): Promise<void> {
    while (this.#seen < this.vocabulary.size) {
      this.#takeIn(Math.min(this.vocabulary.size, this.#seen + STEP));
      if (slices.due) await slices.pause();
    }
  }

  /** Like {@link corrections}. */
  correctionsOf(word: string, rarityOf: (term: number) => number | undefined): readonly number[] {
    return corrections(word, this.vocabulary, (distance) => this.near(word, distance), rarityOf);
  }

  /** The words that may differ from one in so many letters. */
  near(word: string, maxDistance: number): readonly number[] {
    this.#takeIn(this.vocabulary.size);
    const [first = '', second = ''] = word;
    const letters = lettersOf(word);
    const found: number[] = [];
    for (let length = word.length - maxDistance; length <= word.length + maxDistance; length++) {
      addAlike(this.#rooms.get(`${first}${length}`), letters, maxDistance, found);
      if (second === first) continue;
      const swapped: number[] = [];
      addAlike(this.#rooms.get(`${second}${length}`), letters, maxDistance, swapped);
      for (const id of swapped) if (this.vocabulary.termOf(id)[1] === first) found.push(id);
    }
    return found;
  }

  #takeIn(end: number): void {
    for (; this.#seen < end; this.#seen++) {
      const term = this.vocabulary.termOf(this.#seen);
      if (term.length < MIN_LETTERS - 1 || term.length > MAX_LETTERS || !LETTERS_ONLY.test(term)) continue;
      const key = `${term[0] ?? ''}${term.length}`;
      const room = this.#rooms.get(key);
      if (room) {
        room.ids.push(this.#seen);
        room.letters.push(lettersOf(term));
      } else {
        this.#rooms.set(key, { ids: [this.#seen], letters: [lettersOf(term)] });
      }
    }
  }
}

/**
 * The nearest words by {@link editDistance}, at most three, the most frequent first; one letter may differ, two from seven
 * letters on. Words that no visible tool has do not exist.
 *
 * @param near words that may differ in so many letters
 * @param rarityOf how rare a term is among the visible tools, by its number; undefined if none has it
 */
export function corrections(
  word: string,
  vocabulary: Pick<Vocabulary, 'termOf'>,
  near: (maxDistance: number) => readonly number[],
  rarityOf: (term: number) => number | undefined,
): readonly number[] {
  if (word.length < MIN_LETTERS || word.length > MAX_LETTERS || !LETTERS_ONLY.test(word)) return [];
  let nearest = word.length < LONG_LETTERS ? 1 : 2;
  let found: { readonly id: number; readonly term: string; readonly rarity: number }[] = [];
  const all = near(nearest);
  // Somebody may have written thousands of anagrams. Whoever does not see them gets on without them; whoever does gets no
  // correction. Cutting the list instead would let hidden words push visible ones out.
  const compared = all.length > MAX_COMPARED ? all.filter((id) => rarityOf(id) !== undefined) : all;
  if (compared.length > MAX_COMPARED) return [];
  for (const id of compared) {
    const term = vocabulary.termOf(id);
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

/** Adds the words of a room that may be so near: a letter that is exchanged takes one away and brings one. */
function addAlike(room: Room | undefined, letters: number, maxDistance: number, found: number[]): void {
  if (!room) return;
  for (let i = 0; i < room.ids.length; i++) {
    if (countBits((room.letters[i] ?? 0) ^ letters) <= 2 * maxDistance) found.push(room.ids[i] ?? 0);
  }
}

/** Which letters a word has, as 32 bits; other alphabets share them. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31);
  return bits;
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
