/* What single characters are folded to. Unicode's compatibility form (NFKC) of a whole text would also change what is no spelling: `…`, `½`. */

/** Superscript, subscript, circled and bracketed letters and digits. */
export const ORNAMENTS = String.raw`\u00aa\u00b2\u00b3\u00b9\u00ba\u02b0-\u02b8\u1d2c-\u1d6a\u1d9b-\u1dbf\u2070-\u209c\u2460-\u24ff\u2776-\u2793\u{1f100}-\u{1f12f}`;
/** First characters of rows that count from one, for digits without a compatibility form. */
const CIRCLED_ROWS = [0x2776, 0x2780, 0x278a, 0x24f5];
const CIRCLED_ZEROS: ReadonlySet<string> = new Set(['\u24ff', '\u{1f10b}', '\u{1f10c}']);
/** Full-width forms of ASCII and small forms. Of their commas, semicolons and bars none separates columns of a table. */
const WIDE = /^(?![\uff0c\uff0e\uff1b\uff5c\ufe50\ufe54])[\uff01-\uff5e\ufe50-\ufe6b]$/;
const ORNAMENT = new RegExp(`^[${ORNAMENTS}]$`, 'u');
const DIGIT = /^\p{Nd}$/u;
/** Signs of numbers in Arabic script, and hyphens and dashes that are used like them. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['\u066a', '%'],
  ['\u066b', '.'],
  ['\u066c', ','],
  ['\u2010', '-'],
  ['\u2011', '-'],
  ['\u2012', '\u2013'],
  ['\u2212', '\u2013'],
]);

const known = new Map<string, string>();

/** A character as ASCII, if it is a letter or digit in another form, a digit of another script, or a blank; else itself. */
export function foldedCharacter(char: string): string {
  let folded = known.get(char);
  if (folded === undefined) {
    folded = SIGNS.get(char) ?? asciiOf(char);
    known.set(char, folded);
  }
  return folded;
}

function asciiOf(char: string): string {
  if (ORNAMENT.test(char)) return char;
  if (DIGIT.test(char)) return digitOf(char);
  if (/^\p{Zs}$/u.test(char)) return ' ';
  const compatible = char.normalize('NFKC');
  return WIDE.test(char) || /^[A-Za-z0-9]+$/.test(compatible) ? compatible : char;
}

/** The digits of each script stand in rows of ten, and mathematical ones in several rows without a gap. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return `${(code - first) % 10}`;
}

/** A letter or digit without its circle, brackets or place; itself, if it stands for more than one. */
export function foldedOrnament(char: string): string {
  if (CIRCLED_ZEROS.has(char)) return '0';
  const code = char.codePointAt(0) ?? 0;
  const row = CIRCLED_ROWS.find((first) => code >= first && code < first + 9);
  if (row !== undefined) return `${code - row + 1}`;
  const bare = char.normalize('NFKC').replaceAll(/[().,]/g, '');
  return /^[A-Za-z0-9+]$/.test(bare) ? bare : char;
}
