import { DASH, DOT, FORM, INVISIBLE, kindAt, MARK, ORNAMENT, PLAIN, SIGN } from './character-kinds.js';
import { foldedCharacter, foldedOrnament } from './folded-characters.js';
import { type FoldedText, FoldedTextBuilder } from './folded-text.js';

/** What becomes of characters that nobody sees, between letters and digits: both readings are possible. */
type Invisible = 'joins' | 'separates';

/** A folded text, and whether characters that nobody sees may also separate values in it. */
interface Folding {
  readonly folded: FoldedText;
  readonly isAmbiguous: boolean;
}

const MAY_FOLD = /[^\t-\r -~]/;
/** Colours and other commands to a terminal. */
const COMMAND = new RegExp(`${'\u001b'}\\[[\\d;:?]{0,32}[A-Za-z]`, 'y');
/** Soft hyphens and joiners inside of words are no blanks. */
const JOINERS = /^(?:\u00ad|\u200c|\u200d|\u2060)+$/;
/** Invisible characters between two that belong together. */
const MAX_INVISIBLE = 4096;
/** Characters between two pauses, and at most that many are folded at once. */
const STEP = 4096;

/**
 * A text in one spelling: letters and digits in other forms and scripts are ASCII, blanks one blank, hyphens one hyphen,
 * dashes too where they join digits; what nobody sees is dropped, or separates. Accents, quotes, line ends and tabs stay.
 */
export function* fold(text: string, invisible: Invisible = 'joins'): Generator<undefined, Folding> {
  const folder = new Folder(text, invisible);
  if (!MAY_FOLD.test(text)) return folder.finish();
  let pause = STEP;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const kind = unit >= 32 && unit < 127 ? PLAIN : kindAt(text, at);
    at = kind === PLAIN ? at + 1 : folder.fold(kind, at);
    if (at < pause) continue;
    pause = at + STEP;
    yield;
  }
  return folder.finish();
}

class Folder {
  readonly #builder: FoldedTextBuilder;
  /** The folded character before the place up to which the text is replaced. */
  #last = '';
  #isAmbiguous = false;

  constructor(
    private readonly text: string,
    private readonly invisible: Invisible,
  ) {
    this.#builder = new FoldedTextBuilder(text);
  }

  finish(): Folding {
    return { folded: this.#builder.build(), isAmbiguous: this.#isAmbiguous };
  }

  /** Folds the character of a kind at a place, and those of its kind behind it if they count together. */
  fold(kind: number, at: number): number {
    if (kind === FORM || kind === SIGN) {
      const char = this.#charAt(at);
      const end = at + char.length;
      if (kind === FORM && this.#isProse(at, end)) return end;
      const folded = kind === SIGN ? this.#sign(char, at, end) : foldedCharacter(char);
      if (folded !== char) {
        this.#builder.replace({ start: at, end }, folded);
        this.#last = folded.slice(-1);
      }
      return end;
    }
    const end = this.#endOf(kind, at);
    if (kind === INVISIBLE)
      return this.#isKeycap(at, end) ? this.#absorb(at, end) : this.#replace(at, end, this.#separator(at, end));
    if (kind === ORNAMENT) return this.#replace(at, end, this.#bare(at, end));
    return kind === MARK ? this.#mark(at, end) : end;
  }

  #replace(start: number, end: number, text: string): number {
    const last = this.#before(start);
    this.#builder.replace({ start, end }, text);
    this.#last = text === '' ? last : text.slice(-1);
    return end;
  }

  /** Drops what belongs to the character before it. */
  #absorb(start: number, end: number): number {
    this.#last = this.#before(start);
    this.#builder.absorb({ start, end });
    return end;
  }

  #isKeycap(start: number, end: number): boolean {
    return this.text.slice(start, end).includes('\u20e3') && /\d/.test(this.#before(start));
  }

  /** The folded character before a place; `''` at the beginning. */
  #before(at: number): string {
    return at > this.#builder.done ? this.text.charAt(at - 1) : this.#last;
  }

  #charAt(at: number): string {
    const code = this.text.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  /** The next character that is seen, folded; `''` at the end. */
  #after(at: number): string {
    let next = at;
    for (let count = 0; count < MAX_INVISIBLE && next < this.text.length; count += 1) {
      if (kindAt(this.text, next) !== INVISIBLE) break;
      next = this.#invisibleEnd(next);
    }
    return foldedCharacter(this.#charAt(next)).charAt(0);
  }

  #endOf(kind: number, start: number): number {
    let end = start;
    while (end < this.text.length && end - start < STEP && kindAt(this.text, end) === kind) {
      end = kind === INVISIBLE ? this.#invisibleEnd(end) : end + this.#charAt(end).length;
    }
    return end;
  }

  #invisibleEnd(at: number): number {
    COMMAND.lastIndex = at;
    return COMMAND.test(this.text) ? COMMAND.lastIndex : at + this.#charAt(at).length;
  }

  /** Punctuation between letters of Chinese, Japanese or Korean is no part of a value, and there is much of it. */
  #isProse(start: number, end: number): boolean {
    const unit = this.text.charCodeAt(start);
    const isPunctuation = unit === 0x3000 || (unit >= 0xff00 && unit < 0xff61 && !isWideWord(unit));
    return isPunctuation && isEastAsian(this.text.charCodeAt(start - 1)) && isEastAsian(this.text.charCodeAt(end));
  }

  /** What a dash, dot or slash is by its neighbours. */
  #sign(char: string, start: number, end: number): string {
    const after = this.#after(end);
    // At the end of a sentence it is no dot of an address.
    if (char === '\uff0e') return /[A-Za-z0-9]/.test(after) ? '.' : char;
    const around = this.#before(start) + after;
    if (DASH.test(char)) return isInNumber(around) ? '-' : foldedCharacter(char);
    if (!/^\d\d$/.test(around)) return char;
    return DOT.test(char) ? '.' : '/';
  }

  /** What stands for characters that nobody sees. */
  #separator(start: number, end: number): string {
    const around = this.#before(start) + this.#after(end);
    if (!/^\w\w$/.test(around)) return '';
    if (JOINERS.test(this.text.slice(start, end)) && /^[a-z][a-z]$/.test(around)) return '';
    this.#isAmbiguous = true;
    if (this.invisible === 'joins') return '';
    return /^\d\d$/.test(around) ? '-' : ' ';
  }

  /** Letters and digits without circles; not the mark of a footnote or item, which stands alone or beside a value. */
  #bare(start: number, end: number): string {
    const raw = this.text.slice(start, end);
    if (raw.length === 1 || /\w/.test(this.#before(start) + this.#after(end))) return raw;
    return Array.from(raw, foldedOrnament).join('');
  }

  /** Puts an accent on the letter before it. Other marks over ASCII, and those of digits, only decorate. */
  #mark(start: number, end: number): number {
    const before = this.#before(start);
    if (!/[A-Za-z0-9]/.test(before)) return end;
    if (start === this.#builder.done) return this.#absorb(start, end);
    const composed = (before + this.text.slice(start, end)).normalize('NFC');
    return this.#replace(start - 1, end, composed.replaceAll(/[\u0300-\u036f\u20d0-\u20f0]/g, ''));
  }
}

/** Whether a dash between two characters joins groups of a number. Between words it is punctuation, and may end an address. */
function isInNumber(around: string): boolean {
  return /^(?:[0-9)][0-9(A-Z]|[A-Z][0-9])$/.test(around);
}

function isWideWord(unit: number): boolean {
  return (unit >= 0xff10 && unit <= 0xff19) || (unit >= 0xff21 && unit <= 0xff3a) || (unit >= 0xff41 && unit <= 0xff5a);
}

function isEastAsian(unit: number): boolean {
  return unit >= 0x3001 && unit < 0xd800;
}
