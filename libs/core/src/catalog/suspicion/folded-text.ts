const ASCII = /^[\t-\x7e]*$/;
const MARKS = /\p{Mn}/gu;
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5]/gu;

/** Look-alikes of Latin letters in other scripts that NFKC does not map to them. */
const LOOK_ALIKES = lookAlikes({
  a: 'аαɑᴀ',
  b: 'вβʙ',
  c: 'сϲᴄ',
  d: 'ԁᴅɗ',
  e: 'еεєᴇҽ',
  f: 'ғꜰ',
  g: 'ɡɢԍ',
  h: 'һнʜհ',
  i: 'іιıɪӏ',
  j: 'јʝᴊ',
  k: 'кκᴋ',
  l: 'ⅼʟ',
  m: 'мᴍ',
  n: 'пηɴո',
  o: 'оοσᴏօ',
  p: 'рρᴘ',
  q: 'ԛգ',
  r: 'гʀ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υᴜսц',
  v: 'ѵνᴠ',
  w: 'ԝωᴡѡ',
  x: 'хχ',
  y: 'уγʏү',
  z: 'ᴢʐ',
});

/**
 * Normalizes a text for the rules: compatibility forms (fullwidth, mathematical, circled letters) become plain letters;
 * accents and invisible characters are removed.
 */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text;
  const letters = text.replace(/[\u{1f130}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, enclosedLetter);
  const plain = letters.normalize('NFKC').replace(INVISIBLE, '');
  // Only accents are removed: Korean syllables and kana with voicing marks are composed again.
  return plain
    .normalize('NFD')
    .replace(MARKS, (mark) => (isVoicing(mark) ? mark : ''))
    .normalize('NFC');
}

/** Replaces the letters of a word that look like Latin ones by these. */
export function unmasked(word: string): string {
  let plain = '';
  for (const char of word) plain += LOOK_ALIKES.get(char) ?? char;
  return plain;
}

/** The Latin letter that a letter of another script looks like, or undefined. */
export function looksLike(char: string): string | undefined {
  return LOOK_ALIKES.get(char);
}

function isVoicing(mark: string): boolean {
  return mark === '\u3099' || mark === '\u309a' || !/\p{Script=Inherited}/u.test(mark);
}

function enclosedLetter(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const first = code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : code >= 0x1f150 ? 0x1f150 : 0x1f130;
  return code - first < 26 ? String.fromCharCode(97 + code - first) : char;
}

function lookAlikes(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
  );
}
