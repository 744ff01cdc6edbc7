import type { TimeSlicer } from '../../../async/time-slicer.js';

/** Shorter words are not corrected: too many other words are one letter away. */
const MIN_LETTERS = 4;
/** From this length on two letters may differ. */
const LONG_LETTERS = 9;
/** Longer words are rarely typing errors, and expensive to compare. */
const MAX_LETTERS = 24;
const MAX_CORRECTIONS = 3;
/** Maximum number of words to compare with: among 300,000 words, one with common letters has 3,000 similar ones. */
const MAX_COMPARED = 8_000;
const LETTERS_ONLY = /^\p{L}+$/u;
const STEP = 4_096;

/** Words by number, from 1; words may be added at the end. */
export interface Vocabulary {
  /** One more than the largest number. */
  readonly size: number;
  termOf(id: number): string;
}

/** Words with the same first letter and length. */
interface Room {
  readonly ids: number[];
  /** Per word: its letters as bits, see {@link lettersOf}. */
  readonly letters: number[];
}

/**
 * Finds corrections of misspelt words. The first letter is assumed to be right, or swapped with the second; so words
 * are grouped by first letter and length, and most of a group differ in too many letters to be compared.
 */
export class Spelling {
  readonly #rooms = new Map<string, Room>();
  #seen = 1;

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Adds the words that are new in the vocabulary. */
  async catchUp(slices: TimeSlicer): Promise<void> {
    while (this.#seen < this.vocabulary.size) {
      this.#takeIn(Math.min(this.vocabulary.size, this.#seen + STEP));
      if (slices.due) await slices.pause();
    }
  }

  /** Like {@link corrections}. */
  correctionsOf(word: string, rarityOf: (term: number) => number | undefined): readonly number[] {
    return corrections(word, this.vocabulary, (distance) => this.near(word, distance), rarityOf);
  }

  /** Words that may be within an edit distance of `maxDistance`, by their letters. */
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
 * The nearest words by {@link editDistance}, at most three, the most frequent first. One letter may differ; two in
 * words of nine letters or more. Only words of visible tools are returned.
 *
 * @param near returns the words that may be within an edit distance
 * @param rarityOf the rarity of a term among the visible tools, by its number; undefined if none has it
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
  // A tenant may add thousands of anagrams. Callers who do not see these tools are not affected; for those who do,
  // there is no correction. Truncating the list instead would let hidden words push visible ones out.
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

/** Adds the words of a room that may be within the distance: replacing a letter removes one and adds one. */
function addAlike(room: Room | undefined, letters: number, maxDistance: number, found: number[]): void {
  if (!room) return;
  for (let i = 0; i < room.ids.length; i++) {
    if (countBits((room.letters[i] ?? 0) ^ letters) <= 2 * maxDistance) found.push(room.ids[i] ?? 0);
  }
}

/** The letters of a word as 32 bits; letters of other alphabets share bits. */
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

const FAR = 1_000_000;

// Three rows of the distance table, reused by every comparison: one misspelt word needs thousands of them.
let beforeLast = new Int32Array(64);
let last = new Int32Array(64);
let row = new Int32Array(64);

/** Optimal string alignment distance: letters to insert, delete, replace or swap; `max + 1` if it exceeds `max`. */
export function editDistance(a: string, b: string, max: number): number {
  let [start, endOfA, endOfB] = [0, a.length, b.length];
  if (Math.abs(endOfA - endOfB) > max) return max + 1;
  while (start < endOfA && start < endOfB && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  while (endOfA > start && endOfB > start && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA -= 1;
    endOfB -= 1;
  }
  const width = endOfB - start;
  if (row.length < width + 2) grow(2 * width + 2);
  for (let j = 0; j <= width; j++) last[j] = j;
  for (let i = 1; i <= endOfA - start; i++) {
    // Cells further than `max` from the diagonal exceed `max`.
    const from = Math.max(1, i - max);
    const to = Math.min(width, i + max);
    const letter = a.charCodeAt(start + i - 1);
    const before = i > 1 ? a.charCodeAt(start + i - 2) : -1;
    row[from - 1] = from === 1 ? i : FAR;
    let least = row[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(start + j - 1);
      let distance = (last[j - 1] as number) + (letter === other ? 0 : 1);
      distance = Math.min(distance, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (before === other && j > 1 && letter === b.charCodeAt(start + j - 2)) {
        distance = Math.min(distance, (beforeLast[j - 2] as number) + 1);
      }
      row[j] = distance;
      if (distance < least) least = distance;
    }
    if (to < width) row[to + 1] = FAR;
    if (least > max) return max + 1;
    const free = beforeLast;
    beforeLast = last;
    last = row;
    row = free;
  }
  return Math.min(last[width] as number, max + 1);
}

function grow(length: number): void {
  beforeLast = new Int32Array(length);
  last = new Int32Array(length);
  row = new Int32Array(length);
}
