import { unmasked } from '../folded-text.js';
import type { PhraseMatcher, Sense } from '../phrase-matcher.js';

const REMEMBERED = 50_000;
const MAX_WORD = 64;
const MAX_JOINED = 16;
const ELISION = /(?<!\p{L})(n|l|d|s|j|m|c|t|qu)['’](?=\p{L}{3})/gu;
const LETTERS = /[\p{L}\p{N}\p{M}@$]+/gu;
const NO_SPACES = /[\u2e80-\u2fff\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** Letters by the digits and signs that can replace them. */
export const LEET: Readonly<Record<string, string>> = Object.fromEntries(
  '0o 1i 3e 4a 5s 7t 8b 9g @a $s'.split(' ').map(([sign, letter]) => [sign, letter]),
);

/** Minimum letters of a word that is checked for a cipher. */
const CIPHERED_LETTERS = 4;

/** The senses of words, also in disguised spellings; computed once per word and cached. */
export class WordSenses {
  readonly #senses = new Map<string, Sense | undefined>();

  constructor(private readonly matcher: PhraseMatcher) {}

  /** Senses of a run of characters, in order; a number stands for that many words without a sense. */
  inRun(raw: string, identifier: boolean): (Sense | number)[] {
    const cased = identifier ? raw.replace(/([a-z0-9])([A-Z])/g, '$1 $2') : raw;
    const parts =
      cased
        .toLowerCase()
        .replace(ELISION, '$1 ')
        .replace(/['’`´]/g, '')
        .match(LETTERS) ?? [];
    const whole = parts.length > 1 && !identifier ? this.#joined(parts) : undefined;
    if (whole) return [whole];
    const words: (Sense | number)[] = [];
    for (const part of parts) {
      if (NO_SPACES.test(part)) words.push(...this.#ideographs(part));
      else words.push(this.of(part) ?? 1);
    }
    return words;
  }

  /** A word split by punctuation, as in "ig-nore": its parts have no sense, the joined word has one. */
  #joined(parts: readonly string[]): Sense | undefined {
    const joined = parts.join('');
    if (joined.length > MAX_JOINED || NO_SPACES.test(joined)) return undefined;
    if (parts.every((part) => part.length > 3 && this.#numbersOf(part))) return undefined;
    return this.of(joined);
  }

  /** Sense of one word in any spelling; undefined if no rule contains it. */
  of(word: string): Sense | undefined {
    if (word.length > MAX_WORD) return undefined;
    const known = this.#senses.get(word);
    if (known !== undefined || this.#senses.has(word)) return known;
    const numbers = this.#numbersOf(word);
    const sense = numbers ? this.matcher.senseOf(numbers) : this.#ifCiphered(word);
    if (this.#senses.size >= REMEMBERED) this.#senses.clear();
    this.#senses.set(word, sense);
    return sense;
  }

  /** Sense of a word that is unknown as written and known when reversed or shifted by 13 letters (ROT13). */
  #ifCiphered(word: string): Sense | undefined {
    if (word.length < CIPHERED_LETTERS || !/^[a-z]+$/.test(word)) return undefined;
    const { lexicon } = this.matcher;
    const means = [shifted(word), Array.from(word).toReversed().join('')].some((each) => lexicon.isExact(each));
    return means ? this.matcher.senseOf([lexicon.numberOf('%ciphered')]) : undefined;
  }

  #numbersOf(word: string): ReadonlySet<number> | undefined {
    const { lexicon } = this.matcher;
    const found = lexicon.numbersOf(word);
    if (found) return found;
    if (/[0-9@$]/.test(word) && /[a-z]/.test(word)) {
      const plain = word.replace(/[0-9@$]/g, (char) => LEET[char] ?? char);
      const asL =
        lexicon.numbersOf(plain) ??
        lexicon.numbersOf(word.replaceAll('1', 'l').replace(/[0-9@$]/g, (char) => LEET[char] ?? char));
      if (asL) return asL;
    }
    if (/[^\t-\x7e]/.test(word)) {
      const latin = unmasked(word);
      if (latin !== word) return lexicon.numbersOf(latin);
    }
    return /(.)\1\1/.test(word) ? lexicon.numbersOf(word.replace(/(.)\1{2,}/g, '$1')) : undefined;
  }

  #senseOfIdeographs(word: string, numbers: ReadonlySet<number>): Sense {
    const sense = this.#senses.get(word) ?? this.matcher.senseOf(numbers);
    this.#senses.set(word, sense);
    return sense;
  }

  /** Words of a script without spaces. Unknown characters between them count as half a word each. */
  #ideographs(text: string): (Sense | number)[] {
    const words: (Sense | number)[] = [];
    let between = 0;
    for (let at = 0; at < text.length;) {
      const found = this.matcher.lexicon.ideographsAt(text, at);
      if (!found) {
        between += 1;
        at += 1;
        continue;
      }
      if (between > 1) words.push(between >> 1);
      between = 0;
      words.push(this.#senseOfIdeographs(text.slice(at, at + found.length), found.numbers));
      at += found.length;
    }
    if (between > 1) words.push(between >> 1);
    return words;
  }
}

function shifted(word: string): string {
  return word.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 84) % 26) + 97));
}
