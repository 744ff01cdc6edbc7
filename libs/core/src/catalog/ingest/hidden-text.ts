import { visibleText } from '../../json/safe-text.js';

// Escape sequences and other control characters, direction overrides and tag characters. A reviewer does not see them,
// but a model may follow what they spell. No legitimate text needs them.
const NEVER = /[\p{Cc}\u202a-\u202e\u2066-\u206f\u{e0000}-\u{e007f}]/u;
const LAYOUT = /[\t\n\r]/g;
const LAYOUT_CHARS = new Set(['\t', '\n', '\r']);

// Characters that are legitimate in some scripts and in emoji, and hide something elsewhere.
const AT_TIMES =
  // oxlint-disable-next-line no-misleading-character-class -- each is meant by itself
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0080}-\u{e0fff}]/u;
const ALL_AT_TIMES = new RegExp(AT_TIMES.source, 'gu');
const FLAG = /\u{1f3f4}(?:[\u{e0061}-\u{e007a}]{5,6})\u{e007f}/gu;
const FLAGS = new Set(['gbeng', 'gbsct', 'gbwls']);

// Copying leaves these behind. Beside a blank or a sign a few of them spell nothing: a letter needs eight.
const STRAY = /[\u00ad\u200b-\u200f\u2060\ufeff]/;
const WORD_PART = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}]/u;
// More consecutive blank lines or blanks than any layout needs, followed by more text.
const OUT_OF_SIGHT =
  /(?:\r?\n[\t ]{0,200}){40}|[\t \u00a0\u2000-\u200a\u202f\u205f\u3000]{250}|[\u1680\u2000-\u200a\u202f\u205f]{20}/;

const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}]/u;
const SPACELESS_SCRIPT =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3]/u;
const BEFORE_SELECTOR =
  /[\p{Extended_Pictographic}\p{Emoji}\p{So}\p{Sm}\p{Script=Han}\p{Script=Mongolian}\u2000-\u2bff]/u;

/**
 * Whether a text contains characters that hide something from its reader. Tabs and line breaks are allowed.
 *
 * @param maxStray zero-width characters to accept beside a blank or a sign, as copying leaves them
 */
export function hidesText(text: string, maxStray = 0): boolean {
  const shown = text.replace(LAYOUT, '').replace(FLAG, (flag) => (FLAGS.has(spelledByTags(flag)) ? '' : flag));
  return NEVER.test(shown) || (AT_TIMES.test(shown) && hidesInContext(text, maxStray));
}

function hidesInContext(text: string, maxStray: number): boolean {
  const rightToLeft = RIGHT_TO_LEFT.test(text);
  let stray = 0;
  for (const { 0: char, index } of text.matchAll(ALL_AT_TIMES)) {
    const code = char.codePointAt(0) ?? 0;
    const before = characterBefore(text, index);
    const after = String.fromCodePoint(text.codePointAt(index + char.length) ?? 0x20);
    if (hasItsPlace(code, before, after, rightToLeft)) continue;
    stray += 1;
    if (stray > maxStray || !isStray(text, index, char)) return true;
  }
  return false;
}

/** Whether a character is one that copying leaves behind, and divides no word. */
function isStray(text: string, index: number, char: string): boolean {
  if (!STRAY.test(char)) return false;
  let from = index;
  while (from > 0 && STRAY.test(text.charAt(from - 1))) from -= 1;
  let to = index + char.length;
  while (STRAY.test(text.charAt(to))) to += 1;
  const after = String.fromCodePoint(text.codePointAt(to) ?? 0x20);
  return !(WORD_PART.test(characterBefore(text, from)) && WORD_PART.test(after));
}

function hasItsPlace(code: number, before: string, after: string, rightToLeft: boolean): boolean {
  if (code === 0x200c || code === 0x200d) {
    return JOINING_SCRIPT.test(before) || (code === 0x200d && PICTURE.test(before) && PICTURE.test(after));
  }
  if (code === 0x200b) return SPACELESS_SCRIPT.test(before) && SPACELESS_SCRIPT.test(after);
  if (code === 0x200e || code === 0x200f || code === 0x061c) return rightToLeft;
  if (code >= 0xfe00 && code <= 0xfe0f)
    return BEFORE_SELECTOR.test(before) && !AT_TIMES.test(after.replace('\u200d', ''));
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}/u.test(before) && !AT_TIMES.test(after);
  if (code >= 0x180b && code <= 0x180f) return /\p{Script=Mongolian}/u.test(before);
  // A blank braille pattern is legitimate next to other braille patterns; Hangul fillers only occur in Old Korean.
  return code === 0x2800 && /[\u2801-\u28ff]/u.test(before + after);
}

/** Whether a text is so far below or to the right of the rest that a reader does not find it. */
export function isOutOfSight(text: string): boolean {
  return text.length >= 20 && OUT_OF_SIGHT.test(text) && text.trim().split(OUT_OF_SIGHT).length > 1;
}

function characterBefore(text: string, index: number): string {
  if (index === 0) return ' ';
  const low = text.codePointAt(index - 1) ?? 0;
  const isLow = low >= 0xdc00 && low <= 0xdfff && index > 1;
  return isLow ? String.fromCodePoint(text.codePointAt(index - 2) ?? 0) : String.fromCodePoint(low);
}

function spelledByTags(flag: string): string {
  return Array.from(flag)
    .slice(1, -1)
    .map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join('');
}

/** Writes every invisible character but those of layout as an escape, for a person who reviews the text. */
export function shownText(text: string): string {
  return visibleText(text, LAYOUT_CHARS);
}
