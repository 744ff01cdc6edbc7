/** Words and phrases with one meaning, in several languages, or an expression for things that are no words. */
export type Concept = readonly string[] | RegExp;

export interface Mention {
  readonly concept: Concept;
  readonly start: number;
  readonly end: number;
}

interface Phrase {
  readonly concept: Concept;
  readonly source: string;
  /** Compiled when a text first has a word that begins like the phrase: of a thousand phrases most never are. */
  expression?: RegExp;
}

const WORD = /\p{L}[\p{L}\p{N}]{0,200}/gu;
const SPACELESS = /\p{Script=Han}/u;
/** Expressions for the marks in a phrase. */
const MARKS: Readonly<Record<string, string>> = {
  _: ' ',
  '*': '\\p{L}{0,12}',
  '~': ' (?:[^ ,;:.!?]{1,40} ){0,5}',
};
const KEY = 3;
const SPACELESS_KEY = 2;

/** Lower case on one line, compatibility forms as plain letters, without accents. Word lists have the same form. */
export function normalized(text: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(text);
  const plain = isAscii
    ? text
    : text
        .normalize('NFKC')
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC');
  return plain
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\n\s*(?:\n|[-*•] )/g, '. ')
    .replace(/[\s_"“”*`]+/g, ' ');
}

/** A concept from phrases separated by white space. In a phrase `_` is a blank, `*` any ending, `~` up to five words. */
export function concept(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** Finds the mentions of many concepts in one pass: by the first letters of each word, then by the whole phrase. */
export class Lexicon {
  readonly #byStart = new Map<string, Phrase[]>();

  constructor(concepts: Iterable<Concept>) {
    for (const each of new Set(concepts)) {
      if (each instanceof RegExp) continue;
      for (const phrase of each) this.#add(phrase, each);
    }
  }

  /** @param text normalized */
  mentions(text: string): readonly Mention[] {
    const found: Mention[] = [];
    for (const { 0: word, index } of text.matchAll(WORD)) {
      this.#collect(text, index, KEY, found);
      if (!SPACELESS.test(word)) continue;
      for (let at = index; at < index + word.length; at += 1) this.#collect(text, at, SPACELESS_KEY, found);
    }
    return found.sort((left, right) => left.start - right.start);
  }

  #add(phrase: string, concept: Concept): void {
    const plain = phrase.split(/([_*~])/).map((part) => MARKS[part] ?? normalized(part));
    const start = normalized(phrase.replace(/[~*]/g, '_'));
    const key = start.slice(0, SPACELESS.test(start.slice(0, 1)) ? SPACELESS_KEY : KEY);
    const end = SPACELESS.test(phrase.slice(-1)) ? '' : '(?!\\p{L})';
    const added: Phrase = { concept, source: plain.join('') + end };
    const others = this.#byStart.get(key);
    if (others) others.push(added);
    else this.#byStart.set(key, [added]);
  }

  #collect(text: string, start: number, keyLength: number, found: Mention[]): void {
    for (const phrase of this.#byStart.get(text.slice(start, start + keyLength)) ?? []) {
      const expression = (phrase.expression ??= new RegExp(phrase.source, 'uy'));
      expression.lastIndex = start;
      if (expression.test(text)) found.push({ concept: phrase.concept, start, end: expression.lastIndex });
    }
  }
}
