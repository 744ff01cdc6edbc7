import { foldedCharacter, ORNAMENTS } from './folded-characters.js';

/** What folding does with a character: nothing, replace it, drop it, take it off its circle, put it on the letter before it. */
export const PLAIN = 1;
export const FORM = 2;
export const INVISIBLE = 3;
export const ORNAMENT = 4;
export const MARK = 5;
/** What may stand between groups of a number: its neighbours say what it is. */
export const SIGN = 6;
/** The first half of a character outside of the basic plane. */
const HALF = 7;

/** What people put between the groups of a number. */
export const DASH = /^(?:\p{Pd}|[\u2212\u30fc\uff70\u2500\u2501])$/u;
export const DOT = /^[\u00b7\u2024\u2027\u22c5\u30fb\uff65\uff0e]$/;
const SLASH = /^[\u2044\u2215]$/;
/** Format characters, variation selectors, keycaps, and controls that are no blank. */
const UNSEEN = /^(?![\t-\r])[\p{Cc}\p{Cf}\p{DI}\u20e3]$/u;
const ORNAMENTAL = new RegExp(`^[${ORNAMENTS}]$`, 'u');
const MARKS = /^[\u0300-\u036f\u20d0-\u20f0]$/;

/** The kinds of UTF-16 units that were met, and of characters of two units. */
const units = new Uint8Array(0x1_0000);
const pairs = new Map<number, number>();

/** The kind of the character at a place. */
export function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let kind = units[unit] ?? PLAIN;
  if (kind === 0) {
    kind = unit >= 0xd800 && unit < 0xdc00 ? HALF : kindOf(String.fromCharCode(unit));
    units[unit] = kind;
  }
  return kind === HALF ? kindOfPair(text.codePointAt(at) ?? 0) : kind;
}

function kindOfPair(code: number): number {
  let kind = pairs.get(code);
  if (kind === undefined) {
    kind = kindOf(String.fromCodePoint(code));
    pairs.set(code, kind);
  }
  return kind;
}

function kindOf(char: string): number {
  if (UNSEEN.test(char)) return INVISIBLE;
  if (/^[\0-\u007f]$/.test(char)) return PLAIN;
  if (ORNAMENTAL.test(char)) return ORNAMENT;
  if (MARKS.test(char)) return MARK;
  if (DASH.test(char) || DOT.test(char) || SLASH.test(char)) return SIGN;
  return foldedCharacter(char) === char ? PLAIN : FORM;
}
